#!/usr/bin/env bash
# Starts the model server that the judge asks (vLLM 0.33): serve.sh [more flags of `vllm serve`]
# MODEL and PORT may be set; the key is taken from VLLM_API_KEY, which must be set and is never on the command line.
# kubernetes.yaml has the same flags; tests hold the two together.
set -euo pipefail
: "${VLLM_API_KEY:?set it to the key that clients must send, e.g. from a file that only root can read}"
export VLLM_API_KEY

flags=(
  --host 0.0.0.0
  --port "${PORT:-8000}"
  # The name that conf/cluster.yaml asks for; without it a model in a local folder is served under its path.
  --served-model-name "${SERVED_NAME:-Qwen/Qwen3-8B}"
  --dtype bfloat16
  # judge.openai.context_tokens; two provisions with context and prompt are far below. Less leaves more room for others.
  --max-model-len 8192
  # Requests in one batch, and in the queue behind it: past that the server says 503 and the judge waits and tries again.
  --max-num-seqs 256
  --max-num-queued-reqs 4096
  --gpu-memory-utilization 0.92
  # On by default; named because the order in which pairs are judged counts on it.
  --enable-prefix-caching
  # Else the cached share of the prompts is not reported, and the account of tokens has none.
  --enable-prompt-tokens-details
  # The model's own generation_config.json would change sampling behind the settings' back.
  --generation-config vllm
  # Qwen3 thinks by default: hundreds of tokens per pair, and the first one would be no label.
  --default-chat-template-kwargs '{"enable_thinking": false}'
  # One grammar engine, so that a schema that works today works tomorrow; blanks cost tokens and can run on.
  --structured-outputs-config '{"backend": "xgrammar", "disable_any_whitespace": true}'
  # The screen reads the labels' probabilities among so many.
  --max-logprobs 20
  # Provisions and prompts do not belong into a server's log.
  --no-enable-log-requests
)
exec vllm serve "${MODEL:-Qwen/Qwen3-8B}" "${flags[@]}" "$@"

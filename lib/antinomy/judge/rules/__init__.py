"""The norms of two provisions compared: words, quantities, deontic modalities."""

"""Settings: what a wrong file tells the user."""

from pathlib import Path

import pytest

from antinomy import settings
from antinomy.errors import SettingsError, StorageError

GOOD = """
run_id: one
warehouse: out/w
out: out
documents:
  - {doc_id: a, path: a.pdf, regime: eu}
  - {doc_id: b, path: b.pdf, regime: us}
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "c.yaml"
    path.write_text(GOOD)
    return path


def test_paths_are_resolved_against_data_root(config: Path) -> None:
    loaded = settings.load(str(config), ["data_root=/somewhere"])
    assert [source.uri for source in loaded.sources()] == ["/somewhere/a.pdf", "/somewhere/b.pdf"]


def test_data_root_may_be_a_uri(config: Path) -> None:
    loaded = settings.load(str(config), ["data_root=s3a://bucket/regs"])
    assert loaded.sources()[0].uri == "s3a://bucket/regs/a.pdf"


def test_set_reads_values_as_yaml_and_makes_groups(config: Path) -> None:
    loaded = settings.load(str(config), ["embed.batch_size=8", "embed.context=[headings]"])
    assert loaded.embed.batch_size == 8
    assert loaded.embed.context == ("headings",)


def test_run_id_option_wins(config: Path) -> None:
    assert settings.load(str(config), run_id="two").run_id == "two"


def test_all_errors_are_reported_at_once(config: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        settings.load(str(config), ["run_id=a/b", "embed.batch_size=0", "link.kk=3", "judge.backend=oracle"])
    message = str(caught.value)
    assert "run_id: 'a/b' must start with a letter or digit" in message
    assert "embed.batch_size" in message
    assert "link.kk: unknown key" in message
    assert "judge.backend" in message


def test_a_misspelt_path_is_not_taken_for_other_faults(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("documents:\n  - pth: a.txt\n  - path: b.txt\n")
    with pytest.raises(SettingsError) as caught:
        settings.load(str(path))
    assert str(caught.value).endswith(
        "documents.0.path: missing, set it; documents.0.pth: unknown key, remove it or check its spelling"
    )
    assert "doc_id" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("run_id: [", "is not valid YAML"),
        ("- a", "expected settings"),
        ("", "expected settings"),
        (GOOD.replace("doc_id: b", "doc_id: a"), "doc_id occurs twice: a"),
        (GOOD + "surprise: 1\n", "surprise: unknown key"),
        ("run_id: x\nwarehouse: w\nout: o\n", "documents: missing"),
        (GOOD.replace("doc_id: b", "doc_id: b#1"), "documents.1.doc_id"),
    ],
)
def test_wrong_files_say_what_is_wrong(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(text)
    with pytest.raises(SettingsError, match=says):
        settings.load(str(path))


@pytest.mark.parametrize("override", ["embed", "=3", "a b=1", "run_id.x=1", "embed.batch_size=[1"])
def test_wrong_overrides_are_named(config: Path, override: str) -> None:
    with pytest.raises(SettingsError, match="--set"):
        settings.load(str(config), [override])


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"none\.yaml does not exist"):
        settings.load(str(tmp_path / "none.yaml"))


def test_yaml_tags_cannot_build_objects(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("run_id: !!python/object/apply:os.system ['true']\n")
    with pytest.raises(SettingsError, match="is not valid YAML"):
        settings.load(str(path))


def test_two_documents_are_enough(tmp_path: Path) -> None:
    path = tmp_path / "my rules.yaml"
    path.write_text("documents:\n  - path: eu.md\n  - sub/Part 500 (NY).pdf\n")
    loaded = settings.load(str(path))
    assert loaded.run_id == "my-rules"
    assert loaded.warehouse == f"{tmp_path}/out/warehouse"
    assert loaded.out == f"{tmp_path}/out/my-rules"
    assert [(doc.doc_id, doc.regime) for doc in loaded.documents] == [("eu", "eu"), ("Part-500-NY", "Part-500-NY")]
    assert [source.uri for source in loaded.sources()] == [f"{tmp_path}/eu.md", f"{tmp_path}/sub/Part 500 (NY).pdf"]
    other = settings.load(str(path), run_id="two")
    assert (other.warehouse, other.out) == (loaded.warehouse, f"{tmp_path}/out/two")


def test_the_report_lies_beside_the_warehouse_also_on_an_object_store(config: Path) -> None:
    config.write_text(GOOD.replace("out: out\n", "").replace("out/w", "s3a://bucket/antinomy/warehouse/"))
    assert settings.load(str(config)).out == "s3a://bucket/antinomy/one"


def test_two_files_of_one_name_need_ids_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("documents: [eu/rule.pdf, us/rule.pdf]\n")
    with pytest.raises(SettingsError, match="doc_id occurs twice: rule; give each document its own"):
        settings.load(str(path))


@pytest.mark.parametrize(
    ("regimes", "more", "groups"),
    [
        (("eu", "us"), [], "regimes"),
        (("us", "us"), [], "documents"),
        (("us", "us"), ["link.groups=regimes"], "regimes"),
        (("eu", "us"), ["link.groups=documents"], "documents"),
    ],
)
def test_documents_of_one_regime_are_compared_with_each_other(
    config: Path, regimes: tuple[str, str], more: list[str], groups: str
) -> None:
    config.write_text(
        GOOD.replace("regime: us", f"regime: {regimes[1]}").replace("regime: eu", f"regime: {regimes[0]}")
    )
    assert settings.load(str(config), more).link.groups == groups


def test_relative_paths_count_from_the_file_and_those_of_set_from_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "conf").mkdir()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    path = tmp_path / "conf" / "c.yaml"
    path.write_text(
        "data_root: ../regs\nwarehouse: ../out/w\nout: o\ndocuments: [a.pdf, b.pdf]\n"
        "judge: {weights: w, openai: {prompt: mine.yaml}}\nevaluate: {key: key.jsonl}\nreport: {calibration: /c.json}\n"
        "spark: {graphframes_jar: 's3a://b/c.jar'}\n"
    )
    loaded = settings.load("../conf/c.yaml")
    assert (loaded.data_root, loaded.warehouse, loaded.out) == tuple(
        f"{tmp_path}/{place}" for place in ("regs", "out/w", "conf/o")
    )
    assert loaded.sources()[0].uri == f"{tmp_path}/regs/a.pdf"
    assert (loaded.judge.weights, loaded.evaluate.key) == (f"{tmp_path}/conf/w", f"{tmp_path}/conf/key.jsonl")
    assert loaded.judge.openai.prompt == f"{tmp_path}/conf/mine.yaml"
    assert (loaded.report.calibration, loaded.spark.graphframes_jar) == ("/c.json", "s3a://b/c.jar")
    assert settings.load(str(path), ["out=o", "judge.weights=../w"]).out == f"{tmp_path}/elsewhere/o"
    assert settings.load(str(path), ["judge.weights=../w"]).judge.weights == f"{tmp_path}/w"


def test_names_of_models_and_prompts_are_no_paths(config: Path) -> None:
    loaded = settings.load(str(config), ["embed.model=BAAI/bge-small-en", "judge.openai.prompt=threeway"])
    assert (loaded.embed.model, loaded.judge.openai.prompt) == ("BAAI/bge-small-en", "threeway")
    (config.parent / "models/small").mkdir(parents=True)
    config.write_text(GOOD + "embed: {model: models/small}\n")
    assert settings.load(str(config)).embed.model == str(config.parent / "models/small")


def test_a_key_that_stands_twice_is_refused_with_both_lines(config: Path) -> None:
    config.write_text(GOOD + "judge: {backend: norms}\nlink:\n  k: 3\njudge:\n  prior: 0.1\n")
    with pytest.raises(SettingsError, match=r"c\.yaml: `judge` occurs twice, in lines 8 and 11"):
        settings.load(str(config))
    config.write_text(GOOD + "link:\n  k: 3\n  min_score: 0\n  k: 4\n")
    with pytest.raises(SettingsError, match="`k` occurs twice, in lines 9 and 11"):
        settings.load(str(config))


@pytest.mark.parametrize(
    ("override", "says"),
    [
        ("as_of=2026-13-01", "month must be in 1..12"),
        ("warehouse=", "warehouse: is empty"),
        ("out=''", "out: is empty"),
        ("data_root=", "data_root: is empty"),
        (f"link={'[' * 20000}", "nested too deeply"),
    ],
)
def test_values_that_are_none_are_told_in_one_line(config: Path, override: str, says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        settings.load(str(config), [override])


def test_a_file_nested_too_deeply_is_told_in_one_line(config: Path) -> None:
    config.write_text(GOOD + f"link: {'{a: ' * 20000}\n")
    with pytest.raises(SettingsError, match=r"c\.yaml is nested too deeply to be settings"):
        settings.load(str(config))


def test_out_and_warehouse_are_two_folders(config: Path) -> None:
    with pytest.raises(SettingsError, match="out and warehouse are one folder"):
        settings.load(str(config), ["out=/x/w", "warehouse=/x/w/"])


@pytest.mark.parametrize("name", ["demo", "dora_ffiec", "cluster"])
def test_shipped_configs_are_valid(name: str) -> None:
    loaded = settings.load(str(Path(__file__).parents[2] / "conf" / f"{name}.yaml"))
    assert {document.regime for document in loaded.documents} == {"eu", "us"}


def test_documents_may_lie_anywhere_where_no_data_root_is_set(tmp_path: Path) -> None:
    for folder in ("settings", "texts"):
        (tmp_path / folder).mkdir()
    config = tmp_path / "settings" / "two.yaml"
    config.write_text(f"documents:\n  - ../texts/a.md\n  - {{path: {tmp_path}/texts/b.md}}\n  - c.md\n")
    assert [source.uri for source in settings.load(str(config)).sources()] == [
        str(tmp_path / "texts" / "a.md"),
        str(tmp_path / "texts" / "b.md"),
        str(tmp_path / "settings" / "c.md"),
    ]
    config.write_text(config.read_text() + "data_root: .\n")
    with pytest.raises(SettingsError, match="is not below data_root"):
        settings.load(str(config)).sources()


def test_pairs_are_bounded_where_a_judge_costs_more_than_milliseconds(config: Path) -> None:
    assert settings.load(str(config)).link.budget_pairs == 0
    assert settings.load(str(config), ["link.budget_pairs=7"]).link.budget_pairs == 7
    assert settings.load(str(config), ["judge.backend=openai"]).link.budget_pairs is None


def test_the_container_in_an_address_of_azure_is_no_password(config: Path) -> None:
    place = "abfss://compliance@account.dfs.core.windows.net/antinomy/w"
    assert settings.load(str(config), [f"warehouse={place}"]).warehouse == place


@pytest.mark.parametrize("place", ["https://user:pw@host/w", "s3a://user:pw@bucket/w"])
def test_a_password_in_an_address_is_refused_and_not_repeated(config: Path, place: str) -> None:
    with pytest.raises(SettingsError, match="warehouse: a secret does not belong in settings") as caught:
        settings.load(str(config), [f"warehouse={place}"])
    assert "user:pw" not in str(caught.value)


def test_a_file_with_a_long_name_needs_no_id_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    name = "Guidelines on " + "the keeping of lamps " * 7
    assert len(name) > 150
    path.write_text(f"documents:\n  - {name}.pdf\n  - b.pdf\n")
    long, short = settings.load(str(path)).documents
    assert long.doc_id.startswith("Guidelines-on-the-keeping-of-lamps-the")
    assert (long.path, short.doc_id) == (f"{name}.pdf", "b")


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("sha256", "AB" * 32, "must be 64 hexadecimal digits in small letters"),
        ("sha256", "ab", "must be 64 hexadecimal digits in small letters"),
        ("url", "ftp://host/a.pdf", "must start with http:// or https://"),
    ],
)
def test_a_value_of_the_wrong_form_is_told_with_the_form_that_is_wanted(
    config: Path, key: str, value: str, says: str
) -> None:
    config.write_text(GOOD.replace("path: a.pdf", f"path: a.pdf, {key}: '{value}'"))
    with pytest.raises(SettingsError, match=rf"documents\.0\.{key}: '{value}' {says}") as caught:
        settings.load(str(config))
    assert "letter or digit" not in str(caught.value)

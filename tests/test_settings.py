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


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("run_id: [", "is no YAML"),
        ("- a", "expected settings"),
        ("", "expected settings"),
        (GOOD.replace("doc_id: b", "doc_id: a"), "doc_id stands twice: a"),
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
    with pytest.raises(StorageError, match=r"none\.yaml is not there"):
        settings.load(str(tmp_path / "none.yaml"))


def test_yaml_tags_cannot_build_objects(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("run_id: !!python/object/apply:os.system ['true']\n")
    with pytest.raises(SettingsError, match="is no YAML"):
        settings.load(str(path))


@pytest.mark.parametrize("name", ["demo", "dora_ffiec", "cluster"])
def test_shipped_configs_are_valid(name: str) -> None:
    loaded = settings.load(str(Path(__file__).parent.parent / "conf" / f"{name}.yaml"))
    assert {document.regime for document in loaded.documents} == {"eu", "us"}

"""Hostile files, models and settings: bounded, refused or quarantined, and never run."""

from __future__ import annotations

import io
import json
import os
import time
import zipfile
import zlib
from pathlib import Path

import pytest

from antinomy import settings as settings_module
from antinomy.embed.encoder import Encoder
from antinomy.errors import EnvironmentFault, SettingsError
from antinomy.parse import isolate, parse_document
from antinomy.parse import stage as parse_stage
from antinomy.parse.model import ParsedDocument
from antinomy.settings import ParseSettings
from antinomy.settings.source import Source

BOUNDS = ParseSettings(timeout_s=30, memory_mb=512)


def pdf(stream: bytes) -> bytes:
    """Return a PDF with one page whose contents are this packed stream."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>",
        b"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(stream), stream),
    ]
    data = b"%PDF-1.7\n"
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return data + b"xref\n0 5\n0000000000 65535 f \n%strailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (
        table,
        len(data),
    )


def packed(size: int) -> bytes:
    pack = zlib.compressobj(9)
    block = b"(a) Tj " * 150_000
    return b"".join(pack.compress(block) for _ in range(size // len(block))) + pack.flush()


def zipped() -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("act.xml", b"0" * 2**28)
    return target.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(lambda: pdf(packed(2**30)), id="a PDF page that unpacks to a gibibyte"),
        pytest.param(lambda: pdf(zlib.compress(packed(2**29))), id="a packed stream of a packed stream"),
        pytest.param(lambda: b"<html><body>" + b"<b>" * 3_000_000, id="HTML that is nothing but depth"),
        pytest.param(zipped, id="a ZIP that unpacks to 256 MiB"),
    ],
)
def test_bombs_are_quarantined_within_time_and_memory(tmp_path: Path, data: object) -> None:
    file = tmp_path / "bomb"
    file.write_bytes(data())  # type: ignore[operator]
    started = time.monotonic()
    row = parse_stage._row(Source("x", str(file), "eu"), BOUNDS)
    assert time.monotonic() - started < BOUNDS.timeout_s + 15
    assert (row["status"], row["sections"]) == ("quarantined", [])
    assert len(row["error"]) > 20


def test_a_file_larger_than_any_regulation_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "huge.pdf"
    with file.open("wb") as sparse:
        sparse.truncate(2**40)
    row = parse_stage._row(Source("x", str(file), "eu"), BOUNDS)
    assert (row["status"], "more than any regulation" in row["error"]) == ("quarantined", True)


def test_xml_reaches_neither_the_disk_nor_the_network(tmp_path: Path) -> None:
    (tmp_path / "outside.dtd").write_text("<!ENTITY a 'not for you'>")
    for reference in (f"SYSTEM 'file://{tmp_path}/outside.dtd'", "SYSTEM 'http://127.0.0.1:9/x.dtd'"):
        act = f"<!DOCTYPE ACT {reference}><ACT><ARTICLE><TI.ART>Article 1</TI.ART><ALINEA>x</ALINEA></ARTICLE></ACT>"
        tree = isolate.call(
            parse_document, Source("x", "x", "eu"), act.encode(), returns=ParsedDocument, timeout_s=20, memory_mb=512
        )
        assert "not for you" not in json.dumps([section.text for section in tree.sections])
    inclusion = (
        "<ACT xmlns:xi='http://www.w3.org/2001/XInclude'><ARTICLE><TI.ART>Article 1</TI.ART><ALINEA>x"
        f"<xi:include href='file://{tmp_path}/outside.dtd' parse='text'/></ALINEA></ARTICLE></ACT>"
    )
    tree = parse_document(Source("x", "x", "eu"), inclusion.encode())
    assert not any("not for you" in section.text for section in tree.sections)


class _Payload:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("touch taken",)


def test_a_model_of_pickles_is_refused_and_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pickle

    monkeypatch.chdir(tmp_path)
    model = tmp_path / "model"
    model.mkdir()
    (model / "config.json").write_text(
        json.dumps({"model_type": "bert", "hidden_size": 8, "architectures": ["BertModel"]})
    )
    (model / "pytorch_model.bin").write_bytes(pickle.dumps(_Payload()))
    with pytest.raises(EnvironmentFault, match="safetensors"):
        Encoder(str(model))
    assert not (tmp_path / "taken").exists()


def config(tmp_path: Path, more: str = "", path: str = "a.txt") -> str:
    file = tmp_path / "c.yaml"
    file.write_text(
        f"run_id: r\ndata_root: {tmp_path}/data\nwarehouse: {tmp_path}/w\nout: {tmp_path}/o\n"
        f"documents: [{{doc_id: a, path: {path!r}, regime: eu}}]\n{more}"
    )
    return str(file)


def test_yaml_makes_no_objects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    call = "!!python/object/apply:os.system ['touch taken']"
    with pytest.raises(SettingsError, match="is not valid YAML"):
        settings_module.load(config(tmp_path, f"report: {call}\n"))
    with pytest.raises(SettingsError, match="the value is not valid YAML"):
        settings_module.load(config(tmp_path), [f"report.title={call}"])
    assert not (tmp_path / "taken").exists()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data root with a file, a link within, and links to the outside."""
    folder = tmp_path / "data"
    (folder / "eu").mkdir(parents=True)
    (folder / "eu/a.txt").write_text("x")
    (tmp_path / "secret.txt").write_text("x")
    (folder / "within.txt").symlink_to(folder / "eu/a.txt")
    (folder / "outside.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "up").symlink_to(tmp_path)
    return folder


@pytest.mark.parametrize(
    "path",
    [
        "../secret.txt",
        "eu/../../secret.txt",
        "outside.txt",
        "up/secret.txt",
        "/etc/passwd",
        "file:///etc/passwd",
        "s3a://bucket/a",
        "http://127.0.0.1/a",
    ],
)
def test_a_document_outside_of_the_data_root_is_refused(tmp_path: Path, data: Path, path: str) -> None:
    with pytest.raises(SettingsError, match="is not below data_root"):
        settings_module.load(config(tmp_path, path=path)).sources()


@pytest.mark.parametrize(
    "path",
    ["eu/a.txt", "eu/../eu/a.txt", "within.txt", "{data}/eu/a.txt", "file://{data}/eu/a.txt", "not/there/yet.txt"],
)
def test_a_document_below_it_is_taken_however_it_is_named(tmp_path: Path, data: Path, path: str) -> None:
    (source,) = settings_module.load(config(tmp_path, path=path.format(data=data))).sources()
    assert Path(source.uri).resolve().is_relative_to(data.resolve())


@pytest.mark.parametrize(
    ("path", "taken"),
    [
        ("eu/a", True), ("s3a://b/regs/eu/a", True), ("../a", False), ("s3a://b/other", False),
        ("s3a://c/regs/a", False), ("s3a://b/regs-2/a", False),
    ],
)  # fmt: skip
def test_the_same_holds_on_an_object_store(tmp_path: Path, path: str, taken: bool) -> None:
    chosen = settings_module.load(config(tmp_path, path=path), ["data_root=s3a://b/regs"])
    if taken:
        assert chosen.sources()[0].uri.startswith("s3a://b/regs/")
    else:
        with pytest.raises(SettingsError, match="is not below data_root"):
            chosen.sources()


def test_fetch_writes_nothing_outside(tmp_path: Path, data: Path) -> None:
    from antinomy.run.fetch import fetch

    with pytest.raises(SettingsError, match="is not below data_root"):
        fetch(settings_module.load(config(tmp_path, path="../../evil")))


SECRET = "sk-VerySecret0123456789"


@pytest.mark.parametrize(
    "override",
    [
        f"spark.conf={{spark.hadoop.fs.s3a.secret.key: {SECRET}}}",
        f"spark.conf={{spark.hadoop.fs.s3a.access.key: {SECRET}}}",
        f"spark.conf={{spark.hadoop.fs.s3a.session.token: {SECRET}}}",
        f"spark.conf={{spark.hadoop.fs.azure.account.key.x: {SECRET}}}",
        f"judge.openai.extra_body={{api_key: {SECRET}}}",
        f"judge.openai.extra_body={{headers: [{{X-Api-Key: {SECRET}}}]}}",
        f"warehouse='s3a://user:{SECRET}@bucket/w'",
        f"judge.openai.base_url='http://user:{SECRET}@host/v1'",
        f"judge.openai.api_key={SECRET}",
        f"judge.openai.extra_body={{headers: {{Authorization: Bearer {SECRET}}}}}",
        f"judge.openai.extra_body={{extra: [{{token: {SECRET}}}]}}",
        f"judge.openai.extra_body={{key: {SECRET}}}",
        f"spark.conf={{spark.ssl.keyPassword: {SECRET}}}",
        f"spark.conf={{spark.hadoop.fs.s3a.encryption.key: {SECRET}}}",
        f"spark.conf={{spark.my.authToken: {SECRET}}}",
        f"spark.conf={{spark.driver.extraJavaOptions: -Dx=1 -Dhttps.proxyPassword={SECRET}}}",
        f"spark.conf={{spark.some.url: 'jdbc:x://h/db?user=a&password={SECRET}'}}",
        f"report.title='https://host/page?token={SECRET}'",
        f"out='https://account.example/c?sv=1&sig={SECRET}'",
        f"documents=[{{path: a, url: 'https://user:{SECRET}@host/a.pdf'}}]",
        f"documents=[{{path: a, url: 'https://host/a.pdf?X-Amz-Signature={SECRET}'}}]",
        f"documents=[{{path: a, aliases: ['https://host/?api_key={SECRET}']}}]",
    ],
)
def test_secrets_in_settings_are_refused_and_not_repeated(tmp_path: Path, override: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        settings_module.load(config(tmp_path), [override])
    assert SECRET not in str(refusal.value)


def test_settings_that_only_sound_like_secrets_are_taken(tmp_path: Path) -> None:
    provider = "org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider"
    loaded = settings_module.load(
        config(tmp_path),
        [
            f"spark.conf={{spark.hadoop.fs.s3a.aws.credentials.provider: {provider}, "
            "spark.hadoop.hive.tokens: 'a', spark.sql.keyGroups: '1', "
            "spark.x.extraJavaOptions: -Dkey.size=3 -Dmonkey=1}",
            "judge.openai.extra_body={allowed_token_ids: [1], max_tokens: 3, skip_special_tokens: true}",
            "judge.openai.api_key_env=VLLM_API_KEY",
            "report.title='Passwords, tokens and keys: what =the rules= say of a key'",
            "documents=[{path: a, url: 'https://eur-lex.europa.eu/TXT/PDF/?uri=CELEX:32022R2554'}]",
        ],
    )
    assert loaded.spark.conf["spark.hadoop.fs.s3a.aws.credentials.provider"] == provider

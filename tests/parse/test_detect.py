"""Which grammar reads a document, and in which language it is, told from the document alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from antinomy import samples
from antinomy.errors import DocumentError
from antinomy.parse import detect, parse_document, read
from antinomy.parse.detect import choose, language
from antinomy.parse.model import Line
from antinomy.settings.source import Source
from parse.formats import FORMATS
from parse.scored import parse
from parse.styles import STYLES

ACTS = Path(__file__).parent / "acts"
_GRAMMARS = {"eu": "eu", "handbook": "us"}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("style", STYLES)
def test_a_style_is_told_in_every_format(style: str, form: str) -> None:
    assert parse(style, form, 4)[0].grammar == _GRAMMARS.get(style, "numbered")


@pytest.mark.parametrize(
    ("path", "grammar"),
    [
        *((ACTS / f"lighthouse.{suffix}", "eu") for suffix in ("txt", "md", "html", "xml")),
        *((Path(samples.FOLDER) / f"eu-orr.{suffix}", "eu") for suffix in ("txt", "pdf")),
        *((Path(samples.FOLDER) / f"us-trr.{suffix}", "us") for suffix in ("txt", "pdf")),
    ],
    ids=lambda value: value.name if isinstance(value, Path) else value,
)
def test_samples(path: Path, grammar: str) -> None:
    data = path.read_bytes()
    chosen = choose(Source("x", str(path), "any"), read(detect(data), data), detect(data))
    assert chosen.grammar == grammar
    assert chosen.why


def test_real_documents(regulations: Path) -> None:
    grammars = {"dora": "eu", "ffiec": "us"}
    for path in sorted(regulations.glob("*/*.pdf")):
        if path.stat().st_size < 500_000 or path.parent.name == "dora":
            data = path.read_bytes()
            assert (
                choose(Source("x", "x", "any"), read(detect(data), data), detect(data)).grammar
                == (grammars[path.parent.name])
            ), path.name


_FOREIGN = {
    "German": "Die Betreiber von Häfen stellen sicher, dass alle Lampen bei Einbruch der Nacht leuchten. Sie führen "
    "darüber ein Verzeichnis, das der Aufsicht auf Verlangen vorzulegen ist. Ausfälle werden gemeldet.",
    "French": "Les exploitants de ports veillent à ce que toutes les lampes soient allumées la nuit. Ils "
    "tiennent un registre qui est présenté à l'autorité sur demande. Les pannes sont signalées dans l'heure.",
    "Spanish": "Los explotadores de puertos velarán por que todas las lámparas estén encendidas la noche. Llevarán "
    "un registro que se presentará a la autoridad cuando lo solicite. Los fallos se notificarán pronto.",
    "Japanese": "港湾 の 運営者 は 日没 時 に すべて の 灯火 が 点灯 して いる こと を 確保 しなければ ならない 。 "
    * 4,
}


@pytest.mark.parametrize("name", _FOREIGN)
def test_another_language_is_refused_by_its_name(name: str) -> None:
    text = "\n\n".join(f"{n}. {_FOREIGN[name]}" for n in range(1, 6))
    with pytest.raises(DocumentError, match=f"in {name}, and only English is read"):
        parse_document(Source("x", "x.txt", "any"), text.encode())


def test_a_few_foreign_words_make_no_foreign_document() -> None:
    text = "The authority (die Aufsichtsbehörde für Häfen und Lampen) shall keep a list of the keepers of each harbour."
    assert language([Line(text)] * 5) == "en"
    assert language([Line("Lampen und Häfen")]) == ""

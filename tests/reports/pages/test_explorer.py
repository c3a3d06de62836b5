"""Answers are explored in a real Chromium: filters, sorting, search, links, the card, the keyboard, paper."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from pytest_codereason.reports.pages import texts
from pytest_codereason.reports.reporters.report_html import HtmlReport
from tests.reports.pages import chromium
from tests.reports.pages.chromium import Page
from tests.reports.pages.explored import build_run
from tests.reports.pages.exploring import CARD, LINES, OUTCOMES, SAID, explore
from tests.reports.reporters.pages import finish, hostile
from tests.results.synthetic import write_run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium.PATH is None, reason="no Chromium on PATH"),
]


MARKDOWN = "## So\n\n> It is `x`:\n\n1. **one**\n\n| `a` | b |\n|---|---|\n| 1 | `2` |\n\n```python\nx = 1\n```\n"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a small run, whose records lie beside it."""
    return HtmlReport().write(*build_run(tmp_path_factory.mktemp("report"), response=MARKDOWN).parts)


def choose(facet: str, *values: str) -> str:
    """JavaScript that chooses values in the menu of a facet, as a click does."""
    return f"""(async () => {{
      const menus = [...document.querySelectorAll('.facet')];
      const menu = menus.find((each) => each.firstChild.textContent.startsWith({facet!r}));
      menu.open = true;
      await new Promise((resolve) => setTimeout(resolve, 30));
      for (const box of menu.querySelectorAll('input')) if ({list(values)}.includes(box.value)) box.click();
      menu.open = false;
      return {SAID};
    }})()"""


def set_value(selector: str, value: str) -> str:
    """JavaScript that types or chooses a value."""
    return f"""(() => {{
      const field = document.querySelector({json.dumps(selector)});
      field.value = {json.dumps(value)};
      field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input', {{ bubbles: true }}));
    }})()"""


def test_filters_search_and_order(report: Path, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in (report.parent / "records.jsonl").read_text().splitlines()]
    wrong = [row for row in rows if row["outcome"] == "wrong"]

    async def visit(page: Page) -> None:
        missing = f"{sum(row['outcome'] == 'error' for row in rows)} of them unanswered"
        together = "; to see how many are right, choose one model, one perturbation"
        assert await page.evaluate(SAID) == f"160 answers, {missing}{together}"
        assert await page.evaluate(choose("outcome", "wrong")) == f"{len(wrong)} of 160 answers{together}"
        both = [row for row in wrong if row["language"] == "php" and row["axes"]["digits"] == 4]
        await page.evaluate(choose("language", "php"))
        assert await page.evaluate(choose("digits", "4")) == f"{len(both)} of 160 answers{together}"
        assert {line.partition("/")[0] for line in await page.evaluate(LINES)} == {"php"}
        answer = both[0]["answer"]
        await page.evaluate(set_value("input[type=search]", answer))
        found = sum(answer in (row["expected"] + row["answer"]) for row in both)
        assert (await page.evaluate(SAID)).startswith(f"{found} of 160")
        assert await page.evaluate(
            "[...document.querySelectorAll('.status button')].map((each) => (each.click(), 1))"
        ) == [1]
        assert (await page.evaluate(SAID)).startswith("160 answers")
        assert (await page.evaluate(OUTCOMES))[0] != "correct"
        await page.evaluate(set_value("form select", "latency_s"))
        await page.evaluate("document.querySelector('form input[type=checkbox]').click(), 0")
        slowest = max((row for row in rows if row["latency_s"] is not None), key=lambda row: row["latency_s"])
        assert (await page.evaluate(LINES))[0] == slowest["id"]

    explore(report, tmp_path / "profile", visit)


def test_a_share_pools_no_models_and_no_conditions(tmp_path: Path) -> None:
    build_run(tmp_path)
    rows = [json.loads(line) for line in (tmp_path / "records.jsonl").read_text().splitlines()]
    own = [row for row in rows if row["model"] == "openai:model-0" and row["axes"]["perturbation"] == "rename"]
    for row in own[:3]:
        row |= {"outcome": "skipped", "metrics": {}, "answer": None, "response": None, "steps": []}
    run = finish(tmp_path, json.loads((tmp_path / "run.json").read_text()), rows)
    right, scored = sum(row["outcome"] == "correct" for row in own), len(own) - 3
    shares = "[...document.querySelectorAll('.breakdown tbody td:nth-child(3)')].map((cell) => cell.textContent)"

    async def visit(page: Page) -> None:
        await page.evaluate(choose("model", "openai:model-0"))
        await page.evaluate(set_value(".breakdown select", "language"))
        assert await page.evaluate(shares) == ["–", "–"], "they are of both perturbations"
        await page.evaluate(set_value(".breakdown select", "axis perturbation"))
        both = await page.evaluate(shares)
        share = f"{100 * right / scored:.1f} %"
        assert both[1] == share
        assert await page.evaluate(choose("perturbation", "rename")) == (
            f"{len(own)} of 160 answers, 3 of them skipped; {share} of the other {scored} right"
        )

    explore(HtmlReport().write(*run.parts), tmp_path / "profile", visit)


def test_a_link_shows_the_same_answers_and_the_same_card(report: Path, tmp_path: Path) -> None:
    async def follow(page: Page) -> tuple[str, str, str]:
        await page.evaluate(choose("outcome", "wrong"))
        await page.evaluate(choose("perturbation", "rename"))
        await page.evaluate("document.querySelectorAll('.line-of-list')[2].click(), 0")
        card = await page.evaluate(CARD)
        return await page.evaluate("location.hash"), await page.evaluate(SAID), card

    address, said, card = explore(report, tmp_path / "profile", follow)
    assert "is.outcome=wrong" in address

    async def arrive(page: Page) -> None:
        await page.evaluate(f"location.hash = {json.dumps(address)}, 0")
        await page.reload()
        assert await page.evaluate(SAID) == said
        assert await page.evaluate(CARD) == card
        assert await page.evaluate("document.querySelector('[aria-selected=true]') !== null")
        await page.evaluate("document.querySelector('.answer .tools button:last-child').click()")
        assert await page.evaluate("document.querySelector('.answer').hidden")

    explore(report, tmp_path / "profile", arrive)


@pytest.mark.parametrize("is_large", [False, True])
def test_a_card_has_all_that_belongs_to_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_large: bool
) -> None:
    if is_large:
        monkeypatch.setattr(texts, "INSIDE", 0)
        monkeypatch.setattr(texts, "CHUNK", 20_000)
    path = HtmlReport().write(*build_run(tmp_path).parts)
    assert (tmp_path / "report-data").is_dir() == is_large

    async def visit(page: Page) -> None:
        await page.evaluate(choose("outcome", "wrong"))
        await page.evaluate(choose("perturbation", "rename"))
        await page.evaluate("document.querySelector('.line-of-list').click(), 0")
        card = await page.evaluate(CARD)
        for part in ("Expected", "Given", "Be brief.", "First I multiply.", "Replace ?? by the value", "Reply"):
            assert part in card
        marked = await page.evaluate("[...document.querySelectorAll('.sides mark')].length")
        assert marked > 0
        old, new = [
            await page.evaluate(f"[...document.querySelectorAll('.difference {kind}')].map((each) => each.textContent)")
            for kind in ("del", "ins")
        ]
        assert old[0] == "−    total = 0\n"
        assert new[0] == "+    Var_1 = 0\n"
        assert len(old) == len(new)
        assert "1 other answer to this question" in card
        if is_large:
            scripts = [address for address in page.requests if address.endswith(".js")]
            assert scripts
            assert len(set(scripts)) == len(scripts)

    explore(path, tmp_path / "profile", visit)


def test_a_page_without_its_folder_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "INSIDE", 0)
    path = HtmlReport().write(*build_run(tmp_path).parts)
    (tmp_path / "report-data" / "000.js").unlink()

    async def visit(page: Page) -> None:
        await page.evaluate("document.querySelector('.line-of-list').click(), 0")
        assert "Copy the folder report-data together with the page" in await page.evaluate(CARD)
        page.complaints.clear()  # the browser says it as well

    explore(path, tmp_path / "profile", visit)


def test_the_keyboard_alone_reaches_an_answer(report: Path, tmp_path: Path) -> None:
    async def press(page: Page, *keys: str) -> None:
        for key in keys:
            code = {"Enter": 13, "End": 35, "Home": 36, "ArrowUp": 38, "ArrowDown": 40}[key]
            for kind in ("rawKeyDown", "keyUp"):
                await page.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code)

    async def visit(page: Page) -> None:
        active = "document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).ariaPosInSet"
        await page.evaluate("document.querySelector('.list').focus(), 0")
        await press(page, "ArrowDown", "ArrowDown")
        assert await page.evaluate(active) == "3"
        await press(page, "End")
        assert await page.evaluate(active) == "160"
        await press(page, "ArrowUp", "Enter")
        assert await page.evaluate("document.activeElement.tagName") == "H3"
        assert await page.evaluate("document.querySelector('[aria-selected=true]').ariaPosInSet") == "159"

    explore(report, tmp_path / "profile", visit)


def test_markup_in_answers_stays_text_in_every_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every text of a hostile run is opened; none of it becomes an element or runs."""
    monkeypatch.setattr(texts, "INSIDE", 0)
    run = hostile(tmp_path)
    rows = [json.loads(line) for line in (tmp_path / "records.jsonl").read_text().splitlines()]
    evil = rows[0]["reason"]
    step = {
        "messages": [{"role": evil, "content": evil}],
        "prefill": evil,
        "response": evil,
        "reasoning": evil,
        "finish": "stop",
    }
    edge = dict.fromkeys(("tag", "caller", "callee", "code"), evil)
    write_run(tmp_path, {}, [row | {"steps": [step, step], "audit": [edge], "traceback": evil} for row in rows])

    async def visit(page: Page) -> None:
        for place in range(6):
            await page.evaluate(f"document.getElementById('line-{place}').click(), 0")
            await page.evaluate("new Promise((resolve) => setTimeout(resolve, 50))")
            assert "<img src=x onerror=alert(2)>" in await page.evaluate(CARD)
        assert await page.evaluate("document.images.length") == 0
        assert await page.evaluate("document.querySelectorAll('#explorer script').length") == 0
        assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0

    path = HtmlReport().write(*run.parts)
    explore(path, tmp_path / "profile", visit)


def test_paper_has_the_first_answers_and_every_fold_open(report: Path, tmp_path: Path) -> None:
    async def visit(page: Page) -> None:
        closed = "document.querySelectorAll('details:not([open], .facet)').length"
        assert await page.evaluate(closed) > 0
        await page.evaluate("dispatchEvent(new Event('beforeprint')), 0")
        assert await page.evaluate(closed) == 0
        assert len(await page.evaluate(LINES)) == 60
        await page.evaluate("dispatchEvent(new Event('afterprint')), 0")
        assert len(await page.evaluate(LINES)) < 40

    explore(report, tmp_path / "profile", visit)


@pytest.mark.skipif(find_spec("axe_core_python") is None, reason="axe is not installed: pip install axe-core-python")
@pytest.mark.parametrize(("width", "dark"), [(1400, False), (390, True)])
def test_axe_finds_nothing(report: Path, tmp_path: Path, width: int, dark: bool) -> None:
    spec = find_spec("axe_core_python")
    assert spec is not None
    assert spec.origin is not None
    axe = Path(spec.origin).with_name("axe.min.js").read_text()

    async def visit(page: Page) -> None:
        await page.evaluate("document.querySelector('.line-of-list').click(), 0")
        await page.evaluate(CARD)
        await page.evaluate("document.querySelector('.facet').open = true, 0")
        await page.evaluate(f"{axe}; 0")
        described = "violations.map((each) => `${each.impact} ${each.id}: ${each.nodes[0].html}`)"
        assert await page.evaluate(f"axe.run().then(({{ violations }}) => {described})") == []

    explore(report, tmp_path / "profile", visit, width=width, dark=dark)


SQUARES = """[...document.querySelectorAll('.squares .row')].map((row) => [
  row.querySelector('.name').textContent,
  [...row.querySelectorAll('i')].map((each) => `${each.className} ${each.title}`)])"""


def test_the_grid_has_a_square_for_each_program_and_model_that_opens_its_answers(report: Path, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in (report.parent / "records.jsonl").read_text().splitlines()]
    scored: dict[tuple[str, str], list[bool]] = {}
    for row in rows:
        right = scored.setdefault((row["model"], row["family"]), [])
        right += [row["outcome"] == "correct"] if row["outcome"] not in ("error", "skipped") else []

    async def visit(page: Page) -> None:
        drawn: dict[str, list[str]] = {}
        for model, squares in await page.evaluate(SQUARES):
            drawn.setdefault(model, []).extend(squares)
        assert drawn.keys() == {row["model"] for row in rows}
        for model, squares in drawn.items():
            for square in squares:
                looks, _, title = square.partition(" ")
                right = scored[model, title.split(", ")[0]]
                share = sum(right) / len(right) if right else None
                expected = {None: "skipped", 0.0: "wrong", 1.0: "correct"}.get(share, "partly")
                assert looks == f"o-{expected}", square
                if len(right) > 1:
                    assert title.endswith(f": {sum(right)} of {len(right)} right")
            assert len(squares) == len({family for _, family in scored})
        assert any("o-partly" in square for squares in drawn.values() for square in squares)
        family = await page.evaluate(
            "(() => { const [one] = document.querySelectorAll('.squares i'); one.click(); "
            "return one.title.split(', ')[0]; })()"
        )
        assert await page.evaluate(CARD)
        model = next(iter(drawn))
        mine = [row["id"] for row in rows if row["family"] == family and row["model"] == model]
        assert sorted(await page.evaluate(LINES)) == sorted(mine)
        whole = await page.evaluate("document.querySelectorAll('.squares i').length")
        assert whole == len(scored), "the choice of one program leaves the grid whole"

    explore(report, tmp_path / "profile", visit)


def test_programs_of_several_repositories_are_named_with_theirs(tmp_path: Path) -> None:
    build_run(tmp_path, families=3)
    rows = [json.loads(line) for line in (tmp_path / "records.jsonl").read_text().splitlines()]
    places = {"0000": "shop", "0001": "bank"}
    rows = [row | {"repository": places.get(row["family"], "")} for row in rows]
    report = HtmlReport().write(*finish(tmp_path, json.loads((tmp_path / "run.json").read_text()), rows).parts)

    async def visit(page: Page) -> None:
        titles = await page.evaluate("[...document.querySelectorAll('.squares i')].map((each) => each.title)")
        assert {title.rpartition(", ")[0] for title in titles} == {"0000, shop", "0001, bank", "0002"}
        await page.evaluate(choose("repository", "shop"))
        assert all("/0000[" in name for name in await page.evaluate(LINES))
        await page.evaluate("document.querySelector('.line-of-list').click(), 0")
        assert "repositoryshop" in await page.evaluate(CARD)

    explore(report, tmp_path / "profile", visit)


def test_a_narrow_grid_names_each_line_above_it(report: Path, tmp_path: Path) -> None:
    async def visit(page: Page) -> None:
        right = await page.evaluate(
            "Math.max(...[...document.querySelectorAll('.squares i')]"
            ".map((each) => each.getBoundingClientRect().right))"
        )
        assert right <= 390
        assert await page.evaluate("document.querySelectorAll('.row.narrow').length > 0")

    explore(report, tmp_path / "profile", visit, width=390)

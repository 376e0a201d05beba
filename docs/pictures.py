"""The pictures of the pages, and the gallery: drawn anew whenever the pages are built.

They are drawn of the shipped examples, of votes made here, and of laws.
"""

from collections.abc import Callable
from contextlib import redirect_stdout
from functools import cache, partial
from io import StringIO
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import algeval as ae
from algeval.cli.main import run
from algeval.report.figures import draw
from algeval.report.figures.drawing import TABLE, to_svg
from algeval_papers.separation import curie_weiss_risks, factor_risks

DOCS = Path(__file__).parent
FOLDER = DOCS / "_build" / "pictures"


@cache
def of_the_example(kind: str, **options: Any) -> Any:
    """Draw a figure of the example mt-bench."""
    return draw(kind, ae.example("mt-bench"), **options)


@cache
def figure_4() -> Any:
    """Draw the risks of the upper row of Figure 4 of Balasubramanian et al., exactly."""
    given = {"beta0": 0.5, "field0": -0.5, "beta1": 2.0, "c": 1.5}
    return curie_weiss_risks(0.7, **given, n_judges=range(1, 151)).plot()


def figure_5() -> Any:
    """Draw their Figure 5 at a factor that is strong enough to see something."""
    return factor_risks(0.7, a=0.5, b=1.0, spread=2.0, n_judges=range(1, 151, 2)).plot()


@cache
def a_plan() -> Any:
    """Draw the plan of the how-to on labels."""
    return ae.plan(budget=1500, accuracy=0.8, margin=0.01, label_accuracy=0.8).plot()


@cache
def support_bot() -> ae.io.Results:
    """Return the example of a results table."""
    return ae.example("support-bot")


@cache
def a_difference() -> Any:
    """Draw how much better one of its two systems is."""
    return ae.versus(support_bot()).plot()


@cache
def three_judges() -> Any:
    """Draw how good its judges are, by their votes and by its labels."""
    return draw("accuracies", support_bot().votes)


@cache
def a_card() -> Any:
    """Draw its judges by people's labels."""
    return ae.judge_card(support_bot()).plot()


def one_exam(n_judges: int) -> tuple[int, float]:
    """Return the threshold of 2,000 items of judges who are right on 80%, and who err independently."""
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 2_000)[:, None]
    votes = np.where(rng.random((2_000, n_judges)) < 0.8, truth, 1 - truth)
    columns = {f"judge {k}": ["ab"[v] for v in votes[:, k]] for k in range(n_judges)}
    return n_judges, float(ae.threshold(ae.read_votes(columns), exact=False).upper)


@cache
def reaches() -> Any:
    """Draw down to which level logic refutes, and how far single exams are from it."""
    kinds = [ae.reach(5, accuracy) for accuracy in (0.8, 0.6, 0.7, 0.9)]
    return draw("reach", kinds, points=[one_exam(n) for n in (2, 3, 5, 7, 9, 11)])


PICTURES: dict[str, Callable[[], Any]] = {
    "accuracies": partial(of_the_example, "accuracies", ceiling=0.5),
    "agreement": partial(of_the_example, "agreement"),
    "figure-4": figure_4,
    "figure-5": figure_5,
    "difference": a_difference,
    "judge-card": a_card,
    "judges": three_judges,
    "plan": a_plan,
    "panel-curve": partial(of_the_example, "panel-curve"),
    "reach": reaches,
    "threshold-curve": partial(of_the_example, "threshold-curve"),
}
"""What draws each."""


def picture(name: str) -> str:
    """Return a picture as SVG that takes the page's colours."""
    return drawn(PICTURES[name]())


def drawn(figure: Any) -> str:
    """Return a figure as SVG that takes the page's colours; each must have a title."""
    svg = to_svg(figure, page=True)
    if not svg.startswith("<svg") or "<title" not in svg:
        raise ValueError("a picture with no title")
    return svg


# --- The front page: parts of the page that `algeval report` writes of the example, and the page itself.


PAGE = DOCS / "_build" / "extra" / "support-bot.html"
"""Copied to the top of the site."""


def write_page() -> str:
    """Return the page that the command of the front page writes with `-o`, written."""
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    with redirect_stdout(StringIO()):
        run(["report", "--example", "support-bot", "-o", str(PAGE)])
    return PAGE.read_text(encoding="utf-8")


def card(page: str) -> str:
    """Return the card for a slide that a page holds, to fill the width there is."""
    svg = page.split('<figure class="slide">')[1].split("</svg>")[0]
    size = 'width="1280" height="720"'
    return svg.strip().replace(size, 'class="card" width="100%"', 1) + "</svg>\n"


# --- The gallery: a figure of each kind, the question it answers, and the page that explains it.


def seven_judges() -> ae.Votes:
    """Return votes of seven judges, two of whom copy a third on half of the items."""
    rng = np.random.default_rng(3)
    truth = rng.random(600) < 0.6
    votes = {f"judge {k}": truth ^ (rng.random(600) > 0.78) for k in range(1, 8)}
    for k in (6, 7):
        votes[f"judge {k}"] = np.where(rng.random(600) < 0.5, votes["judge 5"], votes[f"judge {k}"])
    return ae.read_votes({name: np.where(said, "yes", "no") for name, said in votes.items()})


@cache
def graders() -> ae.Scores:
    """Return scores of eight judges, four of whom like long answers."""
    rng = np.random.default_rng(8)
    quality, length = rng.normal(size=(2, 400))
    likes = {"large": (0.9, 0.1), "tiny": (0.5, 0.8)}
    table = {
        f"{size}-{k}": a * quality + b * length + rng.normal(scale=0.5, size=400)
        for size, (a, b) in likes.items()
        for k in range(1, 5)
    }
    words = np.rint(np.exp(5 + 0.5 * length))
    return ae.read_scores({**table, "words": words}, attributes=["words"])


@cache
def confounders() -> Any:
    """Return what these graders share."""
    return ae.confounders(graders())


def battles() -> ae.rates.Leaderboard:
    """Return ratings of five systems by three judges on 120 prompts."""
    rng = np.random.default_rng(4)
    strength = {"ant": 0.9, "bee": 0.7, "cow": 0.1, "dog": 0.0, "eel": -0.8}
    names, rows = ["prompt", "model_a", "model_b", "judge", "winner"], []
    for prompt in range(120):
        level = {name: x + rng.normal(0, 0.7) for name, x in strength.items()}
        for pair in combinations(strength, 2):
            best = pair[level[pair[0]] < level[pair[1]]]
            for judge in ("gpt4o", "claude", "gemini"):
                said = rng.choice(pair) if rng.random() < 0.3 else best
                rows.append(dict(zip(names, (f"p{prompt}", *pair, judge, said), strict=True)))
    return ae.leaderboard(rows)


def labels_one_at_a_time() -> Any:
    """Draw what a stream of labels says after each of them."""
    rng = np.random.default_rng(5)
    stream = ae.LabelStream(against=0.7, width=0.1)
    return draw("label-stream", stream, labels=[int(x) for x in rng.random(400) < 0.82])


def two_experts(kind: str, **options: Any) -> Any:
    """Draw a figure of the counts of two judges."""
    return draw(kind, ae.example("mt-bench-summary"), **options)


class Shot(NamedTuple):
    """A figure of the gallery: its question, the page that explains it, and what draws it."""

    question: str
    page: str
    call: str
    draw: Callable[[], Any]


GALLERY: dict[str, Shot] = {
    "rate": Shot(
        "How often does my system pass?",
        "howto/report-a-pass-rate",
        "ae.rate(table).plot()",
        lambda: ae.rate(support_bot()).plot(),
    ),
    "difference": Shot(
        "Is B better than A?",
        "howto/compare-two-systems",
        "ae.versus(table).plot()",
        a_difference,
    ),
    "slices": Shot(
        "How often does it pass on each kind of output?",
        "howto/which-slice-regressed",
        'ae.slices(table, by="topic").plot()',
        lambda: ae.slices(support_bot(), by="topic").plot(),
    ),
    "leaderboard": Shot(
        "Which of many systems lead?",
        "howto/rank-systems",
        "ae.leaderboard(battles).plot()",
        lambda: battles().plot(),
    ),
    "label-stream": Shot(
        "May I stop labelling?",
        "howto/how-many-labels",
        'draw("label-stream", stream)',
        labels_one_at_a_time,
    ),
    "accuracies": Shot(
        "How accurate is each judge?",
        "howto/judges",
        "ae.aggregate(votes).plot()",
        three_judges,
    ),
    "judge-card": Shot(
        "How good is each judge by people's labels, and what does it confuse?",
        "howto/validate-an-llm-judge",
        "ae.judge_card(table).plot()",
        a_card,
    ),
    "confusion": Shot(
        "What does each judge get wrong?",
        "howto/judges",
        'ae.aggregate(votes).plot("confusion")',
        lambda: draw("confusion", support_bot().votes),
    ),
    "agreement": Shot(
        "Who agrees with whom?",
        "chapters/checks/agreement",
        "ae.agreement(votes).plot()",
        lambda: draw("agreement", seven_judges()),
    ),
    "couplings": Shot(
        "Which judges share errors?",
        "howto/when-independence-fails",
        "pair_test(votes).plot()",
        lambda: draw("couplings", seven_judges()),
    ),
    "posterior": Shot(
        "How sure is each consensus label?",
        "howto/get-consensus-labels",
        'ae.aggregate(votes).plot("posterior")',
        lambda: draw("posterior", support_bot().votes),
    ),
    "disagreement": Shot(
        "Which items divide the judges?",
        "howto/get-consensus-labels",
        'draw("disagreement", votes)',
        lambda: draw("disagreement", support_bot().votes),
    ),
    "reliability": Shot(
        "Is what is called 80% sure right 80% of the time?",
        "chapters/checks/scoring",
        "ae.score(fit, votes).plot()",
        lambda: draw("reliability", support_bot().votes),
    ),
    "learning-curve": Shot(
        "What would more items bring?",
        "howto/choose-a-method",
        'draw("learning-curve", votes)',
        lambda: draw("learning-curve", support_bot().votes),
    ),
    "loadings": Shot(
        "What do the judges' scores follow?",
        "howto/my-judges-give-scores",
        "ae.confounders(scores).plot()",
        lambda: confounders().plot(),
    ),
    "attributes": Shot(
        "Does length go with it?",
        "chapters/scores/how-many-factors",
        'ae.confounders(scores).plot("attributes")',
        lambda: confounders().plot("attributes"),
    ),
    "shift": Shot(
        "Which items would move without it?",
        "howto/my-judges-give-scores",
        'ae.confounders(scores).plot("shift")',
        lambda: confounders().plot("shift"),
    ),
    "label-plan": Shot(
        "How many labels do I need?",
        "howto/how-many-labels",
        "ae.plan(rate=0.7, half_width=0.05).plot()",
        lambda: ae.plan(rate=0.7, half_width=0.05, rho2=0.24, items=2000).plot(),
    ),
    "plan": Shot(
        "One label per item, or a majority of three?",
        "howto/how-many-labels",
        "ae.plan(budget=1500, ...).plot()",
        a_plan,
    ),
    "threshold-curve": Shot(
        "How accurate can all judges be at once?",
        "howto/read-an-alarm",
        "ae.threshold(votes).plot()",
        partial(of_the_example, "threshold-curve"),
    ),
    "reach": Shot(
        "Above which level would logic refute, with more items or more judges?",
        "chapters/every-order",
        "ae.reach(5, 0.8).plot()",
        reaches,
    ),
    "panel-curve": Shot(
        "How many judges fall short of a level?",
        "howto/grade-your-judges",
        'ae.panel(votes, 0.7).plot("panel-curve")',
        partial(of_the_example, "panel-curve"),
    ),
    "conflicts": Shot(
        "Which judges exclude one another?",
        "howto/grade-your-judges",
        "ae.panel(votes, 0.6).plot()",
        partial(of_the_example, "conflicts", at_least=0.6),
    ),
    "bounds": Shot(
        "How good or bad can each judge be?",
        "howto/read-an-alarm",
        "ae.bounds(votes).plot()",
        lambda: two_experts("bounds"),
    ),
    "evaluations": Shot(
        "What can be true of one judge, given its answers?",
        "chapters/evaluations",
        'draw("evaluations", counts)',
        lambda: draw("evaluations", ae.Summary.from_counts({"judge": {"a": 4, "b": 6}})),
    ),
    "correctness": Shot(
        "What can two judges have right at one answer key?",
        "chapters/order-1-logic",
        'draw("correctness", counts)',
        lambda: two_experts("correctness"),
    ),
    "thresholds": Shot(
        "At how many answer keys can both be this good?",
        "chapters/order-1-logic",
        'draw("thresholds", counts)',
        lambda: two_experts("thresholds"),
    ),
    "label-thresholds": Shot(
        "And on one label alone?",
        "chapters/order-1-logic",
        'draw("label-thresholds", counts)',
        lambda: two_experts("label-thresholds"),
    ),
    "q-complex": Shot(
        "At which answer keys?",
        "chapters/order-1-logic",
        'draw("q-complex", counts)',
        lambda: two_experts("q-complex"),
    ),
    "rule-risks": Shot(
        "What does assuming independence cost?",
        "chapters/separation/herds",
        "curie_weiss_risks(...).plot()",
        figure_4,
    ),
}
"""By kind, those met first in front."""

_HEAD = """# Gallery of figures

Every kind of figure, the question it answers, the call that draws it, and the page that explains it. Click
one to see it larger. Results draw themselves with `plot()`; `algeval figure KIND` draws from votes, and
[](howto/figures.md) says how. All are drawn when these pages are built, of the shipped examples or
of votes made for the purpose.
"""


def gallery() -> str:
    """Return the page of the gallery as Markdown."""
    parts = [_HEAD]
    for heading in dict.fromkeys(TABLE[kind].heading for kind in GALLERY):
        shots = [_shot(kind) for kind in GALLERY if TABLE[kind].heading == heading]
        parts.append(f"## {heading}\n\n`````{{container}} gallery\n{''.join(shots)}`````\n")
    return "\n".join(parts)


def _shot(kind: str) -> str:
    shot, place = GALLERY[kind], f"figure-{kind}"
    svg = drawn(shot.draw()).strip()
    picture = f'```{{raw}} html\n<a href="#{place}" title="Larger">\n{svg}\n</a>\n```\n'
    words = f"**{shot.question}** `{shot.call}` [{kind}]({shot.page}.md)\n"
    return f"````{{container}} shot\n:name: {place}\n\n{picture}\n{words}````\n"


def write() -> None:
    """Write every picture to where the pages include it from, the gallery, and the page of the example."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in PICTURES:
        (FOLDER / f"{name}.svg").write_text(picture(name), encoding="utf-8")
    (FOLDER / "card.svg").write_text(card(write_page()), encoding="utf-8")
    (DOCS / "gallery.md").write_text(gallery(), encoding="utf-8")

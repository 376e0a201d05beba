"""Items keep their ids: shuffling, filtering or re-indexing votes or labels changes nothing but order."""

import json
from contextlib import contextmanager

import numpy as np
import polars as pl
import pytest

import algeval as ae
from algeval.errors import DataError

pd = pytest.importorskip("pandas")

N = 60
IDS = [f"out_{k:03d}" for k in range(N)]


def _panel():
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 2, N)
    words = np.array(["fail", "pass"], object)
    right = {"g": 0.92, "c": 0.85, "m": 0.8}
    judges = {j: words[np.where(rng.random(N) < a, truth, 1 - truth)] for j, a in right.items()}
    human = words[truth]
    human[rng.random(N) < 0.4] = None
    other = {j: words[np.where(rng.random(N) < 0.7, truth, 1 - truth)] for j in right}
    return judges, human, other


JUDGES, HUMAN, OTHER = _panel()
LABELS = {item: label for item, label in zip(IDS, HUMAN, strict=True) if label is not None}


# Every kind of votes with ids, in a given order of rows. The index of the last three is the id or numbers.
def _with_column(columns, name="output_id"):
    return lambda rows: pd.DataFrame({name: IDS, **columns}).iloc[rows].reset_index(drop=True)


def _kinds(columns):
    held = pd.DataFrame(columns, index=IDS)
    return {
        "pandas column": _with_column(columns),
        "pandas shuffled column": lambda rows: pd.DataFrame({"case_id": IDS, **columns}).iloc[rows],
        "pandas index": lambda rows: held.iloc[rows],
        "pandas named index": lambda rows: held.rename_axis("ref").iloc[rows],
        "polars": lambda rows: pl.from_pandas(_with_column(columns)(rows)),
        "arrow": lambda rows: pl.from_pandas(_with_column(columns, "url")(rows)).to_arrow(),
        "records": lambda rows: _with_column(columns, "filename")(rows).to_dict("records"),
        "columns": lambda rows: _with_column(columns, "trace_id")(rows).to_dict("list"),
        "votes": lambda rows: ae.read_votes(_with_column(columns)(rows)),
        "long": lambda rows: _with_column(columns)(rows).melt(
            "output_id", None, "judge", "verdict"
        ),
    }


KINDS = _kinds(JUDGES)


def _labels(kind, places):
    pairs = [(IDS[k], HUMAN[k]) for k in places if HUMAN[k] is not None]
    items, truths = [list(part) for part in zip(*pairs, strict=True)]
    frame = {
        "frame": {"output_id": items, "human": truths},
        "item truth": {"item": items, "truth": truths},
    }
    if kind == "mapping":
        return dict(pairs)
    if kind == "series":
        return pd.Series(truths, index=items)
    if kind == "indexed frame":
        return pd.DataFrame({"human": truths}, index=items)
    if kind == "polars":
        return pl.DataFrame(frame["item truth"])
    if kind == "records":
        return [dict(zip(("item", "label"), pair, strict=True)) for pair in pairs]
    return pd.DataFrame(frame[kind])


LABEL_KINDS = ("mapping", "series", "frame", "item truth", "indexed frame", "polars", "records")


def _rate(votes, gold):
    found = ae.rate(votes, "pass", gold, time_limit=0.01)
    return round(found.low, 12), round(found.high, 12), found.n_gold


def _read(votes, gold):
    if isinstance(votes, ae.Votes):
        truth = {i: votes.items.index(i) for i in votes.items}
        return sorted(truth)
    found = ae.read_votes(votes, key=gold)
    return sorted(
        (item, *found.codes[row].tolist(), int(found.key[row]))
        for row, item in enumerate(found.items)
    )


def _scored(votes, gold):
    found = ae.score(ae.aggregate(votes, "dawid-skene"), gold)
    return found.n_scored, found.n_correct, round(found.log_loss, 6)


def _systems(votes, gold):
    other = pd.DataFrame({"item": IDS, **OTHER})
    found = ae.compare_systems(
        votes, other, label="pass", gold_a=gold, gold_b=LABELS, time_limit=0.01
    )
    return round(found.low, 9), round(found.high, 9)


def _next(votes, gold):
    found = ae.next_items(votes, 1000, gold, goal="labels", label="pass")
    return sorted(found.items), sorted(found.before)


def _planned(votes, gold):
    return ae.plan(half_width=0.05, pilot=votes, gold=gold, label="pass").to_dict()


def _report(votes, gold):
    found = ae.report(votes, label="pass", gold=gold, time_limit=0.5, intervals=0)
    rate = next(r for s in found.sections for n, r in s.results.items() if n == "rate")
    return round(rate.low, 9), round(rate.high, 9), rate.n_gold


FUNCTIONS = {
    "rate": _rate,
    "read_votes": _read,
    "score": _scored,
    "compare_systems": _systems,
    "next_items": _next,
    "plan": _planned,
}

STRAIGHT = np.arange(N)
SHUFFLED = np.random.default_rng(8).permutation(N)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("kind", KINDS)
def test_shuffled_votes_say_the_same(function, kind):
    call, gold = FUNCTIONS[function], _labels("mapping", STRAIGHT)
    assert call(KINDS[kind](SHUFFLED), gold) == call(KINDS[kind](STRAIGHT), gold)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("kind", LABEL_KINDS)
def test_shuffled_labels_of_every_kind_say_the_same(function, kind):
    call, votes = FUNCTIONS[function], KINDS["pandas column"](STRAIGHT)
    expected = call(votes, _labels("mapping", STRAIGHT))
    assert call(votes, _labels(kind, STRAIGHT)) == expected
    assert call(votes, _labels(kind, SHUFFLED)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pandas shuffled column", "polars"])
def test_a_report_says_the_same_of_shuffled_votes(kind):
    gold = _labels("series", SHUFFLED)
    assert _report(KINDS[kind](SHUFFLED), gold) == _report(KINDS[kind](STRAIGHT), gold)


@pytest.mark.parametrize("kind", KINDS)
def test_fewer_votes_take_their_own_labels(kind):
    rows = SHUFFLED[:40]
    own = {IDS[k]: HUMAN[k] for k in rows if HUMAN[k] is not None}
    all_labels = ae.rate(KINDS[kind](rows), "pass", LABELS, time_limit=0.01)
    assert (all_labels.low, all_labels.n_gold) == (_rate(KINDS[kind](rows), own)[0], len(own)) or (
        round(all_labels.low, 12) == _rate(KINDS[kind](rows), own)[0]
    )
    assert any("no judge voted on them" in one for one in all_labels.warnings)


@pytest.mark.parametrize("shuffle", [STRAIGHT, SHUFFLED], ids=["straight", "shuffled"])
@pytest.mark.parametrize("ids", ["none", "column", "index"])
@pytest.mark.parametrize("given", ["series", "shuffled", "known", "frame", "named anew"])
def test_a_series_of_the_frame_meets_its_own_rows(shuffle, ids, given):
    frame = pd.DataFrame({**JUDGES, "human": HUMAN})
    if ids == "column":
        frame["output_id"] = IDS
    if ids == "index":
        frame.index = IDS
    human = frame.human
    gold = {
        "series": human,
        "shuffled": human.sample(frac=1, random_state=3),
        "known": human.dropna(),
        "frame": human.dropna().to_frame(),
        "named anew": human.rename("human").where(human.notna(), None),
    }[given]
    expected = _rate(pd.DataFrame({"item": IDS, **JUDGES}), LABELS)
    found = ae.rate(frame.iloc[shuffle], "pass", gold, time_limit=0.01)
    assert (round(found.low, 12), round(found.high, 12), found.n_gold) == expected
    assert found.judges == ("g", "c", "m")  # the labels themselves are no judge


@pytest.mark.parametrize("whole", [False, True])
def test_without_ids_on_both_sides_rows_are_joined_by_position_and_the_result_says_so(whole):
    frame = pd.DataFrame(JUDGES)
    gold = pd.Series(HUMAN) if whole else HUMAN.tolist()
    found = ae.rate(frame, "pass", gold, time_limit=0.01)
    assert found.n_gold == len(LABELS)
    assert any("joined by position" in warning for warning in found.warnings)
    with pytest.raises(DataError, match="must name its items"):
        ae.rate(frame, "pass", gold[:-1], time_limit=0.01)


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"long"}))
@pytest.mark.parametrize("make", [list, np.array, pd.Series, pl.Series])
def test_labels_without_ids_never_meet_votes_with_ids(kind, make):
    with pytest.raises(DataError, match="must name its items"):
        ae.rate(KINDS[kind](STRAIGHT), "pass", make(HUMAN.tolist()), time_limit=0.01)


def test_labels_whose_index_was_reset_are_not_those_of_the_rows():
    frame = pd.DataFrame({**JUDGES, "human": HUMAN})
    lost = frame.human.sample(frac=1, random_state=1).reset_index(drop=True)
    for votes in (frame, frame.assign(output_id=IDS), frame.sample(frac=1, random_state=2)):
        with pytest.raises(DataError):
            ae.rate(votes, "pass", lost, time_limit=0.01)


def test_numbers_meet_their_texts():
    votes = pd.DataFrame({"id": range(1, N + 1), **JUDGES})
    numbered = {k + 1: label for k, label in enumerate(HUMAN) if label is not None}
    texts = {str(k): label for k, label in numbered.items()}
    assert _rate(votes, numbered) == _rate(votes, texts) == _rate(votes, pd.Series(numbered))


def test_the_index_of_a_frame_whose_rows_were_only_numbered_may_not_be_taken_for_row_numbers():
    votes = ae.read_votes(pd.DataFrame(JUDGES))
    by_index = {k: label for k, label in enumerate(HUMAN) if label is not None and k < N - 1}
    by_index.pop(0, None)
    with pytest.raises(DataError, match="must name its items clearly"):
        ae.rate(votes, "pass", by_index, time_limit=0.01)
    assert _rate(votes, pd.Series(HUMAN).dropna())[2] == len(LABELS)


@pytest.mark.parametrize(
    "make", [pd.DataFrame, pl.DataFrame, lambda table: pl.DataFrame(table).to_arrow()]
)
def test_ids_of_bytes_are_their_texts_in_every_library(make):
    """One library's b'x1' met another's x1 nowhere."""
    ids = [f"x{k}é".encode() for k in range(N)]
    votes = make({"item": ids, **{j: list(v) for j, v in JUDGES.items()}})
    labels = {f"x{k}é": HUMAN[k] for k in range(N) if HUMAN[k] is not None}
    for given in (labels, {item.encode(): label for item, label in labels.items()}):
        read = ae.read_votes(votes, key=given)
        assert read.items[1] == "x1é"
        assert (read.key >= 0).sum() == len(LABELS)


def _key(votes, labels):
    """The true label of each item that has one."""
    read = ae.read_votes(votes, key=labels)
    pairs = zip(read.items, read.key.tolist(), strict=True)
    return {int(item): read.labels[code] for item, code in pairs if code >= 0}


@contextmanager
def suppress_refusal(words):
    """Let a refusal pass that holds these words."""
    try:
        yield
    except DataError as error:
        if words not in str(error):
            raise


@pytest.mark.parametrize("first", [1, 0, -20])
@pytest.mark.parametrize("framed", [False, True])
def test_an_index_that_fits_rows_and_ids_pairs_no_label_with_another_item(first, framed):
    """Ids 1..n beside an index 0..n-1: a Series of ids was taken for rows, each label one item off."""
    numbers = np.arange(first, first + N)
    frame = pd.DataFrame({"item": numbers, **JUDGES})
    truth = dict(zip(numbers.tolist(), HUMAN, strict=True))
    for places in (range(3, N, 2), range(N - 1), SHUFFLED[: N // 2]):
        items = [i for i in numbers[list(places)].tolist() if truth[i] is not None]
        labels = pd.Series([truth[i] for i in items], index=items)
        shown = {i: truth[i] for i in items}
        assert _key(frame, shown) == shown
        with suppress_refusal("which rows they are for"):
            assert _key(frame, labels.to_frame("truth") if framed else labels) == shown
    own = frame.assign(human=HUMAN)
    assert _key(own, own.human.dropna()) == {i: truth[i] for i in truth if truth[i] is not None}


def test_the_consensus_of_shuffled_rows_is_that_of_the_same_items():
    """A frame with an index of numbers, shuffled or filtered: its labels came back as row numbers once."""
    frame = pd.DataFrame(JUDGES, index=range(1, N + 1))
    before = ae.aggregate(frame).to_frame().set_index("item").decision
    after = ae.aggregate(frame.sample(frac=1, random_state=4)).to_frame().set_index("item").decision
    assert after.loc[before.index].tolist() == before.tolist()
    assert set(before.index) == set(map(str, frame.index))
    part = ae.aggregate(frame[frame.g == "pass"]).to_frame()
    assert part.item.tolist() == [str(k) for k in frame.index[frame.g == "pass"]]


ID_NAMES = [
    *(
        "output_id",
        "response_id",
        "case_id",
        "query_id",
        "run_id",
        "filename",
        "url",
        "ticket",
        "caseId",
    ),
    *(
        "outputUUID",
        "record-key",
        "task_hash",
        "file_path",
        "id",
        "item",
        "question_id",
        "document_id",
    ),
    *("ref", "unnamed"),
]


@pytest.mark.parametrize("name", ID_NAMES)
@pytest.mark.parametrize("cells", [IDS, list(range(7000, 7000 + N))], ids=["texts", "numbers"])
def test_a_column_of_ids_names_the_items(name, cells):
    columns = {
        "prompt": [f"What comes after {k} in the list?" for k in range(N)],
        **JUDGES,
        name: cells,
    }
    for source in (columns, pd.DataFrame(columns), pl.DataFrame(columns)):
        votes = ae.read_votes(source)
        assert votes.items == tuple(map(str, cells))
        assert votes.judges == ("g", "c", "m")


def test_the_choice_between_ids_is_by_name_and_told():
    columns = {"trace_id": [f"t{k}" for k in range(N)], **JUDGES, "output_id": IDS}
    for names in (list(columns), list(columns)[::-1]):
        votes = ae.read_votes({name: columns[name] for name in names})
        assert votes.items == tuple(IDS)
        assert any("'trace_id' differs on every row too" in note for note in votes.cautions)
    assert any("trace_id" in warning for warning in ae.aggregate(columns, "majority").warnings)


def test_ids_that_repeat_are_refused_with_what_to_do():
    columns = {"output_id": [f"o{k // 2}" for k in range(N)], **JUDGES}
    with pytest.raises(DataError, match=r"one row per item; got item 'o0' again.*item="):
        ae.read_votes(columns)
    assert ae.read_votes(pd.DataFrame(columns, index=IDS)).items == tuple(IDS)


def test_text_is_no_id_and_row_numbers_are_told():
    columns = {"prompt": [f"What comes after {k} in the list?" for k in range(N)], **JUDGES}
    votes = ae.read_votes(columns)
    assert votes.items[:2] == ("1", "2")
    assert any("row numbers are the ids" in note for note in votes.cautions)


TEXTS = ("Here you are, as you asked.", "I am sorry, I cannot do that.", "It is in the second row.")


def _wide_with_texts(**more):
    rows = range(12)
    return {
        "id": list(rows),
        "prompt": [f"Tell me about thing number {k}" for k in rows],
        "response": [f"{TEXTS[k % 3]} ({k})" for k in rows],
        "gpt_verdict": ["y", "n", "y", "y"] * 3,
        "claude_verdict": ["y", "y", "n", "y"] * 3,
        "latency_ms": [100 + 7 * k for k in rows],
        **more,
    }


@pytest.mark.parametrize("model", ["model", "annotator", "system", "worker"])
@pytest.mark.parametrize("text", ["response", "answer", "output", "annotation"])
def test_text_beside_verdicts_is_never_the_vote(model, text):
    table = _wide_with_texts(**{model: ["gpt-5"] * 12})
    table[text] = table.pop("response")
    if model == "system":
        table.pop(model)
    votes = ae.read_votes(table)
    assert votes.judges == ("gpt_verdict", "claude_verdict")
    assert votes.labels == ("n", "y")


def test_a_table_of_texts_alone_holds_no_votes():
    table = {k: v for k, v in _wide_with_texts(model=["gpt-5"] * 12).items() if "verdict" not in k}
    table.pop("latency_ms")
    with pytest.raises(DataError, match="reads as text"):
        ae.read_votes(table)
    with pytest.raises(DataError, match="text of its own to every item"):
        ae.read_votes({"name": ["Anna", "Bob", "Carl", "Dora"]})
    assert ae.read_votes({"name": ["Anna", "Bob", "Carl"]}, judges=["name"]).judges == ("name",)


@pytest.mark.parametrize("rows", [[(1, True), ("0", "1"), (False, 0), (1, "1")]])
def test_true_and_one_are_one_label_and_it_is_told(rows, tmp_path):
    path = tmp_path / "v.jsonl"
    made = [{"item": k, "a": a, "b": b} for k, (a, b) in enumerate(rows)]
    path.write_text("\n".join(map(json.dumps, made)))
    for source in (path, made, pd.DataFrame(made)):
        votes = ae.read_votes(source)
        assert votes.labels == ("0", "1")
        assert any("one label each" in note for note in votes.cautions)
    assert len(ae.read_votes(path, labels=["0", "1", "True", "False"]).labels) == 4


@pytest.mark.parametrize(
    "last", [("Total", "2", "1"), ("all rows", "2", "1"), ("Average", "y", "n")]
)
def test_a_row_of_totals_is_told(last):
    rows = [("q1", "y", "n"), ("q2", "y", "y"), ("q3", "n", "n"), last]
    votes = ae.read_votes([dict(zip(("item", "g", "c"), row, strict=True)) for row in rows])
    assert any("totals" in note for note in votes.cautions)


@pytest.mark.parametrize("mark", ["  ", " ", "   ", ";", "|"])
def test_a_table_that_was_not_cut_into_cells_is_refused(mark, tmp_path):
    lines = [
        mark.join(row) for row in (("item", "gpt", "claude"), ("1", "y", "n"), ("2", "n", "n"))
    ]
    with pytest.raises(DataError, match="cells of their own"):
        ae.read_votes(pd.DataFrame({lines[0]: lines[1:]}))
    if not mark.strip():
        path = tmp_path / "v.txt"
        path.write_text("\n".join(lines) + "\n")
        with pytest.raises(DataError, match="cells of their own"):
            ae.read_votes(path)


@pytest.mark.parametrize("empty", ["", " ", "\t"])
def test_no_path_is_not_the_folder_of_work(empty):
    for call in (ae.aggregate, ae.read_votes, ae.report, ae.alarm):
        with pytest.raises(DataError, match="must name a file"):
            call(*((empty, "2/3") if call is ae.alarm else (empty,)))

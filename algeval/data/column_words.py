"""Words of columns' names: the lists of the contract, and what a name says by them.

The page docs/reference/contract.md is made from the lists. A word is in one where two public sources have it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from algeval.data.facts import Facts
from algeval.data.names import word_set

JUDGE = word_set(
    "judge llm grader evaluator autorater autograder classifier predicted prediction pred "
    "predictor guard machine automated auto ai verifier critic jury model"
)
"""Words of a judge."""
PERSON = word_set(
    "human gold golden expert annotator reviewer rater labeler labeller worker coder truth true "
    "groundtruth gt adjudicated adjudicator sme manual clinician physician surgeon doctor"
)
"""Words of people."""
FAMILY = word_set(
    "gpt chatgpt claude sonnet haiku opus gemini gemma llama mistral mixtral qwen qwq deepseek "
    "grok cohere command phi nova falcon olmo kimi glm vicuna prometheus o1 o3 o4"
)
"""Families of models: alone, with figures behind (gpt4o), with a version or a kind."""
VERSION = word_set(
    "mini turbo plus pro flash lite instruct chat preview latest large medium small nano max high "
    "low it thinking reasoner coder scout maverick guard"
)
"""Words of a model's version, beside figures and single letters."""
KIND = word_set(
    "label labels score scores verdict pass passed grade rating decision judgment judgement vote "
    "winner preference pref choice annotation class tag flagged pick prob p"
)
"""Kinds of an answer: with who gave it, a vote; alone, asked about."""
CRITERION = word_set(
    "correct correctness accuracy quality groundedness faithfulness helpfulness relevance "
    "relevancy coherence fluency completeness consistency safety toxicity hallucination "
    "factuality harmfulness tone style conciseness clarity overall check review strict lenient "
    "answer value result outcome assessment final"
)
"""What is asked: with a judge or a person, a vote."""
WHO = word_set(
    "judge rater annotator reviewer worker labeler labeller grader evaluator coder expert user "
    "performer"
)
"""Called so, or so with id, name or model: who answered, where its cells are no votes."""
ITEM = word_set(
    "item id qid uid uuid guid example sample case ticket record document doc url filename file "
    "path key task index row instance subject session trace output response completion pair "
    "question query"
)
"""Called so, or with id, number or # behind, and without repeats: the id of what is judged."""
PROMPT = word_set(
    "qid prompt question query input message problem task session scenario conversation thread "
    "dialog item case instance example sample document doc"
)
"""Called so, or with id behind, and shared by rows: what is asked."""
SHARED = word_set("prompt session scenario conversation thread dialog")
"""Of these, those whose rows are outputs of their own wherever they repeat."""
SYSTEM = word_set(
    "system system_id system_name model model_id model_name model_name_or_path model_version "
    "prompt_version metadata_model variant arm app version agent candidate exam_taker "
    "response_model checkpoint policy"
)
"""Whole names of whose output is judged."""
TRIAL = word_set("trial run seed epoch repeat replicate repetition iteration rep attempt")
"""Whole names of a repetition."""
SHOWN = word_set("swapped order position presentation_order flipped reversed swap shown_first")
"""Whole names of the order in which two outputs were shown."""
REASON = word_set(
    "reason reasons reasoning rationale explanation justification comment comments note notes "
    "critique thoughts quote evidence remarks"
)
"""Last words of what was written beside a vote."""
MEASURE = word_set(
    "confidence certainty token tokens latency ms sec seconds duration time cost usd price length "
    "len chars words count size temperature attempts retries turn difficulty age days tenure "
    "entropy logprob runtime strikes"
)
"""Last words of a measure; confidence and certainty anywhere in a name."""
GROUP = word_set(
    "topic category domain language lang locale tier priority region market segment channel "
    "product team type split fold subset dataset source group condition cohort subject specialty "
    "risk level status policy area dimension signal kind mode complexity"
)
"""Last words of a group."""
FLAG = word_set("is has was contains uses")
"""First words of a flag, unless a kind or a criterion follows."""
TEXT = word_set(
    "text prompt question query input instruction context response answer output completion reply "
    "summary title headline claim reference expected target description transcript"
)
"""Last words of texts: what is asked, or what was answered."""
WINNER = word_set("winner preference preferred pref choice chosen better")
"""Words of which of two is better, beside the two."""
LISTS = {
    "a judge": ("Words of a judge; `model` with a kind", JUDGE),
    "a person": ("Words of people", PERSON),
    "a model": (
        "Families of models: alone, with figures behind (`gpt4o`), a version or a kind",
        FAMILY,
    ),
    "a version": ("What stands beside a family, with figures and single letters", VERSION),
    "a kind of answer": ("With who gave it, a vote; alone, asked about", KIND),
    "a criterion": ("With a judge or a person, a vote; with a model, asked about", CRITERION),
    "who answered": ("Alone, or with `id`, `name` or `model`, where the cells are no votes", WHO),
    "an id": ("Alone, or any name with `id`, `uuid`, `no`, `number` or `#` behind", ITEM),
    "what is asked": ("Alone or with `id` behind, where rows share it", PROMPT),
    "what rows share": (
        "Of these, whose rows are outputs of their own wherever they repeat",
        SHARED,
    ),
    "whose output": ("Whole names", SYSTEM),
    "a repetition": ("Whole names", TRIAL),
    "the order shown": ("Whole names, of two values", SHOWN),
    "a reason": ("Last words of what is written beside a vote, never one", REASON),
    "a measure": ("Last words of a number beside a vote, never one", MEASURE),
    "a group": ("Last words of a group of items, never asked about", GROUP),
    "a flag": ("First words, unless a kind or a criterion follows; never asked about", FLAG),
    "a text": ("Last words of what was asked or answered", TEXT),
    "the better of two": ("Beside the two systems of a pair", WINNER),
}
"""The lists, by name, for the page: where a word counts, and the words."""

COUNT = word_set("count counts freq frequency frequencies items cases obs #")
"""Words of a column of counts; the rules of tables of counts are those of `io.summaries`."""
WEAK_COUNT = word_set("n num number 0 weight size")
"""Words of a column that may be one of counts, or not."""
PERCENT = word_set("percent pct percentage share")
CELLS = ("tp", "fn", "fp", "tn")
"""Columns of a table of confusion: of each true label the right answers and the wrong."""
TOTAL = word_set("total all sum summe gesamt")
TOTAL_ROWS = word_set("total totals subtotal sum overall average mean") | {"grand total"}
"""Ids, folded, of a row that sums up the others."""
COUNTED_ITEM = word_set(
    "item question subject case example sample doc document prompt task row trace passage id"
)
"""Words of what a table of counts counts, and of ids beside which numbers are votes."""

_ASIDE = word_set("id ids name names email version uid uuid at by")
_CERTAINTY = word_set("confidence certainty")
_OR_A_SYSTEM = word_set("llm ai model machine prediction predicted pred auto automated")
_RIGHT = word_set("correct correctness accuracy")
_NUMBER = re.compile(r"\d+[a-z]?|\d+x?\d*b|[a-z]|i{2,3}|iv")
SIDES = re.compile(
    r"(model|system|assistant|generator|bot|player|candidate|variant)_?(a|b|1|2|left|right)(?:_(?:id|name))?"
)
"""Names of the two systems of a pair."""
OTHER_SIDE = {"a": "b", "1": "2", "left": "right"}

TOOLS: tuple[tuple[str, frozenset[str], tuple[tuple[str, str], ...]], ...] = (
    (
        "LangSmith",
        frozenset({r"inputs?\..+", r"feedback\.\w+", "(reference_)?example_id"}),
        (
            (r"feedback\.\w+", "judge"),
            ("example_id|reference_example_id", "item"),
            (r"(inputs?|outputs?|reference(_outputs)?)\..+", "text"),
            (r"error|id|metadata\..+", "ignored"),
        ),
    ),
    (
        "Braintrust",
        frozenset({"input", r"scores\..+"}),
        ((r"scores\..+", "judge"), ("output|expected|error", "text")),
    ),
    (
        "ragas",
        frozenset({"user_input", "response", "faithfulness|answer_relevancy|context_(precision|recall)"}),
        (
            ("faithfulness|answer_relevancy|context_(precision|recall)|answer_correctness", "judge"),
            ("response|reference|retrieved_contexts|reference_contexts", "text"),
        ),
    ),
    (
        "Inspect",
        frozenset({"sample_id", r"score_.+"}),
        ((r"score_.+", "judge"), ("target|input", "text")),
    ),
    (
        "MLflow",
        frozenset({r".+/v\d+/score"}),
        ((r".+/v\d+/score", "judge"), (r".+/justification", "reason")),
    ),
)  # fmt: skip
"""Tools whose tables have these columns: patterns of those they are known by, and of roles."""


ROWS_OF_TOOLS = (
    (
        "Phoenix",
        ("span_id", "annotator_kind", "identifier", "label"),
        "span_id",
        "identifier",
        "label",
    ),
    ("crowd-kit", ("task", "worker", "label"), "task", "worker", "label"),
)
"""Tools' tables with a row per answer: the columns they are known by, the item, who answered and what."""


def bare(word: str) -> str:
    """A word without figures behind it and without a plural: annotators, annotator_1."""
    own = word.rstrip("0123456789") or word
    return own[:-1] if own.endswith("s") and own[:-1] in JUDGE | PERSON | WHO else own


def is_family(word: str) -> bool:
    """Whether a word is a family of models, alone or with figures behind: gpt, gpt4o."""
    stem = re.match(r"[a-z]+", word)
    return word in FAMILY or (
        stem is not None and stem.group() in FAMILY and word[stem.end()].isdigit()
    )


def _all_in(words: Iterable[str], *lists: frozenset[str]) -> bool:
    """Whether each word is in a list, a figure or a letter."""
    return all(
        _NUMBER.fullmatch(word) or any(word in own or bare(word) in own for own in lists)
        for word in words
    )


def who_says(column: Facts) -> str:
    """Who gave a vote by its column's name: "judge", "model" or "person"; "either", "" of no vote."""
    words = column.words
    if not words or column.last in REASON | MEASURE | _ASIDE or _CERTAINTY & {*words}:
        return ""
    own = [bare(word) for word in words]
    families = [w for w in words if is_family(w)]
    judges = [w for w in own if w in JUDGE and not (w == "model" and len(own) == 1)]
    people = [w for w in own if w in PERSON]
    rest = [w for w in words if w not in families and bare(w) not in judges]
    if people:
        return "either" if judges or families else "person"
    if families and not judges:
        alone = "command" not in words or len(words) > 1
        return ("model" if _all_in(rest, KIND, VERSION, TRIAL) else "either") if alone else ""
    if not judges:
        return ""
    may_be_judged = _OR_A_SYSTEM.issuperset(judges)
    strange = may_be_judged and (
        _RIGHT & {*words} or (judges == ["model"] and not _all_in(rest, KIND, TRIAL))
    )
    return "either" if strange else "judge"


def is_exact(column: Facts) -> bool:
    """Whether a name holds nothing but who gave a vote, of what kind, by which criterion."""
    families = [word for word in column.words if is_family(word)]
    rest = [word for word in column.words if word not in families]
    return _all_in(rest, JUDGE, PERSON, KIND, CRITERION, VERSION, TRIAL)


def is_kind(column: Facts) -> bool:
    """Whether a name says of which kind an answer is, and not whose: label, final_verdict."""
    return bool(KIND & {*column.words}) and says_what(column.words)


def says_what(words: Sequence[str]) -> bool:
    """Whether words say a kind of answer or a criterion and no more."""
    named = any(word in KIND or bare(word) in KIND | CRITERION for word in words)
    return named and _all_in(words, KIND, CRITERION)


def is_called_who(column: Facts) -> bool:
    """Whether a column is called like who answered: annotator, worker_id, judge_model."""
    words = [bare(word) for word in column.words]
    return 0 < len(words) <= 2 and words[0] in WHO and {*words[1:]} <= {"id", "name", "model"}


def is_called_id(column: Facts) -> bool:
    """Whether a column is called like an id."""
    ends = column.last in ("id", "qid", "uid", "uuid", "guid") or column.name.strip().endswith("#")
    alone = len(column.words) == 1 and column.words[0] in ITEM
    return ends or alone or column.low.endswith(("_no", "_number", "_idx"))


def is_shared(column: Facts) -> bool:
    """Whether a column is called like what several rows share: prompt, session_id."""
    words = [w for w in column.words if w not in ("id", "text", "inputs", "input", "user")]
    words = words or [w for w in column.words if w == "input"]
    return (bool(words) and words[-1] in PROMPT) or column.low in ("id", "input_text")

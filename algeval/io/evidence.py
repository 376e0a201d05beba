"""What a column of a results table shows: the words of its name, and what its cells hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from algeval.data.names import folded
from algeval.errors import DataError
from algeval.io.answers import MISSING as BLANK
from algeval.io.answers import Positions, as_number, has_failed, tidy
from algeval.io.layout import words_of
from algeval.io.tables import Table

# --- The words of names. A column may be called so in any case, joined by _ - . / or in camelCase.


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


HUMAN = _words(
    "human humans gold golden expert experts sme reviewer annotator annotators truth groundtruth "
    "adjudicated adjudication adjudicator manual manually gt clinician physician radiologist doctor dr "
    "prof professor editor editors maintainer supervisor supervisora lead manager teacher "
    "teamleitung leitung mqm hand revisión revisor revisora mensch menschlich experte gutachter humano "
    "humana experto anotador humain annotateur"
)
HUMAN_NAMES = frozenset(
    {
        "key",
        "gold label",
        "true label",
        "ground truth",
        "answer key",
        "y true",
        "target",
        "expected",
    }
    | {"reference", "truth label", "crowd label", "crowd majority"}
)
ADJUDICATED = _words(
    "gold golden truth groundtruth adjudicated adjudication adjudicator expert sme gt"
)
PEOPLE = _words(
    "annotator rater worker expert reviewer coder labeler labeller mod moderator reader grader marker "
    "turker agent qa evaluator juror reviewer assessor crowdworker examiner corrector"
)
"""Called so with a number behind: people beside named judges."""

FIRST_NAMES = _words(
    "alice bob carol dave eve maria anna john jane james mary wei li ming yuki hiro ahmed fatima omar "
    "sara sarah emma olivia noah liam lucas mia sofia julia david daniel michael thomas peter paul "
    "mark laura lisa kate katie emily hannah tom tim sam alex chris priya raj anita ravi chen jun ken "
    "nina ines luis carlos jose ana pedro marta jonas lena felix max moritz lukas tobias"
)
WEAK_HUMAN = _words("correct label labels annotation reviewed approved accepted iscorrect")
WEAK = _words(
    "verdict outcome final result decision rating score grade judgment judgement answer qa check review "
    "status assessment evaluation marking"
)
MODELS = _words(
    "gpt chatgpt o1 o3 o4 claude sonnet haiku opus gemini gemma palm llama mistral mixtral qwen qwq "
    "deepseek phi grok cohere command nova falcon olmo tulu granite nemotron kimi glm internlm "
    "skywork armorm prometheus shieldgemma llamaguard perspective wildguard yi vicuna judgelm pairrm "
    "bard alpaca wizardlm zephyr openchat davinci omni jamba codestral ministral pixtral flan t5 "
    "roberta deberta detoxify"
)
METRICS = _words(
    "bleu comet rouge bertscore chrf meteor levenshtein f1 rougel ter bleurt xcomet metricx similarity "
    "cosine distance perplexity entailment bm tfidf gemba cider spice ndcg mrr bartscore"
)
JUDGE = _words(
    "judge grader evaluator llm autorater classifier clf verifier scorer critic reward guard moderator "
    "winner vote eval detector checker autograder autoeval ai ki ia"
)
ID = _words(
    "id ids uuid guid uid url filename file path hash idx index row ticket case doc document sample "
    "record key nr no accession hit"
)
PROMPT = _words(
    "prompt question query problem task session conversation thread user scenario cluster patient "
    "dialog dialogue pair topicid request source essay segment study"
)
ASKED = _words(
    "prompt question query input instruction instructions context contexts message vignette problem "
    "frage pregunta consulta anfrage eingabe"
)
SAID = _words(
    "response answer output completion reply generation generated summary transcript translation "
    "predicted prediction hypothesis antwort respuesta ausgabe text solution patch diff candidate"
)
SHOWN = (
    ASKED
    | SAID
    | _words("comment reference expected text snippet content body title source passage")
)
REASON = _words(
    "reason reasoning explanation rationale justification feedback comments comment critique cot "
    "thoughts why analysis notes note begruendung begründung grund motivo kommentar comentario "
    "justificación remarks"
)
COVARIATE = _words(
    "tokens token latency ms sec secs seconds duration elapsed runtime time-taken cost usd eur price "
    "length len chars characters words wordcount n num count counts temperature temp top_p topp "
    "difficulty tests total totals turn turns steps step retries attempts depth size age speed memory "
    "bytes rank "
    "perplexity strikes years days hours minutes retrieved lines added removed loc dauer laenge kosten"
)
SYSTEM = _words(
    "system sys app model variant arm agent config experiment checkpoint policy bot engine release "
    "version ab candidate deployment pipeline provider systemname taker"
)
TRIAL = _words(
    "trial epoch run repeat replicate rep seed iteration attempt replica resample pass-no repetition "
    "wiederholung"
)
SWAP = _words("swapped switched order position flipped reversed shown swap orientation")
SLICE = _words(
    "topic domain category language locale lang tier priority region source subject segment channel "
    "product team type split env environment dataset intent platform plan status aspect specialty area "
    "country market queue department level group cohort device severity kategorie sprache categoria "
    "idioma finish modality genre subset section course class tag tags bucket"
)
FLAG = _words("is has was contains uses had needs did")
FLAGGED = _words("cached truncated streamed retried escalated")
CRITERIA = _words(
    "accuracy tone completeness helpfulness helpful faithfulness faithful relevance relevancy precision "
    "recall coherence fluency grounded groundedness correctness safety clarity style conciseness concise "
    "harmless harmlessness honesty factuality toxicity quality overall adequacy engagement depth "
    "originality grammar empathy politeness professionalism readability usefulness consistency "
    "creativity organization structure factual informativeness naturalness format formatting "
    "instruction-following adherence resolution greeting compliance greeting"
)
"""Questions that a rubric asks."""

GRADED = _words(
    "score scores rating grade probability prob confidence conf certainty reward konfidenz puntaje "
    "puntuación punkte logit logprob"
)
"""Called so, numbers are a judge's."""

BAD = _words(
    "hallucin toxic unsafe violat error harm bias leak refus jailbreak spam flag fail inject "
    "offens hate abus pii risk sever urgen defect incorrect wrong fraud threat insult obscen nsfw "
    "misinf"
)
"""Parts of words by which a yes is bad news."""

TIME = _words("timestamp date datetime created updated tstamp at datum fecha zeit hora when")
MISSING = (
    "-",
    "--",
    "?",
    "n/a",
    "na",
    "nan",
    "none",
    "null",
    "missing",
    "unlabeled",
    "unlabelled",
    "nat",
)
"""Cells that mean no verdict, beside those that are missing in any table."""

GOOD_LABELS = _words(
    "pass passed correct true yes y 1 good safe acceptable accept accepted approved approve ok "
    "okay success successful c supported grounded relevant helpful compliant right valid resolved "
    "faithful appropriate satisfactory allow allowed clean benign ja si sí oui richtig korrekt "
    "bestanden correcto vrai gut met positive-pass factual consistent complete"
)
BAD_LABELS = _words(
    "fail failed incorrect false no n 0 bad unsafe unacceptable reject rejected i unsupported "
    "ungrounded irrelevant low wrong invalid partial p neutral mixed unhelpful noncompliant "
    "unresolved unfaithful inappropriate unsatisfactory block blocked remove removed harmful nein "
    "non falsch inkorrekt incorrecto faux schlecht unmet inconsistent incomplete borderline "
    "nonfactual nicht_bestanden"
)
NEUTRAL_BAD = (
    "needs revision",
    "partially correct",
    "partially",
    "not relevant",
    "not helpful",
    "not met",
)
HIGH_IS_GOOD = _words("quality accuracy helpfulness relevance confidence")

# labels that say a verdict whatever the column is called; yes, true, 1 and high may be flags too
SURE = _words(
    "pass passed fail failed correct incorrect correct. safe unsafe acceptable unacceptable "
    "accept reject accepted rejected approve approved supported unsupported hallucinated factual"
)

_RATED = re.compile(
    r"(?:score|rating|grade|verdict|note|puntuaci[oó]n)\s*[:=]\s*(.+)", re.IGNORECASE
)
_OUT_OF = re.compile(r"(-?\d+(?:\.\d+)?)\s*/\s*(\d+)")
_COMMA = re.compile(r"-?\d+(?:,\d+)?")
_ISO = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}([T ]\d{1,2}:\d{2}.*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}( .*)?"
)
_SOME = 2000  # so many distinct cells are looked at to tell texts, times and numbers


def stems(words: Iterable[str], known: frozenset[str]) -> bool:
    """Whether a word is a known stem, or one followed by a figure: gpt, gpt4o."""
    for word in words:
        if word in known:
            return True
        stem = re.match(r"[a-z]+(?=\d)", word)
        if stem is not None and stem.group() in known:
            return True
    return False


def is_bad_news(name: str) -> bool:
    """Whether a yes of a column is bad by its name: gpt_hallucination."""
    return any(part in word for word in words_of(name) for part in BAD)


_TWO_WAYS = ({"yes", "no"}, {"true", "false"}, {"0", "1"}, {"high", "low"}, {"y", "n"})


def is_two_way(labels: Iterable[str]) -> bool:
    """Whether labels are yes and no, true and false, 0 and 1, high and low."""
    forms = {folded(label) for label in labels}
    return 0 < len(forms) <= 2 and any(forms <= pair for pair in _TWO_WAYS)


@dataclass(eq=False)
class Evidence:
    """One column: its name as words, and its cells by distinct text.

    `texts` are the distinct texts as verdicts are compared: 'Score: 4' is 4, 1.0 is 1, 7,5 is 7.5;
    `codes`: (n_rows,), which of them each row holds, -1 for none.
    """

    name: str
    n_rows: int
    texts: tuple[str, ...] = ()
    codes: Positions = field(default_factory=lambda: np.empty(0, np.int64))
    nested: bool = False
    changed: bool = False  # cells such as 'Score: 4' and 7,5 are read as 4 and 7.5

    @classmethod
    def of(cls, table: Table, name: str, *, commas: bool = False) -> Evidence:
        """Evidence of a column of a table; `commas`: its decimals may be written with one."""
        try:
            column = table.column(name)
        except DataError:  # lists or objects
            return cls(name, table.n_rows, nested=True)
        texts, changed = [_text(value) for value in column.values], False
        if (
            commas
            and any("," in t for t in texts if t)
            and all(_COMMA.fullmatch(t) for t in texts if t)
        ):
            texts, changed = [t and t.replace(",", ".") for t in texts], True
        rated = [_rated(t) if t else None for t in texts]
        n = sum(t is not None for t in texts)
        if n and sum(r is not None for r in rated) == n:
            denominators = {r[1] for r in rated if r is not None} - {""}
            if len(denominators) <= 1:
                texts, changed = [None if r is None else r[0] for r in rated], True
        distinct = {t: k for k, t in enumerate(dict.fromkeys(t for t in texts if t is not None))}
        look = [-1 if t is None else distinct[t] for t in texts]
        return cls(name, table.n_rows, tuple(distinct), column.look_up(look), changed=changed)

    # --- the name

    @cached_property
    def low(self) -> str:
        """Name in lower case, its words apart."""
        return " ".join(self.words)

    @cached_property
    def words(self) -> list[str]:
        """Words of the name without marks around them."""
        return [w for w in (re.sub(r"[^\w#+]", "", word) for word in words_of(self.name)) if w]

    @cached_property
    def parts(self) -> list[list[str]]:
        """Words of each part of a dotted name, the leaf last."""
        dotted = re.split(r"\.(?=[^\s\d])", self.name)
        parts = [[re.sub(r"[^\w#+]", "", w) for w in words_of(part)] for part in dotted]
        return [found for part in parts if (found := [w for w in part if w])] or [[]]

    @property
    def leaf(self) -> list[str]:
        """Words of the last part of a dotted name."""
        return self.parts[-1]

    @property
    def parents(self) -> set[str]:
        """Words of the parts before the last."""
        return {word for part in self.parts[:-1] for word in part}

    def says(self, *lists: Iterable[str]) -> bool:
        """Whether a word of the name's leaf is in a list."""
        return any(not set(self.leaf).isdisjoint(words) for words in lists)

    def ends(self, *lists: Iterable[str]) -> bool:
        """Whether the name's last word, but for figures and 'id' or 'name' behind it, is in a list."""
        words = [w for w in self.leaf if not w.isdigit()]
        while len(words) > 1 and words[-1] in ("id", "name", "version", "text", "value", "label"):
            words.pop()
        return bool(words) and any(words[-1] in listed for listed in lists)

    @property
    def asks(self) -> bool:
        """Whether it is called like what a system was asked."""
        return self.ends(ASKED) or not {"input", "inputs"}.isdisjoint(self.parents)

    @property
    def answers(self) -> bool:
        """Whether it is called like what a system put out, and no reference to compare with."""
        reference = self.says({"reference", "references", "expected", "gold", "target"})
        return (
            not self.asks
            and not reference
            and (self.ends(SAID) or not {"output", "outputs"}.isdisjoint(self.parents))
            and "reference" not in self.parents
        )

    @property
    def is_bad_news(self) -> bool:
        """Whether a yes of this column is bad by its name."""
        return is_bad_news(self.name)

    # --- the cells

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """(n_texts,) rows of each distinct text."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.texts)).astype(np.int64)

    @property
    def filled(self) -> int:
        """Rows with a cell that is not empty."""
        return int(self.counts.sum())

    @cached_property
    def failures(self) -> dict[str, int]:
        """Rows of each text that a program wrote in place of a verdict; none where labels are many."""
        pairs = list(zip(self.texts, self.counts.tolist(), strict=True))
        broken = {t: n for t, n in pairs if has_failed(t)} if len(pairs) <= 200 else {}
        rest = {folded(t) for t, _ in pairs} - {folded(t) for t in broken}
        return broken if broken and 1 < len(rest) <= 12 else {}

    @cached_property
    def labels(self) -> dict[str, int]:
        """{folded label: rows} without failures and what means missing."""
        result: dict[str, int] = {}
        for text, n in zip(self.texts, self.counts.tolist(), strict=True):
            form = folded(text)
            if text not in self.failures and form not in MISSING:
                result[form] = result.get(form, 0) + n
        return result

    @property
    def answered(self) -> int:
        """Rows with a label."""
        return sum(self.labels.values())

    @cached_property
    def numeric(self) -> bool:
        """Whether every label is a number."""
        return bool(self.labels) and all(as_number(label) is not None for label in self._some)

    @cached_property
    def _some(self) -> list[str]:
        labels = list(self.labels)
        return labels[:: max(1, len(labels) // _SOME)]

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """(n_rows,) the cells as numbers, NaN elsewhere."""
        values = [as_number(text) for text in self.texts]
        table = np.array([np.nan if v is None else v for v in values] + [np.nan])
        return table[self.codes]

    @property
    def verdict_like(self) -> bool:
        """At most 12 short labels, each twice on average, or whole numbers from 0 to 10."""
        n = len(self.labels)
        if not n:
            return False
        if self.numeric:
            some = [float(label) for label in self._some]
            whole = all(x == int(x) and -10 <= x <= 10 for x in some)
            return (
                n <= 11 and whole and (2 * n <= max(self.answered, 2) or n <= 3 or self.n_rows <= 8)
            )
        longest = max(len(label) for label in self._some)
        few = 2 * n <= self.answered or n <= 2 or (self.n_rows <= 8 and n <= 4)
        return n <= 12 and longest <= 40 and few

    @property
    def verdict_like_numbers(self) -> bool:
        """Whether it holds grades or 0 and 1."""
        return self.numeric and self.verdict_like

    @property
    def is_decimal(self) -> bool:
        """Whether some number is no whole one."""
        return self.numeric and any(float(label) % 1 for label in self._some)

    @property
    def two_way_flag(self) -> bool:
        """Whether it is a yes or no about something that its name begins to ask: is_cached."""
        return self.two_way and bool(self.leaf) and self.leaf[0] in FLAG

    @property
    def is_score(self) -> bool:
        """Numbers that are no verdicts."""
        return self.numeric and not self.verdict_like

    @property
    def speaks(self) -> bool:
        """Whether its labels are a verdict's whatever it is called: pass and fail."""
        return (
            len(self.labels) > 1
            and any(label in SURE for label in self.labels)
            and set(self.labels) <= {*GOOD_LABELS, *BAD_LABELS, *SURE}
        )

    @property
    def two_way(self) -> bool:
        """Whether its labels are yes and no, true and false, 0 and 1, high and low."""
        return is_two_way(self.labels)

    @cached_property
    def sentences(self) -> bool:
        """Whether cells are words to read: 30 characters on average, or blanks in most of many texts."""
        some = [
            t for t in self.texts[:: max(1, len(self.texts) // _SOME)] if folded(t) not in MISSING
        ]
        if not some or all(as_number(t) is not None for t in some[:20]):
            return False
        length, words = (
            sum(map(len, some)) / len(some),
            sum(len(t.split()) for t in some) / len(some),
        )
        spaced = 2 * sum(" " in t for t in some) > len(some) and len(self.texts) > 12
        return (length >= 30 and words >= 2) or (spaced and (words >= 2.5 or length >= 15))

    @cached_property
    def is_time(self) -> bool:
        """Whether cells are dates or times."""
        some = self.texts[:: max(1, len(self.texts) // 200)][:200]
        if some and all(_ISO.fullmatch(t) for t in some):
            return True
        numbers = [as_number(t) for t in some]
        seconds = bool(numbers) and all(v is not None and 1e9 <= v < 2e13 for v in numbers)
        return seconds and not TIME.isdisjoint(self.words)

    @property
    def unique(self) -> bool:
        """Whether every row has a cell of its own."""
        return self.n_rows > 1 and len(self.texts) == self.n_rows and self.filled == self.n_rows

    @property
    def constant(self) -> bool:
        """Whether all cells that are filled are alike."""
        return len(self.texts) == 1 and self.n_rows > 1

    @cached_property
    def counts_rows(self) -> bool:
        """Whether it holds 0, 1, 2, ... or 1, 2, 3, ..., each once."""
        if not self.unique:
            return False
        numbers = np.sort(self.numbers)
        return bool(
            np.array_equal(numbers, np.arange(self.n_rows))
            or np.array_equal(numbers, np.arange(1, self.n_rows + 1))
        )

    @property
    def example(self) -> str:
        """The commonest cell, cut short."""
        if not self.texts:
            return ""
        text = " ".join(self.texts[int(self.counts.argmax())].split())
        return text if len(text) <= 24 else text[:22] + ".."


def _text(value: object) -> str | None:
    text = tidy(value)
    return None if text is None or text in BLANK or folded(text) in ("nat", "") else text


def _rated(text: str) -> tuple[str, str] | None:
    """Return a grade and what it is out of, of texts such as 'Score: 4' and '4/5'."""
    if (bare := re.fullmatch(r"\[+\s*([^\[\]]{1,20}?)\s*\]+", text)) is not None:
        return bare.group(1), ""
    told = _RATED.fullmatch(text)
    text, found = (told.group(1).strip(), True) if told else (text, False)
    out_of = _OUT_OF.fullmatch(text)
    if out_of is not None:
        return tidy(out_of.group(1)) or "", out_of.group(2)
    return (tidy(text) or "", "") if found else None


# --- What two columns have in common.


def share(first: Evidence, second: Evidence) -> bool:
    """Whether two columns have a label in common; true is 1, false is 0."""
    return not _forms(first).isdisjoint(_forms(second))


def _forms(column: Evidence) -> set[str]:
    same = {"true": "1", "false": "0", "1.0": "1", "0.0": "0"}
    return {same.get(label, label) for label in column.labels}


def agreement(first: Evidence, second: Evidence) -> tuple[float, int]:
    """Kappa of labels, the correlation of ranks of more than two numbers, or phi where no label is shared.

    The second number: how many rows have both.
    """
    both = (first.codes >= 0) & (second.codes >= 0)
    a, b = first.codes[both], second.codes[both]
    n = len(a)
    if n < 5:
        return 0.0, n
    if first.numeric and second.numeric and max(len(first.labels), len(second.labels)) > 2:
        return abs(_ranks_agree(first.numbers[both], second.numbers[both])), n
    names = sorted(_forms(first) | _forms(second))
    if len(names) > 60:
        return 0.0, n
    x, y = _places(first, names)[a], _places(second, names)[b]
    known = (x >= 0) & (y >= 0)
    x, y, n = x[known], y[known], int(known.sum())
    if n < 5:
        return 0.0, n
    table = np.zeros((len(names), len(names)))
    np.add.at(table, (x, y), 1)
    rows, columns = table.sum(1) / n, table.sum(0) / n
    if share(first, second):
        chance = float(rows @ columns)
        return (0.0 if chance >= 1 else (float(np.trace(table)) / n - chance) / (1 - chance)), n
    expected = np.outer(rows, columns) * n
    kept = expected > 0
    square = float((((table - expected) ** 2)[kept] / expected[kept]).sum())
    size = min((rows > 0).sum(), (columns > 0).sum()) - 1
    return (float(np.sqrt(square / (n * size))) if size > 0 else 0.0), n


def _places(column: Evidence, names: Sequence[str]) -> Positions:
    same = {"true": "1", "false": "0"}
    place = {name: k for k, name in enumerate(names)}
    found = []
    for text in column.texts:
        form = folded(text)
        known = text not in column.failures and form not in MISSING
        found.append(place.get(same.get(form, form), -1) if known else -1)
    return np.array([*found, -1], np.int64)


def _ranks_agree(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    from scipy.stats import rankdata

    known = ~(np.isnan(x) | np.isnan(y))
    if known.sum() < 5:
        return 0.0
    a, b = rankdata(x[known]), rankdata(y[known])
    if a.std() == 0 or b.std() == 0:
        return 0.0
    return float(np.corrcoef(a, b)[0, 1])


def together(columns: Sequence[Evidence]) -> Positions | None:
    """Each row's combination of cells as a number; None where a row lacks one."""
    rows: Positions | None = None
    for column in columns:
        if (column.codes < 0).any():
            return None
        rows = column.codes if rows is None else rows * (len(column.texts) + 1) + column.codes
        rows = np.unique(rows, return_inverse=True)[1].astype(np.int64)
    return rows


def each_once(columns: Sequence[Evidence]) -> bool:
    """Whether no two rows are equal on some columns, and none lacks a cell."""
    rows = together(columns)
    return rows is not None and len(rows) > 1 and int(rows.max()) == len(rows) - 1


def settles(first: Evidence, second: Evidence) -> bool:
    """Whether rows alike in the first are alike in the second."""
    pairs = np.unique(first.codes.astype(np.int64) * (len(second.texts) + 2) + second.codes + 1)
    return len(pairs) == len(np.unique(first.codes))

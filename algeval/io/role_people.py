"""Which columns people filled, which judges did, and which say whose output was judged."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from algeval.errors import DataError, option
from algeval.io.column_words import (
    CHECKS,
    COVARIATE,
    CRITERIA,
    DONE,
    FINAL,
    FIRST_NAMES,
    FLAGGED,
    GOOD_LABELS,
    GRADED,
    HUMAN,
    ID,
    JUDGE,
    MACHINE,
    MODELS,
    OF_PEOPLE,
    PEOPLE,
    PREDICTED,
    REFERENCES,
    SAID,
    SLICE,
    SWAP,
    SYSTEM,
    TRIAL,
    VERDICT_WORDS,
    WEAK,
    WEAK_HUMAN,
    plain_letters,
    stems,
    word_in_english,
    words_in,
)
from algeval.io.evidence import (
    LOOKED_AT,
    Evidence,
    agreement,
    codes_among,
    forms_of,
    settles,
    share,
)
from algeval.io.layout import shown
from algeval.io.role_ids import Ids, is_called_rater
from algeval.io.role_rows import is_question, is_titled, repeated_blocks
from algeval.io.roles import (
    KINDS_OF_VERDICT,
    UNLIKE_HUMAN,
    Decision,
    all_setups,
    answered,
    both,
    good_label,
    names_setups,
    pieces,
    says_machines_verdict,
)

_SURELY_SYSTEM = words_in(
    "system model variant agent assistant bot sistema systeme modelo modele modell modello variante "
    "agente assistent assistente asistente"
)
_AGREED = words_in("consensus konsens consenso agreed konsensus accord acordo unanime")
_CHECKED = re.compile(
    r"(?:passes|pass|valid) .+"
    r"|(?:json|xml|sql|yaml|html|format|code|output) (?:is )?(?:valid|ok|pass|passed|parses)"
    r"|(?:state|rule|format|length|unit|sanity|db|url|link|syntax|type) (?:check|checks|test|tests|match)"
    r"(?: ok| pass| passed| result)?"
)
_GROUPS_OF_VERDICTS = words_in(
    "eval evaluation score grade result metric annotation feedback output sample item meta metadata "
    "response suggestion label verdict vote"
)


class People(Ids):
    """Decisions about people, judges, criteria and systems."""

    # --- a form's answers: a row for each person, a column for each question

    def _questions_side_by_side(self) -> None:
        """Add the question what columns are whose names are questions: of a form that people filled in."""
        if self.stated.judges is not None or self.roles.layout != "wide":
            return
        columns = [c for c in self._verdicts() if is_question(c.name)]
        groups = [g for g in groups_that_share(columns) if len(g) > 2]
        called = [c for c in columns if self._is_machine(c) or c.says(HUMAN)]
        if not groups or called or self._named("human", "judge"):
            return
        names = [c.name for c in max(groups, key=len)]
        self._ask(
            f"Is each row what one person answered to {len(names)} questions, {names[0]!r}, ...? Then write "
            "a row for each answer, with the question as its item; or answer",
            names,
            [answered("judges", *names), answered("slice", *names)],
        )

    # --- systems side by side: v3_judge v4_judge v3_human v4_human

    def _side_by_side(self) -> None:
        if self.stated.judges is not None:
            return
        votes = self._verdicts()
        if self.stated.systems:
            self._side_by_side_as_said(votes)
            return
        if self._named("system") or any(map(self._may_be_system, self.free)):
            return  # rows of systems: judge_ax, judge_bx are two judges
        halves = {c.name: pair for c in votes if (pair := _halves(c.name)) is not None}
        for entry, other in ((0, 1), (1, 0)):
            grid = _of_two_or_more({n: (p[entry], p[other]) for n, p in halves.items()})
            who = {e for _, e in grid.values()}
            systems = {s for s, _ in grid.values()}
            ends = {e: {s for s, x in grid.values() if x == e} for e in who}
            full = (
                len(systems) > 1
                and all(picked == systems for picked in ends.values())
                and len(grid) == len(systems) * len(who)
            )
            if not full:
                continue
            people = {e for e in who if not HUMAN.isdisjoint(_english(e))}
            outside = [c for c in votes if c.name not in grid]
            if who == people and any(map(self._is_model, outside)):
                continue  # judges who speak of no system: human_ann, human_bo are two people
            settled = all(
                not JUDGE.isdisjoint(_english(e)) or stems(pieces(e), MODELS) or e in people
                for e in who
            )
            odd = any(
                not (JUDGE | HUMAN | PEOPLE | TRIAL).isdisjoint(
                    w.rstrip("0123456789") for w in pieces(s)
                )
                or (entry == 1 and (len(s) == 1 or s.isdigit()))
                or s.lower() in KINDS_OF_VERDICT
                for s in systems
            )
            if (
                settled
                and not odd
                and (people or not any(stems(pieces(s), MODELS) for s in systems))
            ):
                self._grid_or_judges(grid, sorted(systems), by_people=bool(people))
                return

    def _side_by_side_as_said(self, votes: Sequence[Evidence]) -> None:
        """Take the columns that are named, or whose names begin or end so, for verdicts on each system."""
        for name in self.stated.systems:
            for column in votes:
                if column.name == name or name in (_halves(column.name) or ()):
                    system = name.rsplit("_", 1)[0] if column.name == name else name
                    self.roles.grid[column.name] = (system, "judge")
        if not self.roles.grid:
            raise DataError(
                f"{option('systems')} must name columns of systems side by side, or what their names "
                f"begin with; got {shown(self.stated.systems)}; the columns are "
                f"{shown(list(self.columns))}"
            )
        self._take_grid()

    def _grid_or_judges(
        self, grid: dict[str, tuple[str, str]], systems: Sequence[str], *, by_people: bool
    ) -> None:
        """Take columns such as v3_judge, v4_judge for systems side by side, leave them to be judges, or ask.

        People who judged each system, or texts of each, show systems. A person's column that belongs to
        none of them is about one output, and so are the columns beside it.
        """
        outside = [c for c in self.free if c.name not in grid]
        of_all = self.stated.human or any(
            c.verdict_like and self._is_human_name(c) and not set(c.leaf) & set(systems)
            for c in outside
        )
        lower = {s.lower() for s in systems}

        def is_output(c: Evidence) -> bool:  # v3_response, response_v3
            rest = [word for word in c.words if word not in lower]
            return c.sentences and (c.answers or (bool(rest) and rest[-1] in SAID and not c.asks))

        shown_ = [c for c in self.columns.values() if is_output(c)]
        texts = all(any(s.lower() in c.words for c in shown_) for s in systems)
        versions = all_setups(systems)
        several = len({who for _, who in grid.values()}) > 1
        if by_people or texts:
            self.roles.grid = grid
            self._take_grid()
        elif any(map(names_setups, outside)):
            return  # a column of systems stands beside them
        elif versions or (several and not of_all):
            self._ask(
                f"Are {', '.join(map(repr, grid))} judges of the same answers, or systems whose answers "
                "were judged?",
                list(grid),
                [answered("judges", *grid), answered("systems", *systems)],
            )

    def _take_grid(self) -> None:
        if not self.roles.grid:
            return
        self.roles.layout = "systems"
        for name, (system, who) in self.roles.grid.items():
            human = not HUMAN.isdisjoint(_english(who))
            self._set([name], "human" if human else "judge", f"{who} on what {system} put out")
        for column in self._named("item"):
            self._set([column.name], "prompt", "the systems side by side answer it")
        for column in self._named("prompt"):
            if column.name not in self.roles.item:
                self._set([column.name], "text", "words to read")

    # --- people

    def _people(self) -> None:
        candidates = [
            c for c in (*self.free, *self._named("judge", "score")) if c.verdict_like or c.is_score
        ]
        judged = [c for c in candidates if self._is_model(c) or self._is_judge_word(c)]
        self._who_answered()
        for column in self.free:
            if self._is_human_name(column):
                if self.stated.human and column.verdict_like:
                    self._set(
                        [column.name], "ignored", "the name says a person, and others are named"
                    )
                elif column.low in REFERENCES and not column.verdict_like:
                    self._set([column.name], "text", "the right answers, to compare with")
                elif self._answers_like(column, [c for c in candidates if c is not column]):
                    self._set([column.name], "human", "the name says a person")
                elif column.low in REFERENCES and not any(share(column, c) for c in judged):
                    self._set([column.name], "text", "the right answers, to compare with")
                elif column.verdict_like or column.numeric:
                    self._unlike_human(column)
                else:
                    self._set([column.name], "slice", "it names people, and holds no verdicts")
        self._consensus()
        self._people_on_a_part()
        self._numbered_and_named(judged)
        self._outcome_of_people()

    def _numbered_and_named(self, judged: Sequence[Evidence]) -> None:
        """Name people by numbers and first names beside named judges, or where they answered a part."""
        numbered = [c for c in self.free if self._is_numbered_person(c) and c.verdict_like]
        firsts = [
            c
            for c in self.free
            if c.verdict_like
            and _names_somebody(c)
            and not (self._is_model(c) or c.says(MACHINE))  # qwen-max
        ]
        firsts += [
            c
            for c in self.free
            if c.verdict_like and c not in firsts and any(differ_in_a_word(c, f) for f in firsts)
        ]
        self._of_named_people()
        others = [c for c in judged if c not in numbered and c not in firsts]
        if others:
            self._set([c.name for c in numbered], "human", "numbered people beside named judges")
            if len(firsts) > 0:
                self._set([c.name for c in firsts], "human", "first names beside named judges")
        elif firsts and all(10 * c.answered <= 9 * self.n for c in firsts):
            self._set([c.name for c in firsts], "human", "a first name, on a part of the rows")

    def _people_on_a_part(self) -> None:
        """Name labels on a part of the rows that only people can have given.

        So it is where machines say the same labels on all rows, and a column of who answered or of
        people's comments is filled on the same rows, or the name says a person.
        """
        for column in self.free:
            if not (column.verdict_like or column.is_score) or self._is_machine(column):
                continue
            titled = is_titled(column)
            if column.says(MACHINE, FLAGGED) or column.ends(DONE, SYSTEM, SLICE):
                continue
            if column.says(COVARIATE) and not titled:
                continue
            part = 20 * column.answered >= self.n and 10 * column.answered <= 6 * self.n
            every = [c for c in self.columns.values() if c is not column and c.verdict_like]
            every = [c for c in every if c.filled >= 0.9 * self.n and share(c, column)]
            if not every or not (part or titled) or column.many:
                continue
            who = self._who_of(column)
            named = titled or not OF_PEOPLE.isdisjoint(column.leaf)
            if self.stated.human and (named or who is not None):
                self._set([column.name], "ignored", "labels of people, and others are named")
            elif named:
                self._set([column.name], "human", "the name says a person")
            elif who is not None:
                self._set([column.name], "human", f"given on the same rows as {who.name!r}")
                if who.name not in self.decided:
                    self._set([who.name], "slice", "who answered, one a row")

    def _who_of(self, column: Evidence) -> Evidence | None:
        """Column of who gave some labels, filled where they are, or else of people's comments on them."""
        filled = column.codes >= 0
        for other in self.columns.values():
            same = (other.codes >= 0) & filled
            if other is column or not 10 * same.sum() >= 9 * other.filled > 0:
                continue
            named = is_called_rater(other) and not other.verdict_like_numbers
            named &= not stems(pieces(" ".join(other.texts[:50])), MODELS)
            if named and 10 * same.sum() >= 9 * filled.sum():
                return other
            remark = other.ends(_REMARKS) and not other.numeric and not self._is_model(other)
            remark &= not (other.says(MACHINE) or self._is_judge_word(other))
            stem = {*column.leaf} & {*other.leaf} - {*WEAK, *WEAK_HUMAN} or column.leaf[
                :1
            ] == other.leaf[:1]
            if remark and stem and 4 * same.sum() >= filled.sum():
                return other
        return None

    def _outcome_of_people(self) -> None:
        """Name what came of several people's labels: it says what they say wherever they agree."""
        for column in self.free:
            people = [c for c in self._named("human") if share(column, c)]
            final = column.verdict_like and column.says(FINAL) and not self._is_machine(column)
            if not final or column.says(MACHINE) or len(people) < 2:
                continue
            names = sorted(set().union(*(forms_of(c) for c in (column, *people))))
            own = codes_among(column, names)[column.codes]
            votes = np.stack([codes_among(c, names)[c.codes] for c in people])
            said, most = (votes >= 0).sum(0), votes.max(0)
            theirs = (said > 0)[own >= 0]
            alike = (said > 1) & (own >= 0) & ((votes == most) | (votes < 0)).all(0)
            if theirs.mean() < 0.9:
                continue  # somebody else decided the other rows
            if alike.sum() >= 5 and (own == most)[alike].mean() >= 0.9:
                self._set([column.name], "human", "the name says what came of people's labels")

    def _of_named_people(self) -> None:
        """Name what people gave where a column says who gave it, and a machine's verdict stands beside."""
        predicted = [c for c in self.free if c.verdict_like and self._is_machine(c)]
        if self._named("human") or self.stated.judges is not None or not predicted:
            return
        who = [c for c in self.columns.values() if self._names_people(c)]
        votes = [
            c
            for c in self._verdicts()
            if c not in (*predicted, *who) and any(share(c, p) for p in predicted)
        ]
        if who and len(votes) == 1 and not votes[0].binary:
            self._set([votes[0].name], "human", f"given by people, named in {who[0].name!r}")

    def _names_people(self, column: Evidence) -> bool:
        """Whether a column holds who labelled each row: annotator, with few names or numbers."""
        if not is_called_rater(column) or stems(pieces(" ".join(column.texts[:50])), MODELS):
            return False
        if not 1 < len(column.texts) < self.n or len(column.texts) > max(12, self.n // 3):
            return False
        if column.numeric:
            return self._numbers_people(column)
        others = [c for c in self.columns.values() if c is not column and c.verdict_like]
        said = any(share(c, column) for c in others if not names_setups(c))
        if column.speaks or column.binary or said or not column.verdict_like:
            return False
        return not self._goes_with(column)

    def _consensus(self) -> None:
        """Name what people agreed on, beside what each of them said."""
        people = self._named("human")
        for column in self.free:
            agreed = column.verdict_like and column.says(_AGREED) and not column.says(MACHINE)
            if agreed and any(share(column, c) for c in people):
                self._set([column.name], "human", "the name says what people agreed on")

    def _who_answered(self) -> None:
        """Name columns of who labelled each row, by names or numbers; ask where they may be what was said."""
        for column in self.free:
            if not self._names_people(column):
                continue
            grades = [
                c for c in self.columns.values() if c is not column and c.verdict_like_numbers
            ]
            grades = [c for c in grades if self._is_grade(c) and share(c, column)]
            if column.numeric and grades:
                self._ask(
                    f"Does {column.name!r} say who answered, or what they said?",
                    [column.name],
                    [answered("slice", column.name), answered("human", column.name)],
                )
            else:
                self._set([column.name], "slice", "who answered, one a row")

    def _is_grade(self, column: Evidence) -> bool:
        """Whether a column of grades is called like one, or like who gave them."""
        named = column.ends(CRITERIA, GRADED, WEAK, WEAK_HUMAN) or column.says(HUMAN, MACHINE)
        return named or self._is_model(column) or self._is_judge_word(column)

    def _numbers_people(self, column: Evidence) -> bool:
        """Whether an 'annotator' holds the numbers of people, 7 12 31, and not what they said.

        What they said would agree with some grades beside it.
        """
        filled = column.codes >= 0
        labels = [c for c in self.columns.values() if c is not column and c.verdict_like]
        labels = [c for c in labels if not (self._is_machine(c) or c.says(COVARIATE))]
        if column.is_decimal or not any((c.codes >= 0)[filled].all() for c in labels):
            return False  # nothing beside it that they may have said
        grades = [c for c in self.columns.values() if c is not column and c.numeric]
        grades = [c for c in grades if (c.verdict_like or c.is_score) and not c.says(COVARIATE)]
        return all(k * np.sqrt(n) <= 4 for k, n in agreements_with(column, grades))

    def _unlike_human(self, column: Evidence) -> None:
        settled = self._named("judge") or [c for c in self._verdicts() if c is not column]
        settled += [c for c in self.free if c.is_score and (self._is_machine(c) or c.ends(GRADED))]
        same = [agreement(column, c) for c in settled]
        best = max((k * np.sqrt(n) for k, n in same), default=0.0)
        opposed = good_label(column.labels) is not None and not column.binary  # good and bad
        verdicts = opposed or (bool(column.labels) and set(column.labels) <= VERDICT_WORDS)
        texts = {word for c in self._named("text") for word in c.leaf}
        sides = len(column.labels) > 1 and {*column.labels} - {"tie", "both", "neither"} <= texts
        thumbs = column.says({"thumbs", "thumb"}) and set(column.labels) == {"up", "down"}
        if best > 4 or not settled or verdicts or sides or thumbs:
            self._set([column.name], "human", "the name says a person")
        else:
            self._set([column.name], "slice", UNLIKE_HUMAN)

    def _is_numbered_person(self, column: Evidence) -> bool:
        words = column.leaf
        glued = any(
            re.fullmatch(r"[a-z]+\d+", word) and re.sub(r"\d+", "", word) in PEOPLE
            for word in words
        )
        apart = (
            len(words) > 1
            and (words[-1].isdigit() or len(words[-1]) == 1)
            and not PEOPLE.isdisjoint(words[:-1])
        )
        initials = (
            len(words) == 2
            and len(words[-1]) <= 3
            and words[0] in PEOPLE - JUDGE
            and words[-1]
            not in JUDGE
            | GRADED
            | ID
            | {"by", "llm", "bot", "v1", "v2", "tag", "lbl", "ok", "ans", "out"}
            and not self._is_model(column)
        )
        return bool(glued or apart or initials)

    def _answers_like(self, column: Evidence, others: Sequence[Evidence]) -> bool:
        """Whether half of a person's answers are labels that others give, or numbers beside numbers."""
        if not column.labels:
            return False
        if column.numeric and any(c.numeric for c in others) and column.low not in REFERENCES:
            return True
        vocabulary = {form for c in others for form in c.labels}
        own = sum(n for label, n in column.labels.items() if label in vocabulary)
        if 2 * own >= column.answered:
            return True
        two = [c for c in others if c.numeric]
        return (
            column.verdict_like and (column.binary or column.speaks) and (bool(two) or not others)
        )

    # --- judges by name

    def _judges(self) -> None:
        if self.stated.judges is not None:
            self._others_beside_stated()
            return
        if self.roles.layout == "long":
            return
        people = self._named("human")
        for column in self.free:
            if self._may_name_raters(column) or column.ends({"name", "by", "version"}):
                continue
            if column.words[-1:] == ["id"]:
                self._id_beside_judges(column)
                continue
            automatic = column.says({"auto", "automatic", "automated"}) and column.says(WEAK)
            automatic |= column.ends(PREDICTED) and self._shares_with_any(column)
            machine = column.says(MACHINE) and not column.ends(SYSTEM, SLICE, COVARIATE)
            automatic |= machine and column.verdict_like and any(share(column, c) for c in people)
            if column.ends(SYSTEM) and self._says_what_people_say(column, people):
                self._set([column.name], "judge", "a machine's: it says what people say")
                continue
            verdicts = column.speaks or column.binary or column.numeric
            system = column.ends(SYSTEM) and not (verdicts or says_machines_verdict(column))
            if not system and (self._is_model(column) or self._is_judge_word(column) or automatic):
                self._named_judge(column, people)
        self._checks()

    def _checks(self) -> None:
        """Take what programs check by rules for judges, where judges or people stand beside."""
        others = [c for c in self._named("judge", "human") if c.verdict_like]
        for column in self.free:
            checked = _is_check(column) or self._is_check_throughout(column)
            if not checked or self._of_certainty(column) is not None:
                continue
            if column.is_score and others and column.is_decimal:
                self._set([column.name], "score", "the name says a check by rules")
            elif (column.binary or column.speaks or good_label(column.labels) is not None) and any(
                len(c.labels) <= 3 for c in others
            ):
                self._set([column.name], "judge", "the name says a check by rules")

    def _is_check_throughout(self, column: Evidence) -> bool:
        """Whether a column that is called a check is filled on all rows, beside a machine's verdicts."""
        people = HUMAN | OF_PEOPLE | PEOPLE | {"qa", "spot", "my"}
        machines = any(self._is_machine(c) for c in self._named("judge", "score"))
        return (
            column.leaf[-1:] == ["check"]
            and machines
            and 20 * column.answered >= 19 * self.n
            and not column.says(people)
        )

    def _id_beside_judges(self, column: Evidence) -> None:
        if column.unique:
            self._set([column.name], "ignored", "a second id: one value a row")
        elif not self._may_be_system(column):
            self._set([column.name], "slice", "ids that repeat")

    def _says_what_people_say(self, column: Evidence, people: Sequence[Evidence]) -> bool:
        """Whether a column that is called like a system holds the words of people's verdicts."""
        words = column.verdict_like and not column.numeric and not names_setups(column)
        return words and not self._names_sides(column) and any(share(column, c) for c in people)

    def _shares_with_any(self, column: Evidence) -> bool:
        """Whether words of a verdict are among those of another column of verdicts."""
        return (
            column.verdict_like
            and not names_setups(column)
            and any(
                c is not column and c.verdict_like and not c.ends(SYSTEM) and share(c, column)
                for c in self.columns.values()
            )
        )

    def _named_judge(self, column: Evidence, people: Sequence[Evidence]) -> None:
        """Decide on a column that is called like a judge."""
        in_battles = self.roles.layout == "pairwise"
        if (
            in_battles
            and column.leaf == ["vote"]
            and any(self._is_model(c) for c in self._verdicts())
        ) or (
            in_battles
            and column.leaf == ["winner"]
            and column.verdict_like
            and "judge" in self.columns
        ):
            self._who_gave(column)
        elif column.verdict_like and self._voted(column, people):
            self.named_judges = True
            self._set([column.name], "judge", self._why_judge(column))
        elif column.is_score and not column.says({"time"}):
            self._set([column.name], "score", self._why_judge(column))
        elif column.verdict_like:
            close = self._agreement_with(column, [*people, *self._verdicts()])
            verdict = good_label(column.labels) is not None or column.ends(KINDS_OF_VERDICT, WEAK)
            verdict |= not GOOD_LABELS.isdisjoint(column.labels) or column.ends(_SURELY_JUDGE)
            verdict |= len(column.labels) == 2 and self._is_model(column)
            if close > 0.3 or (verdict and not names_setups(column)):
                self.named_judges = True
                why = f"{self._why_judge(column)}, in words of its own"
                self._set([column.name], "judge", why)
            else:
                self._ask_if_judge(column)

    def _why_judge(self, column: Evidence) -> str:
        return "the name says a model" if self._is_model(column) else "the name says a judge"

    def _voted(self, column: Evidence, people: Sequence[Evidence]) -> bool:
        """Whether a column named as a judge holds what others answer too, or a verdict's own words."""
        if column.speaks or column.numeric or column.binary:
            return True
        others = [c for c in (*people, *self._named("judge"), *self._verdicts()) if c is not column]
        return not others or any(share(column, c) for c in others)

    def _others_beside_stated(self) -> None:
        """Take all verdicts that --judges does not name for slices, and numbers for measures.

        One that is sparse beside judges who answered throughout may be a person's: it is asked about.
        """
        judges = self._named("judge")
        dense = bool(judges) and all(c.answered >= 0.9 * self.n for c in judges)
        unsettled = dense and not self._named("human") and not self.stated.human
        words = bool(judges) and not any(c.numeric for c in judges)
        for column in self.free:
            if column.ends(SYSTEM) or column.ends(TRIAL):
                continue
            named = self._is_model(column) or self._is_judge_word(column)
            if words and named and column.is_score:
                self._set([column.name], "score", self._why_judge(column))
                continue
            shares = any(share(column, c) for c in judges)
            if unsettled and shares and column.verdict_like and column.answered < 0.6 * self.n:
                self._ask(
                    f"Did a person give column {column.name!r} ({column.answered} of {self.n} rows)?",
                    [column.name],
                    [answered("human", column.name), answered("ignore", column.name)],
                )
                continue
            if column.numeric and not column.verdict_like:
                self._set([column.name], "covariate", "no judge, as you say")
            elif column.verdict_like:
                self._set([column.name], "slice", "no judge, as you say")

    def _majorities(self) -> None:
        """Leave out a column that says on every row what most judges say: it was computed from them."""
        if self.stated.judges is not None:
            return
        for column in [*self._named("judge"), *self._verdicts()]:
            judges = [c for c in self._named("judge") if c is not column and share(c, column)]
            said = self.decided.get(column.name, Decision("", "")).why == "as you say"
            if len(judges) > 2 and not said and is_majority(column, judges):
                self._set([column.name], "ignored", "what most of the other judges say")

    # --- criteria, and columns that may be systems

    def _criteria_and_systems(self) -> None:
        if self.stated.judges is not None or self.roles.layout in ("long", "systems"):
            return
        votes = [*self._named("judge"), *self._verdicts()]
        votes = [
            c for c in votes if self.decided.get(c.name, Decision("", "as")).why != "as you say"
        ]
        if not self._ask_crossed(votes):
            self._ask_criteria([c for c in votes if c.verdict_like])
        self._ask_systems([c for c in votes if c.name not in self.open_names])

    def _ask_crossed(self, votes: Sequence[Evidence]) -> bool:
        """Add the question which of several is meant, where judges and people each have a column for each."""
        if self.stated.human or any(
            self.decided[c.name].why == "as you say" for c in self._named("human")
        ):
            return False
        crossed: dict[str, dict[str, str]] = {}  # question: {who: column}
        for column in (*votes, *self._named("human")):
            who, question = (
                re.split("/|__", column.name, maxsplit=1)
                if re.search("/|__", column.name)
                else (_halves(column.name) or ("", ""))
            )
            if (
                who
                and not question.isdigit()
                and set(pieces(question)).isdisjoint({*TRIAL, *SWAP, *HUMAN})
            ):
                crossed.setdefault(question, {})[who] = column.name
        people = {c.name for c in self._named("human")}
        every = {frozenset(by) for by in crossed.values()}
        names = [name for by in crossed.values() for name in by.values()]
        of_people = [[n for n in by.values() if n in people] for by in crossed.values()]
        of_judges = [[n for n in by.values() if n not in people] for by in crossed.values()]
        if len(crossed) < 2 or len(every) > 1 or not all(of_people) or not all(of_judges):
            return False
        if not people <= set(names):
            return False
        quoted = ", ".join(map(repr, crossed))
        for name in names:
            self.decided.pop(name, None)
        both = [
            (answered("judges", *judges), answered("human", *own))
            for judges, own in zip(of_judges, of_people, strict=True)
        ]
        self._ask(
            f"Judges and people have a column for each of {quoted}: which one?",
            names,
            [" ".join(two) if two[0].startswith("--") else ", ".join(two) for two in both],
        )
        return True

    def _ask_criteria(self, votes: Sequence[Evidence]) -> None:
        stemless = {c.name: self._criterion(c) for c in votes}
        criteria = [c for c in votes if stemless[c.name]]
        criteria = self._criteria_of_people(criteria, stemless)
        kinds = {stemless[c.name] for c in criteria}
        criteria = self._of_the_same_kind(criteria)
        kinds = {stemless[c.name] for c in criteria}
        judged_by: defaultdict[str, set[str]] = defaultdict(set)
        for column in criteria:
            judged_by[stemless[column.name]].add(column.name)
        if len(kinds) < 2:
            return
        names = [c.name for c in criteria]
        quoted = ", ".join(map(repr, names[:6])) + (", ..." if names[6:] else "")
        for name in names:
            self.decided.pop(name, None)
        first = sorted(judged_by[stemless[names[0]]], key=names.index)
        self._ask(
            f"Do {quoted} answer one question, or several?",
            names,
            [
                f"{answered('judges', *first)} (one question)",
                f"{answered('judges', *names)} (judges of one question)",
            ],
        )

    def _of_the_same_kind(self, criteria: Sequence[Evidence]) -> list[Evidence]:
        """Criteria answered in words or yes and no; grades beside them are scores of another question."""
        grades = [c for c in criteria if c.numeric and len(c.labels) > 2]
        if not grades or len(grades) == len(criteria):
            return list(criteria)
        self._set([c.name for c in grades], "score", "grades, beside verdicts on another question")
        return [c for c in criteria if c not in grades]

    def _criteria_of_people(
        self, criteria: Sequence[Evidence], kinds: Mapping[str, str]
    ) -> list[Evidence]:
        """Criteria that are asked about: where people answered one of them, by its name, it is meant."""
        people = self._named("human")
        answered_ = {
            k for c in people for k in {*kinds.values()} - {""} if {*k.split()} <= {*c.leaf}
        }
        if len(answered_) != 1 or len({kinds[c.name] for c in criteria}) < 2:
            return list(criteria)
        kind = next(iter(answered_))
        for column in criteria:
            if kinds[column.name] != kind:
                self._set(
                    [column.name],
                    "ignored",
                    f"people answered {kind!r}, and this is another question",
                )
        return []

    def _criterion(self, column: Evidence) -> str:
        if column.says(HUMAN, OF_PEOPLE):
            return ""
        words = [w for w in column.leaf if w in CRITERIA]
        if not words and len(column.parts) > 1 and column.ends(KINDS_OF_VERDICT):
            others = HUMAN | PEOPLE | FIRST_NAMES | JUDGE | _GROUPS_OF_VERDICTS
            stem = [w.removesuffix("s") for w in column.parts[-2] if not w.isdigit()]
            stem = [w for w in stem if w.rstrip("0123456789") not in others]
            words = [] if stems(stem, MODELS) else stem  # grades.style.passed
        return " ".join(words)

    def _ticked(self, votes: Sequence[Evidence]) -> dict[str, str]:
        """Columns of ticks under models' names, where what was asked stands there, and no answer."""
        said_of = JUDGE | KINDS_OF_VERDICT | HUMAN
        has_prompts = any(c.asks for c in self._named("text", "prompt"))
        ticks = [
            c for c in votes if stems(c.leaf, MODELS) and said_of.isdisjoint(c.words) and _ticks(c)
        ]
        alone = has_prompts and 1 < len(ticks) == len(votes)
        return {c.name: c.name for c in ticks} if alone else {}

    def _ask_systems(self, votes: Sequence[Evidence]) -> None:
        ended = re.compile(
            r"(.+?)[_ .-](correct|pass|passed|acc|score|success|result|win|em|f1)$", re.IGNORECASE
        )
        picked = {
            c.name: m.group(1)
            for c in votes
            if (m := ended.match(c.name)) and stems(pieces(m.group(1)), MODELS)
        }
        outputs = [c for c in self._named("text") if c.answers]
        if not outputs and not picked:
            picked = self._ticked(votes)
        again = [c.name for c in self.columns.values() if re.fullmatch(r".+\.\d", c.name)]
        again = [
            name for name in again if self.decided.get(name, Decision("", "")).role != "ignored"
        ]
        twice = [c for c in votes if c.name in again and c.name.rpartition(".")[0] in self.columns]
        leads = repeated_blocks(list(self.columns))
        said = {c.name for c in self._named("text")}
        if twice and (len(again) > len(twice) or (leads and said >= set(leads))):
            names = [c.name.rpartition(".")[0] for c in twice] + [c.name for c in twice]
            for name in names:
                self.decided.pop(name, None)
            self._ask(
                f"Are {', '.join(map(repr, names))} judges of the same answers, or verdicts on systems side "
                f"by side? {'' if leads else 'Write a row for each output, or answer'}".rstrip(),
                names,
                [answered("judges", *names), *([answered("systems", *leads)] if leads else [])],
            )
            return
        if len(picked) < 2 or self._named("human"):
            return
        per_model = [
            c for c in outputs if any(s.lower() in c.name.lower() for s in picked.values())
        ]
        if outputs and len(per_model) < 2:
            return
        if len(per_model) >= 2:
            self.roles.grid = {name: (system, "judge") for name, system in picked.items()}
            self._take_grid()
            return
        for name in picked:
            self.decided.pop(name, None)
        self._ask(
            f"Are {', '.join(map(repr, picked))} judges of the same answers, or systems whose answers were "
            "judged?",
            list(picked),
            [answered("judges", *picked), answered("systems", *picked)],
        )

    def _person_beside(self, column: Evidence) -> Evidence | None:
        """A person's sparse column that is filled wherever this one is, as a reviewer's name is."""
        filled = column.codes >= 0
        people = [c for c in self._named("human") if c.filled < 0.6 * self.n]
        return next((c for c in people if (c.codes >= 0)[filled].all()), None)

    def _names_a_setup(self, column: Evidence) -> bool:
        """Whether a column says which of a few setups put out each row: app_id, experiment, checkpoint."""
        setups = {
            "app",
            "arm",
            "experiment",
            "config",
            "policy",
            "pipeline",
            "checkpoint",
            "engine",
            *("ranker", "retriever", "build", "stack", "rewriter", "variant", "version", "ver"),
        }
        if any(settles(c, column) for c in self._named("prompt") if 2 * len(c.texts) <= self.n):
            return False  # each prompt has but one
        return column.ends(setups, {"deployment", "release"}) and len(column.texts) <= 12

    def _models_or_systems(self) -> None:
        columns = sorted(self.free, key=lambda c: not c.says(_SURELY_SYSTEM))
        for column in columns:
            if not self._may_be_system(column):
                continue
            beside = self._person_beside(column)
            if beside is not None:
                self._set([column.name], "slice", f"filled only where {beside.name!r} is")
                continue
            if self.roles.layout == "long" or column.filled < self.n:
                self._set([column.name], "system", "whose output was judged")
                continue
            values_are_models = stems(pieces(" ".join(column.texts[:20])), MODELS)
            crosses = self._may_have_judged(column)
            if crosses is not None:
                if crosses.name not in self.decided:
                    self._set([crosses.name], "prompt", "several rows share it")
                answer = self._answers_beside(column)[0]
                self.decided.pop(answer.name, None)
                self._set([answer.name], "answer", "what was said")
                self.roles.layout = "long"
                self._ask(
                    f"Did {column.name!r} give the scores, or the answers that were scored?",
                    [column.name],
                    [
                        both(answered("judge", column.name), answered("answer", answer.name)),
                        answered("system", column.name),
                    ],
                )
                continue
            if (
                values_are_models
                or column.low in ("system", "model", "variant", "version", "arm")
                or {*column.leaf} == {"prompt", "version"}
                or column.says(_SURELY_SYSTEM)
                or (self._names_a_setup(column) and not self._named("system"))
            ):
                named = {"version", "arm", "app", "experiment"}
                if not self._names_sides(column) or column.says(named, _SURELY_SYSTEM):
                    self._set([column.name], "system", "whose output was judged")
            else:
                self._set([column.name], "slice", "the name says a group")


def is_majority(column: Evidence, judges: Sequence[Evidence]) -> bool:
    """Whether a column repeats the one label of most judges, where they differ on 10 rows or more."""
    names = sorted(set().union(*(forms_of(c) for c in (column, *judges))))
    if len(names) > 12:
        return False
    for rows in (slice(LOOKED_AT), slice(None)):  # the first rows show that most columns are none
        votes = np.stack([codes_among(c, names)[c.codes[rows]] for c in judges])
        own = codes_among(column, names)[column.codes[rows]]
        counts = np.stack([(votes == k).sum(0) for k in range(len(names))])
        most = counts.max(0)
        alone = (counts == most).sum(0) == 1
        clear = alone & (own >= 0)
        if not (own == counts.argmax(0))[clear].all():
            return False
    split = clear & (most < (votes >= 0).sum(0))
    computed = clear.sum() >= 0.9 * alone.sum()  # of all rows, as no person is
    return bool(computed and split.sum() >= 10)


def differ_in_a_word(first: Evidence, second: Evidence) -> bool:
    """Whether two names differ in one of two words, as likert (Anna) and likert (Zoe), and share labels."""
    a, b = first.leaf, second.leaf
    return (
        len(a) == len(b) == 2 and sum(x == y for x, y in zip(a, b, strict=True)) == 1
    ) and share(first, second)


_SURELY_JUDGE = words_in(
    "judge grader checker verifier scorer evaluator critic autorater autograder detector"
)
"""Ends of names of judges, whatever their labels."""


def _names_somebody(column: Evidence) -> bool:
    """Whether a name holds a first name beside a word or two, begins with one, or has it in parentheses."""
    words = column.leaf
    if FIRST_NAMES.isdisjoint(words):
        return False
    by = len(words) == 3 and words[1] == "by"
    last = re.search(r"\((\w+)\)$", column.name.strip())
    within = last is not None and last.group(1).lower() in FIRST_NAMES
    first = (
        len(words) == 3
        and words[0] in FIRST_NAMES
        and column.ends(WEAK, WEAK_HUMAN, {"opinion", "view"})
    )
    return len(words) <= 2 or by or within or first


_LOOKED_FOR = words_in("expected reference keyword keywords target")
"""What a program finds in an output: contains_expected."""
_REMARKS = words_in(
    "comment comments note notes remark remarks kommentar kommentare anmerkung bemerkung comentario "
    "comentarios observacion observaciones commentaire remarque commento opmerking"
)
"""What people's words beside their verdict are called; machines give reasons."""


def _is_check(column: Evidence) -> bool:
    """Whether a name says what a program checks by rules: regex_ok, valid_json, state_check."""
    named = column.says(CHECKS) or _CHECKED.fullmatch(" ".join(column.leaf)) is not None
    named |= column.leaf[:1] == ["contains"] and column.ends(_LOOKED_FOR)
    return named and not column.says(HUMAN, OF_PEOPLE)


def agreements_with(column: Evidence, others: Sequence[Evidence]) -> list[tuple[float, int]]:
    """Agreement of a column with each of others, and the rows behind it."""
    return [agreement(column, c) for c in others]


def groups_that_share(columns: Sequence[Evidence]) -> list[list[Evidence]]:
    """Columns in groups: any two that have a label in common stand in one."""
    groups: list[list[Evidence]] = []
    for column in columns:
        mine = [g for g in groups if any(share(column, c) or _overlap(column, c) for c in g)]
        groups = [g for g in groups if g not in mine]
        groups.append([*(c for g in mine for c in g), column])
    return groups


def _overlap(first: Evidence, second: Evidence) -> bool:
    """Whether two columns of many numbers lie on one scale."""
    if not (first.is_score and second.is_score):
        return False
    low, high = zip(
        *((np.nanmin(c.numbers), np.nanmax(c.numbers)) for c in (first, second)), strict=True
    )
    return bool(min(high) - max(low) > 0.5 * (max(high) - min(low)))


def _of_two_or_more(grid: dict[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """Columns of systems side by side, without those whose system, or who judged it, is met once."""
    while True:
        systems = Counter(system for system, _ in grid.values())
        who = Counter(name for _, name in grid.values())
        kept = {n: p for n, p in grid.items() if systems[p[0]] > 1 or len(who) == 1}
        kept = {n: p for n, p in kept.items() if who[p[1]] > 1 or len(systems) == 1}
        if len(kept) == len(grid):
            return grid
        grid = kept


def _english(text: str) -> list[str]:
    """Words and figures of a text, in English where they are known."""
    return [w for piece in pieces(plain_letters(text)) for w in word_in_english(piece)]


def _ticks(column: Evidence) -> bool:
    """Whether labels are marks such as ticks, as a person sets them."""
    return any(label and not any(map(str.isalnum, label)) for label in column.labels)


def _halves(name: str) -> tuple[str, str] | None:
    """The two halves of a name joined by one mark: v3_judge."""
    parts = re.split(r"[_. -]+", name)
    if len(parts) < 2:
        return None
    return "_".join(parts[:-1]), parts[-1]

"""The order in which roles are decided: what cells hold, names, and agreement; what is left is asked."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, pairwise

import numpy as np

from algeval.data.names import Caution, folded
from algeval.errors import option
from algeval.io.answers import as_number
from algeval.io.column_words import (
    BAD_LABELS,
    CONFIDENT,
    COVARIATE,
    CRITERIA,
    GOOD_LABELS,
    GRADED,
    ID,
    MACHINE,
    METRICS,
    MISSING,
    MODELS,
    NEUTRAL_BAD,
    PROMPT,
    SLICE,
    SYSTEM,
    TRIAL,
    WEAK,
    WEAK_HUMAN,
    stems,
    words_in,
)
from algeval.io.evidence import (
    Evidence,
    agreement,
    each_once,
    forms_of,
    settle_commas,
    settles,
    share,
    together,
)
from algeval.io.role_people import People, agreements_with, differ_in_a_word, groups_that_share
from algeval.io.role_rows import is_question
from algeval.io.roles import (
    APART,
    KINDS_OF_VERDICT,
    NO_GRADE,
    NO_PROMPT,
    SURELY_RECODED,
    UNLIKE_HUMAN,
    Decision,
    Question,
    Roles,
    Stated,
    answered,
    both,
    good_label,
    may_measure,
    names_setups,
    pieces,
    recodes,
)
from algeval.io.tables import MemoryTable, Table

_SURELY_TRIAL = frozenset(
    ["trial", "epoch", "seed", "repeat", "repetition", "replicate", "replica"]
)

_DELIVERED = words_in("sent delivered posted exported assigned escalated")
"""Called so, a yes says what was done with an output, not what was found."""


class Order(People):
    """All decisions in their order."""

    def decide(self) -> None:
        """Take the decisions in their order."""
        chosen = self.stated.by_column(tuple(self.columns))
        numbers = all(self.columns[n].is_score for n, role in chosen.items() if role == "judge")
        for name, role in chosen.items():
            self._set([name], "score" if role == "judge" and numbers else role, "as you say")
        if self.stated.judge is not None or self.stated.answer is not None:
            self.roles.layout = "long"
        self._of_tool()
        steps: tuple[Callable[[], None], ...] = (
            self._empty_and_constant,
            self._times_and_texts,
            self._both_orders,
            self._pairs,
            self._by_name,
            self._runs_of_a_system,
            self._long,
            self._kinds_of_raters,
            self._identity,
            self._recoded,
            self._questions_side_by_side,
            self._side_by_side,
            self._trials_and_groups,
            self._people,
            self._judges,
            self._majorities,
            self._criteria_and_systems,
            self._models_or_systems,
            self._rest,
            self._grades_beside_words,
            self._people_of_other_questions,
            self._runs,
            self._repeats,
            self._crossed,
        )
        for step in steps:
            step()
        self._merge_questions()
        if self.stated.judges is None:
            self._offer_all_judges()
        why = ("the name says a", "numbered people", "first names")
        self.roles.names_judges = any(
            d.role in ("judge", "score", "human") and d.why.startswith(why)
            for d in self.decided.values()
        )
        self.roles.decided = {
            name: self.decided.get(name, Decision("ask", "its role must be asked"))
            for name in self.columns
        }

    def _offer_all_judges(self) -> None:
        """Name all judges in the answer that a column is one more: `judges` leaves out the others."""
        judges = [c.name for c in self._named("judge") if self.decided[c.name].why != "as you say"]
        begins = ("--judges ", "judges=")
        for k, question in enumerate(self.roles.questions):
            if not question.question.startswith(("Is column ", "Who gave column")):
                continue
            names = [name for name in judges if name not in question.columns]
            every = answered("judges", *names, *question.columns)
            answers = tuple(
                every if a.startswith(begins) and not all(name in a for name in names) else a
                for a in question.answers
            )
            self.roles.questions[k] = question._replace(answers=answers)

    def _merge_questions(self) -> None:
        """Make one question of those that ask of several columns who gave them."""
        several = [q for q in self.roles.questions if q.question.startswith("Who gave column ")]
        if len(several) < 2:
            return
        names = [name for q in several for name in q.columns]
        judges = [c.name for c in self._named("judge")]
        quoted = ", ".join(map(repr, names))
        measures = [name for name in names if may_measure(self.columns[name])]
        question = Question(
            f"Who gave columns {quoted}: people, or more judges?"
            f"{' Or are numbers measures?' if measures else ''}",
            tuple(names),
            (
                answered("human", *names),
                answered("judges", *judges, *names),
                *([answered("covariate", *measures)] if measures else []),
                answered("ignore", *names),
            ),
        )
        position = self.roles.questions.index(several[0])
        self.roles.questions[:] = [q for q in self.roles.questions if q not in several]
        self.roles.questions.insert(position, question)

    # --- what nobody named

    def _rest(self) -> None:
        if self.roles.layout == "long":
            for column in self.free:
                self._set([column.name], *self._beside_votes(column))
            return
        for column in list(self.free):
            if column.name in self.open_names or column.name in self.decided:
                continue
            if self._lists_verdicts(column):
                self._ask(
                    f"Column {column.name!r} holds lists of answers, of several people or judges. Write a "
                    "column for each of them, or leave it out.",
                    [column.name],
                    [answered("ignore", column.name)],
                )
            elif column.verdict_like:
                self._open(column)
            else:
                self._no_verdict(column)
        self._number_columns()

    def _lists_verdicts(self, column: Evidence) -> bool:
        """Whether cells are lists of answers that some column of verdicts holds one by one."""
        some = [t for t in column.texts[:200] if t.startswith("[")]
        if not some or len(some) < min(len(column.texts), 200):
            return False
        parts = {folded(x.strip(" '\"")) for t in some for x in t.strip("[]").split(",")} - {""}
        others = [c for c in self.columns.values() if c is not column and c.verdict_like]
        return 0 < len(parts) <= 12 and any(parts <= set(c.labels) for c in others)

    def _recoded(self) -> None:
        """Leave out numbers that say again what words of the same judge say: eval.x.label, eval.x.score."""
        votes = self._verdicts()
        for column in votes:
            same = [c for c in votes if c.parts[:-1] == column.parts[:-1] and not c.numeric]
            other = next((c for c in same if recodes(c, column)), None)
            if column.numeric and column.parts[:-1] and other is not None:
                self._set([column.name], "ignored", f"the same as {other.name!r}, in numbers")

    def _runs_of_a_system(self) -> None:
        """Leave out a run that each system has but one of, as it names the system again."""
        systems = [
            c for c in self.columns.values() if self._may_be_system(c) and c.filled == self.n
        ]
        systems = [c for c in systems if not c.ends(TRIAL)]
        for column in self.free:
            if column.ends(TRIAL) and len(column.texts) > 1 and column.filled == self.n:
                again = next((c for c in systems if settles(c, column)), None)
                if again is not None:
                    self._set([column.name], "ignored", f"it names {again.name!r} again")
                elif 2 * len(column.texts) <= self.n:
                    systems.append(column)  # a seed of each repetition names it again

    def _trials_and_groups(self) -> None:
        """Name repetitions, though their numbers may be verdicts' too."""
        for column in self.free:
            if column.ends(TRIAL) and self.n > 20 and 2 * len(column.texts) > self.n:
                self._set([column.name], "covariate", "another on most rows, as no repetition is")
            elif (
                column.ends(TRIAL)
                and column.filled == self.n
                and not column.speaks
                and (
                    column.ends(_SURELY_TRIAL)
                    or not self._shares(column)
                    or (_counts_up(column) and self._agrees_with_none(column))
                )
            ):
                self._set([column.name], "trial", "which repetition")

    def _agrees_with_none(self, column: Evidence) -> bool:
        others = [c for c in self.columns.values() if c is not column and c.verdict_like]
        return all(k * np.sqrt(n) <= 3 for k, n in agreements_with(column, others))

    def _beside_votes(self, column: Evidence) -> tuple[str, str]:
        if column.unique and column.words[-1:] == ["id"]:
            return "ignored", "a second id: one value a row"
        if column.ends(GRADED) and column.numeric:
            return "score", "how sure the rater was"
        if column.numeric:
            return "covariate", "a number beside the answers"
        return "slice", "a group"

    def _open(self, column: Evidence) -> None:
        """Decide on verdicts under a name that says nothing, or ask."""
        scores = self._named("score")
        settled = self._named("judge", "human")
        rivals = [c for c in self._verdicts() if c is not column and c.name not in self.open_names]
        sides = [c for c in self.columns.values() if c.verdict_like and self._names_sides(c)]
        if self.roles.layout == "pairwise" and sides and column not in sides:
            self._set(
                [column.name], *self._beside_votes(column)
            )  # it says not which answer is better
            return
        if column.ends({"version", "ver"}) and self._is_judge_word(column):
            self._set([column.name], "slice", "the name says which version judged")
            return
        if not _DELIVERED.isdisjoint(column.leaf) and column.binary:
            self._set([column.name], "slice", "the name says what was done with it")
            return
        if (clear := self._by_evidence(column)) is not None:
            self._set([column.name], *clear)
            return
        if not settled and not scores and self.stated.judges is None:
            self._plain(column, rivals)
        elif peers := self._peers(column, rivals):
            why = "columns that share their answers"
            self._set([c.name for c in (column, *peers)], "judge", why)
        else:
            self._beside_others(column, rivals)

    def _beside_others(self, column: Evidence, rivals: Sequence[Evidence]) -> None:
        """Decide on verdicts under a name that says nothing, beside judges, people or scores."""
        scores = self._named("score")
        settled = self._named("judge", "human")
        others = [*rivals, *(self.columns[name] for name in self.open_names)]
        shared = any(share(column, c) for c in settled)
        close = self._agreement_with(column, settled + scores)
        weak = column.ends(WEAK_HUMAN) or column.low in ("correct?", "is correct")
        if not settled and column.low == "status" and set(column.labels) == {"pass", "fail"}:
            self._set([column.name], "judge", "it says pass and fail")
        elif not settled and not shared and any(_go_together(column, c) for c in others):
            self._who_gave(column)  # it agrees with others beside numbers
        elif not settled and not shared:
            self._beside_scores(column, close, weak=weak)
        elif settled and self._is_of_another_scale(column, settled):
            if close > 0.5:
                self._who_gave(column)
            else:
                self._set([column.name], "covariate", "numbers on another scale than the grades")
        elif not shared and self._is_sparse(column) and _is_good_or_bad(column):
            self._who_gave(column)  # ok and nok beside 1 and 0
        elif not shared and self._may_be_grades(column, close):
            self._who_gave(column)
        elif not shared and not self._same_question(column, settled, close):
            named = column.ends(KINDS_OF_VERDICT, WEAK, WEAK_HUMAN)
            if named and (column.speaks or (column.binary and not column.binary_flag)):
                self._ask_if_judge(column)
            else:
                self._group_or_ask(column)
        else:
            self._beside_judges(column, close, weak=weak)

    def _peers(self, column: Evidence, rivals: Sequence[Evidence]) -> list[Evidence]:
        """Verdicts of two labels that agree with a column's, where a person is named and no judge yet."""
        if self._named("judge", "score") or column.binary_flag or len(column.labels) != 2:
            return []
        if any(share(column, c) for c in self._named("human")):
            return []
        two = [c for c in rivals if len(c.labels) == 2 and not c.binary_flag and share(c, column)]
        two = [c for c in two if c.filled >= 0.9 * self.n]
        strong = [agreement(column, c) for c in two]
        return [c for c, (k, n) in zip(two, strong, strict=True) if k > 0.2 and k * np.sqrt(n) > 4]

    def _is_of_another_scale(self, column: Evidence, settled: Sequence[Evidence]) -> bool:
        """Whether numbers under a name that says no judging lie beyond people's and judges' grades."""
        if not may_measure(column) or column.ends(CRITERIA, GRADED, WEAK, WEAK_HUMAN):
            return False
        if self._is_judge_word(column) or self._is_model(column) or column.says(MACHINE):
            return False
        grades = [c.numbers for c in settled if c.numeric and not c.binary]
        if sum(int((~np.isnan(own)).sum()) for own in grades) < SURELY_RECODED:
            return False  # few answers do not show a scale
        low, high = min(map(np.nanmin, grades)), max(map(np.nanmax, grades))
        return bool(np.nanmin(column.numbers) < low or np.nanmax(column.numbers) > high)

    def _beside_scores(self, column: Evidence, close: float, *, weak: bool) -> None:
        """Decide on labels where all others are numbers."""
        if weak:
            self._set([column.name], "human", "the name says a true label, beside scores")
        elif (close > 0.3 and (len(column.labels) == 2 or column.numeric)) or (
            (column.numeric or _is_good_or_bad(column) or column.speaks)
            and self._is_sparse_beside_scores(column)
        ):
            self._who_gave(column)
        else:
            self._group_or_ask(column)

    def _group_or_ask(self, column: Evidence) -> None:
        """Name a group, unless it goes along with verdicts and differs within a prompt, as no group does."""
        prompts = [c for c in self._named("prompt", "item") if not c.unique and c.filled == self.n]
        words = {*GOOD_LABELS, *BAD_LABELS, *NEUTRAL_BAD}
        says = not words.isdisjoint(column.labels) or column.ends(WEAK, WEAK_HUMAN)
        grouped = any(settles(p, column) for p in prompts) or column.ends(SLICE, SYSTEM) or not says
        if column.numeric or grouped or names_setups(column) or not self._goes_with(column):
            self._set([column.name], *self._beside_votes(column))
        else:
            self._who_gave(column)

    def _beside_judges(self, column: Evidence, close: float, *, weak: bool) -> None:
        """Decide on verdicts that judges or people give, too."""
        people, sparse = self._named("human"), self._is_sparse(column)
        plain = not column.binary and not column.ends(WEAK)
        alone = (
            len(people) > 1
            and not self.stated.human
            and not self._named("judge")
            and sum(c.verdict_like for c in self.free) == 1
        )
        unproven = may_measure(column) and not (
            column.ends(CRITERIA, GRADED) or column.says(MACHINE)
        )
        others = [
            c for c in (*self._named("judge"), *self._verdicts()) if c is not column and c.numeric
        ]
        least = (
            3 if others else 2
        )  # of z, by which chance shows agreement in 1 of 700 tables, or of 40
        unproven &= all(
            k <= 0.3 or k * np.sqrt(n) < least for k, n in agreements_with(column, people)
        )
        if alone and not self.named_judges:
            self._who_gave(column)
        elif unproven and people and plain and not self._is_model(column):
            self._ask_if_judge(column)
        elif not self.named_judges and people and plain and not sparse:
            self._set([column.name], "judge", "it shares its answers with what people said")
        elif sparse and weak:
            self._set([column.name], "human", f"sparse, and called {column.name!r}")
        elif not sparse and weak and column.says({"label", "labels", "annotation"}) and not people:
            self._set([column.name], "human", "the name says the labels")
        elif sparse or column.ends(WEAK, WEAK_HUMAN):
            self._who_gave(column)
        elif close <= 0.3:
            self._ask_if_judge(column)
        elif people and not column.binary_flag and not self._may_be_more_people(people, column):
            self._set([column.name], "judge", f"it agrees with the judges ({close:.2f})")
        else:
            self._who_gave(column)

    def _may_be_more_people(self, people: Sequence[Evidence], column: Evidence) -> bool:
        """Whether several people answer, one of them on most rows, and no judge is called alike."""
        if any(differ_in_a_word(column, c) for c in self._named("judge")):
            return False  # ai_finding, cad_finding
        return len(people) > 1 and any(c.answered >= 0.6 * self.n for c in people)

    def _plain(self, column: Evidence, rivals: Sequence[Evidence]) -> None:
        """Decide where no column is named as a judge or a person: columns that share labels vote."""
        alike = self._of_its_labels(column, rivals)
        if not alike:
            return
        keys = [c for c in alike if c.low in ("label", "labels")]
        if keys and all(c.ends(WEAK) for c in alike if c not in keys) and len(alike) > 1:
            for entry in alike:
                self._who_gave(entry)
        elif len(alike) > 2 and sum(map(self._is_sparse, alike)) == 1 and not keys:
            odd = next(c for c in alike if self._is_sparse(c))
            self._set(
                [c.name for c in alike if c is not odd], "judge", "columns that share their answers"
            )
            self._who_gave(odd)
        elif len(alike) > 1:
            self._set(
                [c.name for c in alike if c not in keys],
                "judge",
                "columns that share their answers",
            )
            self._set([c.name for c in keys], "human", "the name says the labels")
        elif (any(c.speaks for c in rivals) and not column.speaks) or self._is_id_or_group(column):
            self._set([column.name], *self._beside_votes(column))
        else:
            self._alone(column, rivals)

    def _of_its_labels(self, column: Evidence, rivals: Sequence[Evidence]) -> list[Evidence]:
        """Columns that share labels with one, itself first; none where it is asked about.

        Those that go their own way, and two measures, are asked about.
        """
        alike = [column]
        for entry in alike:  # grows by those that share a label with one that does
            more = [c for c in rivals if c not in alike and share(c, entry)]
            alike += [c for c in more if _of_like_kind(c, entry)]
        odd = [c for c in alike if len(alike) > 2 and _is_apart_from(c, alike)]
        if len(alike) == 2 and len(rivals) > 1 and self._are_measures(alike):
            odd = alike
        for entry in odd:
            self._ask_if_judge(entry)
        return [] if column in odd else [c for c in alike if c not in odd]

    def _are_measures(self, pair: Sequence[Evidence]) -> bool:
        """Whether two columns of numbers that agree no more than by chance may be measures: age and floor."""
        plain = all(may_measure(c) and not c.ends(CRITERIA, GRADED, WEAK) for c in pair)
        kappa, n = agreement(*pair) if plain else (1.0, 1)
        return plain and kappa * np.sqrt(n) < 2

    def _is_id_or_group(self, column: Evidence) -> bool:
        """Whether words that are no verdicts are ids by their name, or a form's."""
        verdicts = column.speaks or column.binary or column.numeric or column.ends(WEAK)
        form = any(map(is_question, self.open_names))
        return not (verdicts or self._is_judge_word(column)) and (column.ends(ID) or form)

    def _alone(self, column: Evidence, rivals: Sequence[Evidence]) -> None:
        """Decide on verdicts that share no label with others, where nobody is named."""
        if not rivals and column.answered < 0.6 * self.n and self._has_dense_numbers():
            self._who_gave(column)
        elif (
            column.numeric
            and len(column.labels) > 2
            and any(c.is_score and not c.ends(COVARIATE) for c in self.free)
            and not column.ends(WEAK, CRITERIA, GRADED)
        ):
            self._ask_if_judge(column)
        elif not rivals or column.speaks or column.ends(WEAK, CRITERIA):
            self._set([column.name], "judge", "the only column of verdicts")
        else:
            self._is_a_judge(column)

    def _has_dense_numbers(self) -> bool:
        return any(c.is_score and c.filled >= 0.9 * self.n for c in self.free)

    def _same_question(self, column: Evidence, settled: Sequence[Evidence], close: float) -> bool:
        two = len(column.labels) == 2 and any(len(c.labels) == 2 for c in settled)
        return close > 0.5 and two

    def _may_be_grades(self, column: Evidence, close: float) -> bool:
        """Whether a few whole numbers under an unknown name may be somebody's grades of the outputs."""
        several = column.verdict_like_numbers and len(column.labels) > 2
        return several and (close > 0.3 or self._is_sparse(column))

    def _is_sparse_beside_scores(self, column: Evidence) -> bool:
        scores = self._named("score")
        return column.filled < 0.6 * self.n and any(c.filled >= 0.9 * self.n for c in scores)

    def _is_a_judge(self, column: Evidence) -> None:
        verdict = {*GOOD_LABELS, *BAD_LABELS, *NEUTRAL_BAD}
        judged = any(
            c.speaks or c.numeric or c.binary for c in self.columns.values() if c is not column
        )
        if not column.numeric and verdict.isdisjoint(column.labels) and judged:
            self._set(
                [column.name], "slice", "a group: its words are no verdicts, and no judge says them"
            )
            return
        self._ask_if_judge(column)

    def _no_verdict(self, column: Evidence) -> None:
        """Name a column that holds no verdicts and no role."""
        if column.is_score:
            return  # all numbers together, below
        if column.unique and not column.numeric and not column.sentences:
            self._set([column.name], "ignored", "a second id: one value a row")
        elif column.figures:
            self._set(
                [column.name], "ignored", "numbers with marks: write them without, to use them"
            )
        elif len(column.texts) > max(12, self.n // 4):
            self._set([column.name], "text", "words to show")
        else:
            self._set([column.name], "slice", "a group")

    def _number_columns(self) -> None:
        """Decide on numbers that are no grades: scores of judges, or measures."""
        settled = [*self._named("judge", "human", "score")]
        for column in sorted(self.free, key=lambda c: not c.ends(CRITERIA, GRADED)):
            if column.name in self.open_names or not column.is_score:
                continue
            unit = bool(np.nanmin(column.numbers) >= 0 and np.nanmax(column.numbers) <= 1)
            close = self._agreement_with(column, [c for c in settled if c is not column])
            named = self._is_called_score(column, close, unit=unit)
            machine = self._is_model(column) or self._is_judge_word(column)
            machine = machine or stems(column.words, METRICS) or bool(column.parents)
            scores = [c for c in self._named("score") if " name" in self.decided[c.name].why]
            alone = not self._named("judge") and not scores
            if column.says({"time"}) or (column.says(COVARIATE) and not named):
                self._set([column.name], "covariate", "the name says a measure")
            elif not named and unit and column.is_decimal and alone and column.filled == self.n:
                self._set([column.name], "score", "numbers from 0 to 1, and nobody else judges")
            elif not named and unit and close > 0.3 and self._is_fine(column):
                self._set([column.name], "score", "from 0 to 1 in steps that no person takes")
            elif self._may_be_persons(column, close, machine=machine) or (
                not named and any(_same_scale(column, c) for c in scores)
            ):
                self._who_gave(column)
            elif (
                named
                or not settled
                or (unit and close > 0.3 and self._named("score"))
                or (
                    close > 0.5 and (self._is_fine(column) or self._is_machines_by_coverage(column))
                )
            ):
                why = "numbers of a judge, by its name" if named else "numbers of a judge"
                self._set([column.name], "score", why)
            elif close > 0.5 or (
                self._named("score") and (close > 0.3 or self._is_sparse_beside_scores(column))
            ):
                self._who_gave(column)
            elif (column.says({"da"}) or column.low == "direct assessment") and self._named(
                "score"
            ):
                self._who_gave(column)  # numbers of people, beside metrics of translation
            else:
                why = (
                    f"{NO_GRADE}: a measure, unless {option('human')} or {option('judges')} says so"
                )
                self._set([column.name], "covariate", why)

    def _is_called_score(self, column: Evidence, close: float, *, unit: bool) -> bool:
        """Whether numbers are called like a judge's scores; between 0 and 1 (`unit`), like bad news."""
        scored = column.ends(CRITERIA, GRADED) or any(w.endswith("score") for w in column.leaf)
        machine = column.says(MACHINE) and (column.says(WEAK) or close > 0.3)
        return scored or machine or self._is_judge_word(column) or (unit and column.is_bad_news)

    def _is_machines_by_coverage(self, column: Evidence) -> bool:
        """Whether numbers stand on all rows, some no whole ones, where people answered a part."""
        people = self._named("human")
        whole = 20 * column.filled >= 19 * self.n
        whole &= (
            column.is_decimal
            or column.ends(GRADED)
            or any(w.endswith("score") for w in column.leaf)
        )
        return whole and bool(people) and all(10 * c.answered <= 9 * self.n for c in people)

    def _is_fine(self, column: Evidence) -> bool:
        """Whether numbers on nearly all rows have thousandths, as only a machine's do."""
        fine = sum(len(text.partition(".")[2]) > 2 for text in column.texts)
        return 10 * column.filled >= 9 * self.n and 2 * fine > len(column.texts) > 20

    def _may_be_persons(self, column: Evidence, close: float, *, machine: bool) -> bool:
        """Whether numbers under an unknown name may be a person's: sparse, or close to what people said."""
        people = bool(self._named("human"))
        if column.says(MACHINE) or self._is_fine(column) or self._is_machines_by_coverage(column):
            return False
        if not machine and self._is_sparse_beside_scores(column) and (close > 0.3 or not people):
            return True
        return (
            people
            and close > 0.5
            and not (self._is_model(column) or self._is_judge_word(column))
            and not stems(column.words, METRICS)
            and not column.ends(CONFIDENT, CRITERIA, {"preference"})
        )

    # --- people who answered another question

    def _grades_beside_words(self) -> None:
        """Take judges' grades for scores where people say a good and a bad word, so that none is the same."""
        people = [c for c in self._named("human") if c.verdict_like]
        labels = {label for c in people for label in c.labels}
        if self.roles.layout not in ("wide", "long"):
            return
        if good_label(labels) is None and GOOD_LABELS.isdisjoint(labels):
            return
        judges = self._named("judge" if self.roles.layout == "wide" else "answer")
        most = max((float(x) for c in judges if c.numeric for x in c.labels), default=0.0)
        if any(c.numeric and (not c.binary or most <= 2) for c in people):
            return
        said = [c for c in judges if self.decided[c.name].why == "as you say"]
        grades = [c for c in judges if c.numeric and not c.binary and len(c.labels) > 2]
        if self.roles.layout == "long":
            stated = [c for c in people if self.decided[c.name].why == "as you say"]
            if grades and not stated:
                self._set([c.name for c in people], "slice", UNLIKE_HUMAN)
            return
        if not said or len(grades) == len(judges):
            why = "grades, where people say yes or no"
            self._set([c.name for c in grades], "score", why)

    def _people_of_other_questions(self) -> None:
        """Leave out, or ask about, people's columns that have no label in common with the people's others.

        Those who answer as the judges do stay: a thumb beside a reviewer's verdict is another question.
        """
        if self.roles.layout not in ("wide", "pairwise"):
            return
        groups = groups_that_share(self._named("human"))
        if len(groups) < 2 or self._say_the_same(groups):
            return
        judges = self._named("judge")
        fitting = [g for g in groups if any(share(c, j) for c in g for j in judges)]
        stated = [g for g in groups if any(self.decided[c.name].why == "as you say" for c in g)]
        kept = stated or fitting
        if len(kept) > 1 or not kept:
            self._ask_which_people(kept or groups, judges)
        if kept:
            first = kept[0][0].name
            for column in (c for g in groups if g not in kept for c in g):
                role = "covariate" if column.numeric and not column.binary else "slice"
                instead = option("human", column.name)
                why = f"a person's, with no label of {first!r}: {instead} takes it instead"
                self._set([column.name], role, why)

    def _say_the_same(self, groups: Sequence[Sequence[Evidence]]) -> bool:
        """Whether people say good and bad in two pairs of words, alike on the rows that both have."""
        first, *others = [g[0] for g in groups]
        for other in others:
            labels = [list(c.labels) for c in (first, other)]
            two = all(len(own) == 2 and good_label(own) is not None for own in labels)
            phi, n = agreement(first, other) if two else (0.0, 0)
            if not two or n < 20 or phi < 0.6 or not _good_together(first, other):
                return False
        return True

    def _ask_which_people(
        self, groups: Sequence[Sequence[Evidence]], judges: Sequence[Evidence]
    ) -> None:
        """Add the question which of people's columns, each of labels of its own, holds the truth."""
        names = [c.name for g in groups for c in g]
        answers = []
        for group in groups:
            own = answered("human", *(c.name for c in group))
            fits = [j.name for j in judges if any(share(c, j) for c in group)]
            others = [n for n in names if n not in [c.name for c in group]]
            was_said = not set(self.stated.human).isdisjoint(others)
            rest = answered("ignore" if was_said else "slice", *others)
            if fits and len(fits) < len(judges):
                own = both(own, answered("judges", *fits))
            answers.append(both(own, rest))
        for name in names:
            self.decided.pop(name, None)
        self._ask(
            f"Which holds the labels that judges are to match: {' or '.join(map(repr, names))}? They have no "
            "label in common.",
            names,
            answers,
        )

    # --- runs of one judge

    def _runs(self) -> None:
        groups: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        for column in self._named("judge"):
            marked = re.fullmatch(
                r"(.+?)[_ .-]?(?:run|rep|trial|sample|epoch|seed|try|pass)[_ .-]?(\d+)",
                column.name,
                re.IGNORECASE,
            )
            model = re.fullmatch(r"(.+?)[_ -](\d)", column.name)
            if marked:
                groups[marked.group(1)].append((int(marked.group(2)), column.name))
            elif model and stems(pieces(model.group(1)), MODELS):
                groups[model.group(1)].append((int(model.group(2)), column.name))
        for stem, picked in groups.items():
            numbers = sorted(k for k, _ in picked)
            if (
                len(picked) > 1
                and numbers[0] in (0, 1)
                and all(b - a == 1 for a, b in pairwise(numbers))
            ):
                for k, name in picked:
                    self.roles.runs[name] = stem
                    self._set([name], "judge", f"run {k} of {stem}")

    # --- rows that judge the same output again

    def _repeats(self) -> None:
        if self.roles.layout != "wide" or not self.roles.item or self.roles.repeats:
            return
        ids = [self.columns[n] for n in self.roles.item]
        if each_once(ids) or together(ids) is None:
            return
        if self.stated.repeats or self._named("trial"):
            self.roles.repeats = True

    # --- a group nobody named that crosses the prompts exactly

    def _crossed(self) -> None:
        """Add the question what a group under an unknown name is that makes the rows of one id differ."""
        if self.roles.layout != "wide" or self.roles.repeats or self.stated.repeats:
            return
        partners = [c for c in self._named("system", "trial") if c.filled == self.n]
        ids = [c for c in self._named("prompt", "item") if not c.unique and c.filled == self.n]
        ids += [
            c
            for c in self._named("slice")
            if self.decided[c.name].why.startswith(NO_PROMPT) and c.filled == self.n
        ]
        open_whys = ("a group", "a number beside the answers", NO_GRADE, NO_PROMPT, APART)
        groups = [
            c
            for c in self._named("slice", "covariate")
            if (self.decided[c.name].why.partition(":")[0] in open_whys or c.ends(SYSTEM))
            and self.decided[c.name].why != "as you say"
            and not c.ends(SLICE, COVARIATE, ID, {"email", "address", "batch", "wave", "shard"})
            and 1 < len(c.texts) <= 12
            and not c.is_decimal
        ]
        by_row = bool(self.roles.item) and self.columns[self.roles.item[0]].unique and not ids
        for column in (*ids, *(() if by_row else (*self._by_prompt_name(), *self._may_be_ids()))):
            if partners and each_once([column, *partners]):
                if (
                    self._named("system")
                    and not self._named("prompt")
                    and 2 * len(column.texts) <= self.n
                ):
                    why = "each system has it once: systems are compared on it"
                    self._set([column.name], "prompt", why)
                return
            for parts in (*([c] for c in groups), *map(list, combinations(groups, 2))):
                if column not in parts and self._crosses([column, *partners], parts):
                    self._ask_parts(column, parts, partners)
                    return
        if not partners and not self.stated.system:
            self._ask_setups(groups)

    def _by_prompt_name(self) -> list[Evidence]:
        """Groups that are called like what is asked, as a scenario."""
        return [
            c
            for c in self._named("slice")
            if c.ends(PROMPT, ID)
            and not c.ends(SLICE)
            and c.filled == self.n
            and len(c.texts) > 4
            and self.decided[c.name].why != "as you say"
        ]

    def _ask_parts(
        self, column: Evidence, parts: Sequence[Evidence], partners: Sequence[Evidence]
    ) -> None:
        for part in parts:
            self.decided.pop(part.name, None)
        if len(parts) == 1 and not partners:
            self._ask_system_or_judge(parts[0])
            return
        if len(parts) == 1 and not parts[0].numeric and all(c.ends(TRIAL) for c in partners):
            self._set(
                [parts[0].name], "system", "outputs of one prompt differ by it in each repetition"
            )
            return
        if len(parts) == 1:
            first = parts[0]
            answers = [answered(what, first.name) for what in ("trial", "slice")]
            question = (
                f"Rows of one {column.name!r} differ in {first.name!r}: which repetition is it?"
            )
        else:
            first, last = sorted(parts, key=lambda c: not names_setups(c))
            names = f"{first.name!r} and {last.name!r}"
            answers = [
                both(answered("system", a.name), answered("trial", b.name))
                for a, b in ((first, last), (last, first))
            ]
            question = (
                f"Rows of one {column.name!r} differ in {names}: which says whose output was judged, and "
                "which the repetition?"
            )
        self._ask(question, [c.name for c in parts], answers)

    def _ask_setups(self, groups: Sequence[Evidence]) -> None:
        """Add the question whether models, versions or arms of a test say whose output was judged."""
        for column in groups:
            if names_setups(column):
                self.decided.pop(column.name, None)
                self._ask_system_or_judge(column)
                return


def roles_of(table: Table, stated: Stated) -> Roles:
    """Role of every column of a table, and what must be asked."""
    parted = any(note.endswith("read as CSV") for note in table.notes)
    columns = {name: Evidence.of(table, name, parted=parted) for name in table.names}
    settle_commas(columns.values())
    _share_none(columns.values())
    _share_few(columns.values())
    reading = Order(columns, stated, table.index.columns, named=table.index.named)
    reading.decide()
    if isinstance(table, MemoryTable) and table.people:
        reading.roles.people_named = table.people
    _say_origins(reading.roles, table)
    reading.roles.said = tuple(note for note in table.notes if isinstance(note, Caution))
    return reading.roles


def _say_origins(roles: Roles, table: Table) -> None:
    """Name, for each column that a tool's reader makes, what it is in the tool's file."""
    said = next((note for note in table.notes if note.startswith("item: ")), None)
    if said is None or not any("read as a file of" in note for note in table.notes):
        return
    origins = dict(part.split(": ", 1) for part in said.split("; ") if ": " in part)
    names = {"item": "item", "judge": "judge", "answer": "answer", "question": "answer"}
    for origin, column in names.items():
        if origin in origins and column in roles.decided:
            what = f"the question {origins[origin]}" if origin == "question" else origins[origin]
            people = column == "judge" and roles.people_named
            why = f"{what}; people's answers are the labels" if people else what
            roles.decided[column] = Decision(roles.decided[column].role, f"of the tool: {why}")


def _share_few(columns: Iterable[Evidence]) -> None:
    """Take for verdicts a column's few answers, each hardly twice, in the words of verdicts of another."""
    verdicts = [c for c in columns if c.verdict_like and len(c.labels) > 1]
    for column in columns:
        sparse = not column.many and 0 < column.answered < 0.6 * column.n_rows
        if sparse and not column.verdict_like and len(column.labels) > 1:
            own = set(column.labels)
            column.of_others = any(own <= set(c.labels) for c in verdicts)


def _share_none(columns: Iterable[Evidence]) -> None:
    """Take 'none' for a label in columns of the words of one where it is one."""
    keepers = [c for c in columns if c.none_is_label]
    words = {label for c in keepers for label in c.labels}
    for column in columns:
        if keepers and "none" in column.texts and column not in keepers:
            others = {folded(t) for t in column.texts} - set(MISSING)
            if others <= words:
                column.none_is_label = True
                column.__dict__.pop("labels", None)


def _same_scale(column: Evidence, score: Evidence) -> bool:
    """Whether numbers lie where a score's lie, spread as wide, and are written with as many decimals."""
    low, high = float(np.nanmin(score.numbers)), float(np.nanmax(score.numbers))
    own_low, own_high = float(np.nanmin(column.numbers)), float(np.nanmax(column.numbers))
    span = high - low
    near = low - span / 4 <= own_low and own_high <= high + span / 4
    return bool(span > 0 and near and own_high - own_low >= span / 3) and (
        column.is_decimal == score.is_decimal
    )


def _is_apart_from(column: Evidence, others: Sequence[Evidence]) -> bool:
    """Whether a column says what no other of its group says, and agrees with none of them."""
    rest = [c for c in others if c is not column]
    own = forms_of(column) - set().union(*map(forms_of, rest))
    return bool(own) and all(k * np.sqrt(n) < 2 for k, n in agreements_with(column, rest))


def _is_good_or_bad(column: Evidence) -> bool:
    """Whether a column says one word for good and one for bad, and not yes and no, as a flag may."""
    words = column.labels
    two = len(words) == 2 and not (column.binary or column.numeric)
    return two and good_label(words) is not None


def _of_like_kind(first: Evidence, second: Evidence) -> bool:
    """Whether not one says 0 and 1 where the other has five grades or more, on its own."""
    few, many = sorted((first, second), key=lambda c: len(c.labels))
    if not (first.numeric and second.numeric and few.binary and len(many.labels) > 4):
        return True
    kappa, n = agreement(few, many)
    return bool(kappa * np.sqrt(n) > 3)


def _go_together(first: Evidence, second: Evidence) -> bool:
    """Whether two columns of words share labels, and agree as by chance they hardly do."""
    if first.numeric or second.numeric or not share(first, second):
        return False
    kappa, n = agreement(first, second)
    return bool(kappa > 0.3 and kappa * np.sqrt(n) > 4)


def _counts_up(column: Evidence) -> bool:
    """Whether the texts are 1 2 3 or 0 1 2, without a gap."""
    numbers = sorted(as_number(text) or 0 for text in column.texts) if column.numeric else []
    return bool(numbers) and numbers[0] in (0, 1) and all(b - a == 1 for a, b in pairwise(numbers))


def _good_together(first: Evidence, second: Evidence) -> bool:
    """Whether two columns of a good and a bad label each mostly say good on the same rows."""
    goods = []
    for column in (first, second):
        good = good_label(column.labels)
        own = np.array([float(folded(t) == good) for t in column.texts] + [np.nan])
        goods.append(np.where(column.codes < 0, np.nan, own[column.codes]))
    both = ~(np.isnan(goods[0]) | np.isnan(goods[1]))
    return bool(both.any()) and bool((goods[0][both] == goods[1][both]).mean() > 0.5)

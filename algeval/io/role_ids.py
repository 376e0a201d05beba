"""What a row is: a verdict of one rater, or an output and its verdicts; and how outputs are identified."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from algeval.errors import DataError, option
from algeval.io.answers import Positions
from algeval.io.column_words import (
    CONFIDENT,
    COVARIATE,
    CRITERIA,
    DONE,
    FIRST_NAMES,
    GRADED,
    HUMAN,
    ID,
    JUDGE,
    MODELS,
    PEOPLE_ONLY,
    PROMPT,
    RATERS,
    REASON,
    REVIEWER,
    SAID,
    SLICE,
    SYSTEM,
    TRIAL,
    WEAK,
    WEAK_HUMAN,
    WHO,
    stems,
    words_in,
)
from algeval.io.evidence import Evidence, agreement, each_once, settles, share, together
from algeval.io.layout import Export, export_of, item_columns, shown
from algeval.io.role_rows import SIDES, Rows, is_to_read
from algeval.io.roles import (
    APART,
    NO_GRADE,
    NO_PROMPT,
    NONE_OF_THEM,
    Decision,
    answered,
    differs_within,
    good_label,
    pieces,
    says_system,
)

_TALKS = words_in("session sessionid conversation thread threadid dialog dialogue chat call")
"""Of those, what a talk of several turns is called."""
_KINDS = (
    words_in(
        "human humans person people manual annotator annotation expert user reviewer crowd worker"
    ),
    words_in(
        "llm model ai code api eval auto automatic automated machine heuristic bot judge llm_judge"
    ),
)
"""Words by which a column tells people's answers from machines'."""
_CRITERION = words_in("criterion criteria dimension rubric metric attribute quality")
_PART_OF_TALK = words_in("turn round step")


class Ids(Rows):
    """Decisions about what a row is, and about ids."""

    # --- columns of a known tool

    def _of_tool(self) -> None:
        """Name a tool's own columns: who answered what, and what it notes beside."""
        export = export_of(self.columns)
        if export is None or self.roles.layout == "long":
            return
        own = {c.name: role for c in self.free if (role := export.role(c.name))}
        why = f"a column of {export.title}"
        for name, role in own.items():
            column = self.columns[name]
            if column.nested or not column.filled or role in ("item", "who", "answer"):
                continue
            if role == "judge" and (not column.verdict_like or column.constant):
                role = "score" if column.is_score else ""
            if role == "text" and (column.numeric or column.constant):
                continue
            if role == "judge" and self.stated.judges is not None:
                continue
            if role and not (role == "score" and not column.numeric):
                self._set([name], role, why)
        self._answers_of_tool(export, own)

    def _item_of_tool(self, export: Export) -> Evidence | None:
        """Column of what people judged in a tool: a task, where one input makes several."""
        item, finer = self.columns.get(export.item), self.columns.get(export.finer)
        if item is None or finer is None or settles(item, finer):
            return item
        self.decided.pop(finer.name, None)
        self._set([item.name], "prompt", f"it was asked about in several ways: {finer.name!r}")
        return finer

    def _answers_of_tool(self, export: Export, own: Mapping[str, str]) -> None:
        """Name what people answered in a tool, who they were and what they judged."""
        answers = [c for c in map(self.columns.__getitem__, own) if own[c.name] == "answer"]
        item, who = self._item_of_tool(export), self.columns.get(export.who)
        if not export.answers and who is not None:
            answers = [
                c for c in self.free if export.role(c.name) is None and not self._is_machine(c)
            ]
            answers = [
                c for c in answers if any(share(c, m) for m in self.free if self._is_machine(m))
            ]
        answers = [
            c for c in answers if c.name not in self.decided and (c.verdict_like or c.is_score)
        ]
        if item is None or item.name in self.decided or len(answers) != 1 or self.stated.item:
            return
        answer = answers[0]
        if who is None or item.unique or not item.filled:
            self._set([answer.name], "human", f"people's answers in {export.title}")
            if item.unique:
                self._set([item.name], "item", "one value a row")
                self.roles.item = (item.name,)
            if who is not None and who.name not in self.decided and not who.constant:
                self._set([who.name], "slice", f"who answered in {export.title}")
        elif who.name not in self.decided:
            self.roles.layout, self.roles.item = "long", (item.name,)
            self._set([who.name], "rater", f"who answered in {export.title}")
            self._set([answer.name], "answer", "what they said")
            self._set([item.name], "item", "what was judged")
            self._name_beside(who, answer, self._beside_raters(who, answer, [item]))

    # --- a row per verdict

    def _long(self) -> None:
        if self.stated.judge is not None or self.stated.answer is not None:
            self._long_as_said()
            return
        if self.stated.judges is not None and set(self.stated.judges) <= set(self.columns):
            return
        said = [self.columns[n] for n in self.stated.human if n in self.columns]
        raters = [c for c in (*said, *self.free) if self._may_name_raters(c)]
        raters.sort(key=_names_users)
        models = [c for c in self.columns.values() if self._is_model(c) and c.verdict_like]
        outputs = [
            c for c in self._named("text") if not (c.asks or c.ends(REASON)) and c.filled == self.n
        ]
        if len(models) > 1 or any(20 * len(c.texts) >= 19 * self.n for c in outputs):
            return  # columns of judges, or another output on each row, which one person saw
        for rater in raters:
            ids = self._ids_of_raters(rater)
            if ids is not None and _names_users(rater) and not self._users_judge(rater, ids):
                continue
            if ids is None:
                ids = self._ids_and_a_group(rater)
            answer = None if ids is None else self._answer_column(rater, ids)
            if answer is None or ids is None:
                if ids is not None and not each_once(ids):
                    self._ask_answer(rater, ids)
                continue
            beside = self._beside_raters(rater, answer, ids)
            if each_once(ids) and any(map(self._is_machine, beside)):
                self._single_raters(rater, answer)
                return
            self.roles.layout = "long"
            self._set([rater.name], "rater", "who answered")
            self._set([answer.name], "answer", "what they said")
            ids = self._without_trials(ids)
            self._name_ids(ids)
            self.roles.item = tuple(c.name for c in ids)
            self._name_beside(rater, answer, beside)
            return

    def _without_trials(self, ids: list[Evidence]) -> list[Evidence]:
        """Ids without a repetition in which the same outputs were judged again, which becomes a trial.

        So it is where what is said of outputs, and of no id alone, is the same in all repetitions.
        """
        trials = [c for c in ids if c.ends(TRIAL)]
        rest = [c for c in ids if c not in trials]
        rows = together(rest) if trials and rest else None
        if rows is None:
            return ids
        output = self._of_codes(rows)
        shown_ = [c for c in self._named("text") if c.answers]
        said = shown_ or [
            c
            for c in self.columns.values()
            if c not in ids
            and len(c.texts) > 1
            and (c.numeric or c.verdict_like or c.says(HUMAN))
            and not any(settles(each, c) for each in rest)
        ]
        again = together([*rest, *trials])
        assert again is not None
        same = [c for c in said if c in shown_ or _is_alike_within(output, again, c)]
        same = [c for c in same if _settled_where_filled(output, c)]
        if not same or (shown_ and len(same) < len(shown_)):
            return ids
        self._set([c.name for c in trials], "trial", "which repetition")
        return rest

    def _users_judge(self, rater: Evidence, ids: Sequence[Evidence]) -> bool:
        """Whether users gave the verdicts: rows of an item repeat, and no column says who else judged."""
        rows = together(ids)
        named = [c for c in self.columns.values() if c.constant and not _names_users(c)]
        others = rater.name not in self.stated.human and any(map(self._is_called_like_rater, named))
        return rows is not None and 2 * self.n >= 3 * (int(rows.max()) + 1) and not others

    def _ids_and_a_group(self, rater: Evidence) -> list[Evidence] | None:
        """Ids that each rater met once in each group of a column that nobody named, which is asked about."""
        groups = [
            c
            for c in self.free
            if c is not rater
            and not (c.numeric or c.binary or c.speaks)
            and not c.ends(SLICE, CRITERIA, WEAK, WEAK_HUMAN)
            and 1 < len(c.texts) <= 12
        ]
        for group in groups:
            ids = self._ids_of_raters(rater, [group])
            if ids is not None:
                self._ask(
                    f"Does {group.name!r} say whose output was judged?",
                    [group.name],
                    [answered("system", group.name), answered("trial", group.name)],
                )
                return ids
        return None

    def _ask_answer(self, rater: Evidence, ids: Sequence[Evidence]) -> None:
        """Add the question which column holds what raters said, where several may."""
        item = together(ids)
        assert item is not None
        rows = self._of_codes(item)
        picked = [
            c.name
            for c in self.free
            if c is not rater
            and c not in ids
            and (c.verdict_like or c.is_score)
            and not c.says(COVARIATE)
            and not _settled_where_filled(rows, c)
        ]
        if not picked or any(map(self._is_machine, map(self.columns.__getitem__, picked))):
            return
        self._ask(
            f"Which column holds what each of {rater.name!r} said?",
            [rater.name, *picked],
            [answered("answer", name) for name in picked[:6]],
        )

    def _kinds_of_raters(self) -> None:
        """Name the raters who are people where a column says of each row whether a person answered."""
        rater = next(iter(self._named("rater")), None)
        if rater is None:
            return
        if self.stated.people:
            self._people_as_said(rater)
            return
        for column in [c for c in (*self.free, *self._named("slice")) if 1 < len(c.texts) <= 6]:
            people = [k for k, text in enumerate(column.texts) if _KINDS[0] & set(pieces(text))]
            machines = [k for k, text in enumerate(column.texts) if _KINDS[1] & set(pieces(text))]
            if not people or not machines or len(people) + len(machines) < len(column.texts):
                continue
            by_person = np.isin(column.codes, people)
            who, others = set(rater.codes[by_person]), set(rater.codes[~by_person])
            if who & others:
                continue
            self.roles.people_named = frozenset(rater.texts[k] for k in who if k >= 0)
            self._set([column.name], "slice", "whether a person or a machine answered")
            self._set([rater.name], "rater", "who answered: people's answers are the labels")
            return
        self._sparse_raters(rater)

    def _people_as_said(self, rater: Evidence) -> None:
        """Take those raters for people whom the caller names."""
        unknown = [name for name in self.stated.people if name not in rater.texts]
        if unknown:
            raise DataError(
                f"{option('human')} must name a column or people of {rater.name!r}; got {unknown[0]!r}; "
                f"they are {shown(rater.texts)}"
            )
        self.roles.people_named = frozenset(self.stated.people)

    def _sparse_raters(self, rater: Evidence) -> None:
        """Settle or leave open whether raters of few items beside models of all items are people."""
        if self.stated.raters or self.stated.human:
            return
        models = [k for k, text in enumerate(rater.texts) if stems(pieces(text), MODELS)]
        most = max((int(rater.counts[k]) for k in models), default=0)
        others = [
            text
            for k, text in enumerate(rater.texts)
            if k not in models
            and rater.counts[k] < 0.6 * most
            and {w.rstrip("0123456789") for w in pieces(text)}.isdisjoint(JUDGE | HUMAN)
        ]
        if not others or len(models) + len(others) < len(rater.texts):
            return
        if self._are_people(replace(rater, texts=tuple(others), codes=np.empty(0, np.int64))):
            self.roles.people_named = frozenset(others)
            return
        quoted = ", ".join(map(repr, others[:6])) + (", ..." if others[6:] else "")
        self._ask(
            f"Are {quoted} of {rater.name!r} people, or more judges?",
            [rater.name],
            [answered("human", *others), answered("judges", *rater.texts)],
        )

    def _name_beside(self, rater: Evidence, answer: Evidence, beside: Sequence[Evidence]) -> None:
        """Name verdicts beside those of raters: true labels, a model's, or to be asked."""
        machines = [c for c in beside if self._is_machine(c)]
        for column in beside:
            if column.name in self.decided:
                continue
            if self._is_human_name(column):
                self._set([column.name], "human", "the name says a person")
            elif column in machines:
                self._set([column.name], "judge", "a model's answer beside what raters said")
            elif self._agreement_with(column, [answer]) > 0.3 or (
                len(column.labels) > 1 and set(column.labels) <= set(answer.labels)
            ):
                self._who_gave(column)
        if machines:
            self._who_rated(rater, machines)

    def _beside_raters(
        self, rater: Evidence, answer: Evidence, ids: Sequence[Evidence]
    ) -> list[Evidence]:
        """Verdicts that are the same on all rows of an item, in the words of the raters."""
        rows = together(ids)
        if rows is None:
            return []
        item = self._of_codes(rows)
        others = [c for c in self.columns.values() if c not in (rater, answer, *ids)]
        return [
            c
            for c in others
            if self.decided.get(c.name, Decision("human", "")).role in ("human", "judge")
            and c.verdict_like
            and share(c, answer)
            and _settled_where_filled(item, c)
        ]

    def _single_raters(self, rater: Evidence, answer: Evidence) -> None:
        """Name who answered where each output has one rater, and a judge's verdict stands beside."""
        self._set([rater.name], "slice", "who answered: one rater an output")
        if answer.name not in self.decided and self._are_people(rater):
            self._set([answer.name], "human", f"given by people, named in {rater.name!r}")

    def _are_people(self, rater: Evidence) -> bool | None:
        """Whether raters are people, by the name of their column or their own; None if that is open."""
        if rater.name in self.stated.human or not PEOPLE_ONLY.isdisjoint(rater.words):
            return True
        if stems(pieces(" ".join(rater.texts[:50])), MODELS):
            return False
        words = [set(pieces(text.lower())) for text in rater.texts[:50]]
        stem = [{w.rstrip("0123456789") for w in some} for some in words]
        person = HUMAN | PEOPLE_ONLY | FIRST_NAMES
        people = sum(
            "@" in text or not person.isdisjoint(some)
            for text, some in zip(rater.texts, stem, strict=False)
        )
        return True if 2 * people > len(words) else None

    def _who_rated(self, rater: Evidence, machines: Sequence[Evidence]) -> None:
        """Take raters for people beside a model's verdicts, or ask whether they are."""
        people = self._are_people(rater)
        if people:
            self.roles.people = True
            self._set([rater.name], "rater", "who answered: people, whose answers are the labels")
        elif people is None:
            names = [c.name for c in machines]
            truth = ",".join(names)
            self._ask(
                f"Are those named in {rater.name!r} people, whose answers are the truth for {truth!r}, or "
                "judges as well?",
                [rater.name],
                [answered("human", rater.name), answered("ignore", *names)],
            )

    def _long_as_said(self) -> None:
        rater, answer = self.stated.judge, self.stated.answer
        if rater is None:
            picked = next((c.name for c in self.free if self._may_name_raters(c)), None)
            rater = picked
        if answer is None and rater is not None:
            column = self._answer_column(self.columns[rater], ())
            answer = None if column is None else column.name
        for what, name in (("judge", rater), ("answer", answer)):
            if name is None or name not in self.columns:
                raise DataError(
                    f"{option(what)} must name a column; got {name!r}; the columns are "
                    f"{shown(list(self.columns))}"
                )
        self._set([str(rater)], "rater", "who answered")
        self._set([str(answer)], "answer", "what they said")
        own = (*self.stated.item, *self.stated.prompt)
        said = [self.columns[n] for n in (*own, *(self.stated.system if own else ()))]
        ids = said or self._ids_of_raters(self.columns[str(rater)]) or []
        if not self.stated.item:
            self._name_ids(ids)
        self.roles.item = tuple(c.name for c in ids)

    def _name_ids(self, ids: Sequence[Evidence]) -> None:
        systems = [
            c
            for c in ids
            if self.decided.get(c.name, Decision("", "")).role == "system" or c.ends(SYSTEM)
        ]
        for column in ids:
            if self.decided.get(column.name, Decision("text", "")).role != "text":
                continue
            if column in systems:
                self._set([column.name], "system", "whose output was judged")
            elif column.ends(_CRITERION) and len(ids) > 1:
                why = "which question was answered: each answer counts as an output of its own"
                self._set([column.name], "slice", why)
            elif systems and (column.ends(PROMPT) or column.says({"task"})):
                self._set([column.name], "prompt", "several systems answer it")
            else:
                self._set([column.name], "item", "what was judged")

    def _is_called_like_rater(self, column: Evidence) -> bool:
        """Whether a name is that of a column of who judged: judge, grader name, rater_id."""
        words = column.leaf
        if words[-1:] == ["model"] and not JUDGE.isdisjoint(words):
            words = words[:-1]  # a coder's model wrote code
        while len(words) > 1 and words[-1] in ("id", "name"):
            words = words[:-1]
        named = len(words) == 1 and words[0] in _WHO_JUDGED
        named = named or " ".join(column.leaf) in (
            "annotated by",
            "labeled by",
            "rated by",
            "completed by",
        )
        named = named or " ".join(column.leaf) in ("judged by", "graded by", "scored by")
        return named or (column.low == "identifier" and "annotator_kind" in self.columns)

    def _may_name_raters(self, column: Evidence) -> bool:
        named = self._is_called_like_rater(column)
        if not named or column.unique or len(column.texts) < 2:
            return False
        return (
            not column.speaks
            and not column.binary
            and not (column.numeric and self._shares(column))
        )

    def _answer_column(self, rater: Evidence, ids: Sequence[Evidence]) -> Evidence | None:
        """Column of what raters said: one that differs between the rows of an item, where some do."""
        others = [c for c in self.free if c is not rater and (c.verdict_like or c.is_score)]
        others = [c for c in others if c.words[-1:] != ["id"] and not c.unique]
        rows = together(ids) if ids else None
        if rows is not None and int(rows.max()) + 1 < self.n:
            item = self._of_codes(rows)
            differ = [c for c in others if not _settled_where_filled(item, c)]
            plain = [c for c in differ if not c.says(CONFIDENT)]
            others = plain or differ or others
        named = [
            c
            for c in others
            if c.ends(
                WEAK | WEAK_HUMAN | {"vote", "value", "choice", "preference", "winner", "category"}
            )
        ]
        named.sort(key=lambda c: (not c.verdict_like, c.ends({"confidence"})))
        if named:
            words = [c for c in others if c.speaks and c not in named]
            alike = named[0].numeric and len(words) == 1 and agreement(named[0], words[0])[0] > 0.5
            return words[0] if alike else named[0]  # PASS, and its score of 1
        verdicts = [c for c in others if c.verdict_like and not c.says(COVARIATE)]
        likely = [c for c in verdicts if c.ends(CRITERIA)]
        by_name = len(likely) == 1
        likely = (
            likely
            if len(likely) == 1
            else [c for c in verdicts if c.numeric or c.speaks or c in likely]
        )
        verdicts = likely or verdicts
        scores = [c for c in others if c.is_score and not c.says(COVARIATE)]
        scores = [c for c in scores if not by_name or c.ends(CRITERIA, GRADED)]
        return verdicts[0] if len(verdicts) == 1 and not scores else None

    def _ids_of_raters(
        self, rater: Evidence, groups: Sequence[Evidence] = ()
    ) -> list[Evidence] | None:
        """Columns that name what was judged, so that each rater met each once; `groups` may be among them."""
        usable = [c for c in self.free if c is not rater and not c.unique and not c.constant]
        ranked = item_columns([c.name for c in usable])
        ids = [self.columns[n] for n in ranked]
        ids += [
            c for c in usable if c.name not in ranked and c.ends(ID | PROMPT) and not c.verdict_like
        ]
        ids += [c for c in usable if c not in ids and not c.numeric and not c.verdict_like]
        ids += [
            c
            for c in usable
            if c not in ids and not c.numeric and len(c.labels) > 4 and not self._shares(c)
        ]
        ids += [c for c in self._named("text") if c.asks and 1 < len(c.texts) < self.n]
        systems = [
            c
            for c in self.columns.values()
            if c is not rater
            and (c.ends(SYSTEM) or c.name in self.stated.system or c in groups)
            and c.filled == self.n
            and 1 < len(c.texts) < self.n
        ]
        trials = [
            c
            for c in self.columns.values()
            if (c.ends(TRIAL) or c.name in self.stated.trial)
            and c.filled == self.n
            and 1 < len(c.texts) < self.n
        ]
        turns = [
            c
            for c in self.columns.values()
            if c.says({"turn", "round", "step", "aspect"}, _CRITERION) and len(c.texts) > 1
        ]
        parts_of = [group[:1] for group in (systems, trials, turns)]
        combos = [
            [c for k, group in enumerate(parts_of) if mask >> k & 1 for c in group]
            for mask in range(8)
        ]
        combos = sorted((c for c in combos), key=len)
        for column in ids:
            for more in combos:
                parts = [column, *(c for c in more if c is not column)]
                if len(parts) == 1 + len(more) and each_once([*parts, rater]):
                    return parts
        return None

    # --- identity

    def _identity(self) -> None:
        said = self._named("item")
        if self.roles.layout == "long":
            if not self.roles.item:
                self.roles.item = tuple(c.name for c in said)
            self._prompts()
            return
        if said:
            self.roles.item = tuple(c.name for c in said)
            with_system = [*said, *self._named("system")]
            if self.roles.layout == "wide" and not each_once(said) and each_once(with_system):
                self._by_prompt_and(said)
            self._other_ids()
            self._prompts()
            return
        index = [self.columns[n] for n in self.index if n in self.columns]
        names = [c for c in self.free if c.name not in self.index or self.index_named]
        ranked = item_columns([c.name for c in names])
        ranked += [c.name for c in names if c.name not in ranked and c.leaf[:1] == ["id"]]
        ranked = [n for n in ranked if not self._is_criterion(n)]
        numbering = [
            n for n in ranked if self.columns[n].unique and self._numbers_trials(n, ranked)
        ]
        self._set(numbering, "ignored", "an id of rows, which judge the same outputs again")
        ranked = [n for n in ranked if n not in numbering]
        unique = [n for n in ranked if self.columns[n].unique and not is_to_read(self.columns[n])]
        rows = [n for n in unique if self.columns[n].low in ("", "unnamed 0", "index")]
        best = [n for n in unique if n not in rows]
        best.sort(key=lambda n: _says_who(self.columns[n]))
        if index and self.index_named and each_once(index):
            best = [c.name for c in index]
        if best:
            self._set(best[:1], "item", "one value a row")
            self.roles.item = tuple(best[:1])
        elif index and each_once(index):
            self._set([c.name for c in index], "item", "the index of the frame")
            self.roles.item = tuple(c.name for c in index)
        elif rows:
            self._set(rows[:1], "item", "a written index, one value a row")
            self.roles.item = (rows[0],)
        else:
            self._repeated_ids(ranked)
        if not self.index_named:
            rest = [
                name for name in self.index if name in self.columns and name not in self.roles.item
            ]
            self._set(rest, "ignored", "the frame's index; a column of ids beats it")
        self._other_ids()
        self._prompts()

    def _numbers_trials(self, name: str, ranked: Sequence[str]) -> bool:
        """Whether an id that says not of what numbers the rows of trials of other ids.

        So it is where no text that was put out differs between the trials.
        """
        if not set(self.columns[name].leaf) <= {"uuid", "guid", "uid", "id", "key", "hash", "row"}:
            return False
        usable = [c for c in self.columns.values() if c.filled == self.n and c.name != name]
        trials = [c for c in usable if c.ends(TRIAL) and 1 < len(c.texts) <= self.n // 2]
        outputs = [c for c in self._named("text") if c.answers]
        again = [self.columns[n] for n in ranked if not self.columns[n].unique]
        return any(
            each_once([c, trial]) and all(settles(c, text) for text in outputs)
            for trial in trials
            for c in again
            if c.filled == self.n and not c.verdict_like
        )

    def _is_criterion(self, name: str) -> bool:
        column = self.columns[name]
        return column.verdict_like and self._shares(column)

    def _other_ids(self) -> None:
        """Name further ids that differ on every row as ignored."""
        for column in self.free:
            if (
                column.unique
                and not is_to_read(column)
                and (item_columns([column.name]) or column.ends(ID) or column.counts_rows)
                and not (column.is_score or self._is_model(column) or self._is_judge_word(column))
            ):
                if column.name in self.roles.item:
                    continue
                self._set([column.name], "ignored", "a second id: one value a row")

    def _repeated_ids(self, ranked: Sequence[str]) -> None:
        """No column differs on every row: find what makes its rows differ, or ask."""
        if self.stated.prompt:
            self._by_prompt_and([self.columns[n] for n in self.stated.prompt])
            return
        unnamed = self._unnamed_ids()
        repeated = [
            self.columns[n]
            for n in ranked
            if not self.columns[n].constant
            and self.columns[n].filled == self.n
            and not self.columns[n].verdict_like
            and not self._is_model(self.columns[n])
            and not self.columns[n].ends(SYSTEM, TRIAL, SLICE)
        ]
        if unnamed is not None and not repeated:
            self._set([unnamed.name], "item", "one value a row, and no other column is an id")
            self.roles.item = (unnamed.name,)
            return
        repeated = [c for c in repeated if len(c.texts) >= max(5, self.n // 40)]
        if not repeated:
            if (crossed := self._ids_by_partners()) is not None:
                self._by_prompt_and([crossed])
            return
        turn = next(iter(self._turns()), None)
        talk = next((c for c in repeated if turn is not None and each_once([c, turn])), None)
        if turn is not None and talk is not None:
            self._settle_turns(talk, [], turn)
            return
        if unnamed is not None:
            named = [c for c in repeated if not _says_who(c) and _may_name_prompts(c)]
            self._by_prompt_and(named[:1])
            if not self.roles.item:
                self._set([unnamed.name], "item", "one value a row")
                self.roles.item = (unnamed.name,)
        elif not self._by_two_ids(repeated):
            self._by_prompt_and(repeated[:1], ask=True)

    def _by_two_ids(self, repeated: Sequence[Evidence]) -> bool:
        """Name two ids, or an id and what was asked, that together differ on every row."""
        systems = [c for c in self.free if self._may_be_system(c) and c.filled == self.n]
        for first in repeated:
            for second in (*repeated, *(c for c in self._named("text") if c.asks)):
                if second is first or len(second.texts) <= 4:
                    continue
                if (
                    systems
                    and not each_once([first, second])
                    and each_once([first, second, *systems])
                ):
                    self._set([c.name for c in systems], "system", "whose output was judged")
                    self._set([first.name], "prompt", "several outputs share it")
                    self._set([second.name], "item", f"with {first.name!r} and the system, a row")
                    self.roles.item = tuple(c.name for c in (first, second, *systems))
                    return True
                if each_once([first, second]):
                    both = [first, second] if second in repeated else [second, first]
                    about = min(both, key=lambda c: (c.unique, not c.asks, len(c.texts)))
                    self._set([c.name for c in both], "item", "together one value a row")
                    self._set([about.name], "prompt", "several outputs share it")
                    self.roles.item = tuple(c.name for c in both)
                    return True
        return False

    def _ids_by_partners(self) -> Evidence | None:
        """Column under any name of which each value is met once by each system, in each trial or order."""
        partners = [
            c
            for c in self.columns.values()
            if c.ends(SYSTEM, TRIAL)
            or self.decided.get(c.name, NONE_OF_THEM).role in ("swap", "trial", "system")
        ]
        partners = [c for c in partners if c.filled == self.n and 1 < len(c.texts) <= 12]
        for column in self._may_be_ids():
            for parts in (*([c] for c in partners), partners):
                if parts and column not in parts and self._crosses([column], parts):
                    return column
        return None

    def _may_be_ids(self) -> list[Evidence]:
        """Columns under names that say nothing, whose values may be what several rows are about."""
        open_whys = ("words to show", "a group", NO_GRADE, APART, "")
        return [
            c
            for c in self.columns.values()
            if self.decided.get(c.name, NONE_OF_THEM).why.partition(":")[0] in open_whys
            and c.name not in self.open_names
            and c.filled == self.n
            and 5 <= len(c.texts) <= self.n / 1.5
            and not (c.numeric and (c.is_decimal or c.verdict_like))
            and not (c.verdict_like and self._shares(c))
            and not is_to_read(c)
            and not c.ends(SYSTEM, TRIAL, SLICE, COVARIATE)
            and not (self._is_model(c) or self._is_judge_word(c) or c.says(HUMAN))
        ]

    def _crosses(self, ids: Sequence[Evidence], parts: Sequence[Evidence]) -> bool:
        """Whether rows alike on some columns differ on others, as by chance in less than 1 of 100 tables."""
        rows, others = together(ids), together(parts)
        if rows is None or others is None:
            return False
        item = self._of_codes(rows)
        part = self._of_codes(others)
        return differs_within(item, part, most=36)

    def _by_prompt_and(self, ids: list[Evidence], *, ask: bool = False) -> None:
        if not ids:
            return
        systems = self._named("system") or [
            c
            for c in self.free
            if (c.ends(SYSTEM) or says_system(c))
            and c.filled == self.n
            and 1 < len(c.texts) < self.n
            and not (c.verdict_like_numbers or c.is_decimal)
        ]
        if any(self._may_have_judged(c) for c in systems):
            return
        trials = self._named("trial") or [
            c
            for c in self.free
            if c.ends(TRIAL) and c.filled == self.n and 1 < len(c.texts) <= self.n // 2
        ]
        swaps = self._named("swap")
        ends = self._named("slice")
        turns = self._turns()[:1]
        id_ = ids[0]
        for parts, kind in (
            (systems, "system"),
            (trials[:1], "trial"),
            ([*systems, *trials[:1]], "both"),
            (turns, "turn"),
            ([*systems, *turns], "turn"),
            (swaps, "swap"),
        ):
            if kind == "turn" and turns and each_once([*ids, *parts]):
                self._settle_turns(id_, systems if len(parts) > 1 else [], turns[0])
                return
            if parts and each_once([*ids, *parts]):
                self._settle_ids(
                    id_,
                    systems if kind in ("system", "both") else [],
                    trials[:1] if kind in ("trial", "both") else [],
                    kind,
                )
                return
        if self.stated.repeats:
            self._set([id_.name], "item", "its rows judge the same output again")
            self.roles.item, self.roles.repeats = (id_.name,), True
            return
        self._repeats_alone(id_, ends, ask=ask)

    def _repeats_alone(self, id_: Evidence, groups: Sequence[Evidence], *, ask: bool) -> None:
        """Name an id whose rows no system, trial or order tells apart a prompt, or ask why it repeats."""
        outputs = [c for c in self._named("text") if c.answers or _of_a_side(c)]
        if not ask or any(c.unique for c in outputs):
            if _says_who(id_) and not id_.ends(_TALKS):
                return
            self._set([id_.name], "prompt", "several outputs share it")
            return
        if self._is_long_of_names(id_) or any(
            each_once([id_, c])
            for c in (*self.free, *groups)
            if c is not id_ and not c.numeric and len(c.texts) <= 12 and not c.binary
        ):
            return  # another question asks what that column is
        self._ask(
            f"Why does {id_.name!r} repeat ({len(id_.texts)} values in {self.n} rows)?",
            [id_.name],
            [
                f"{option('trial', 'rows')} (each row judges the same output again)",
                f"{option('prompt', id_.name)} (each row is another output)",
            ],
        )

    def _is_long_of_names(self, id_: Evidence) -> bool:
        return any(
            each_once([id_, c]) for c in self.free if c is not id_ and self._may_name_raters(c)
        )

    def _turns(self) -> list[Evidence]:
        return [c for c in self.columns.values() if c.ends(_PART_OF_TALK) and c.filled == self.n]

    def _settle_turns(self, id_: Evidence, systems: Sequence[Evidence], turn: Evidence) -> None:
        """Name an id of which each turn is judged: a turn of a conversation is an output."""
        self._set([c.name for c in systems], "system", "whose output was judged")
        self._set([id_.name], "prompt", "several outputs share it")
        self._set([turn.name], "item", f"with {id_.name!r}, which turn was judged")
        self.roles.item = tuple(c.name for c in (id_, *systems, turn))

    def _settle_ids(
        self, id_: Evidence, systems: list[Evidence], trials: list[Evidence], kind: str
    ) -> None:
        """Name an id that repeats once for each system, trial or order."""
        outputs = [c for c in self._named("text") if c.answers]
        self._set([c.name for c in systems], "system", "whose output was judged")
        self._set([c.name for c in trials], "trial", "which repetition")
        texts = [
            c
            for c in self._named("text", "prompt")
            if c.asks and settles(id_, c) and len(c.texts) > 1
        ]
        differ = trials and any(not settles(id_, c) for c in outputs if not systems)
        if kind == "trial" and not differ:
            self._set([id_.name], "item", "its rows judge the same output again")
            self.roles.item, self.roles.repeats = (id_.name,), True
            return
        if kind == "swap":
            self._set([id_.name], "item", "a pair, judged in both orders")
            self.roles.item, self.roles.repeats = (id_.name,), True
            return
        parts = [id_, *systems, *trials]
        self.roles.item = tuple(c.name for c in parts)
        if self.roles.layout == "pairwise" and not trials:
            self._set([id_.name], "prompt", "several pairs share it")
        elif texts and not id_.ends(PROMPT):
            self._set([id_.name], "item", "with the system and the trial, what was judged")
            self._set(
                [texts[0].name],
                "prompt",
                "the same text on several rows",
            )
        else:
            self._set([id_.name], "prompt", "several outputs share it")

    def _unnamed_ids(self) -> Evidence | None:
        """Column of ids under a name that does not say so: words, one a row, or numbers that count up."""
        for column in self.free:
            if not column.unique or is_to_read(column) or column.says(COVARIATE):
                continue
            some = column.texts[:50]
            if not column.numeric and all(" " not in t for t in some) and self.n > 4:
                return column
            if column.numbers_rows:
                return column
        return None

    def _prompts(self) -> None:
        """Name what several outputs share: an id of prompts or sessions, or the text of a prompt.

        An id of people, talks or tickets is a prompt's only where nothing else is, and no system.
        """
        if self.stated.prompt or self._named("prompt"):
            return
        ids = [
            c
            for c in self.free
            if (c.ends(PROMPT) or (c.ends(ID) and c.says(PROMPT | {"topic"})))
            and not (c.verdict_like and (self._shares(c) or not c.ends(ID) or len(c.labels) < 5))
            and 1 < len(c.texts) < self.n
            and not (c.numeric and c.is_decimal)
        ]
        ids = [c for c in ids if item_columns([c.name]) or c.ends(PROMPT, ID)]
        inputs = [c for c in self._named("text") if c.asks and not c.says(REASON)]
        inputs = [c for c in inputs if not c.says({"context", "contexts"}) and c.filled == self.n]
        texts = [c for c in inputs if 1 < len(c.texts) < c.filled]
        if self.roles.layout == "long":
            texts = []
            ids = [c for c in ids if c.name not in self.roles.item]
        who = [
            c
            for c in self.free
            if _says_who(c)
            and not c.ends(TRIAL, SYSTEM)
            and 1 < len(c.texts) < self.n
            and not (c.is_decimal or c.speaks or c.binary or is_to_read(c))
            and not (c.verdict_like and (self._shares(c) or self._is_judge_word(c)))
            and not (0 < len(c.labels) < 4 and good_label(c.labels) is not None)
        ]
        ids = [c for c in ids if c not in who]
        systems = [c for c in self.columns.values() if self._may_be_system(c)]
        talks = [] if systems or texts else [c for c in who if c.ends(_TALKS)]
        named = [c for c in ids if all(settles(c, text) for text in inputs)]
        if picked := named or texts or ids or talks:
            self._set(
                [picked[0].name],
                "prompt",
                "several outputs share it",
            )
            self._set(
                [c.name for c in ids if c is not picked[0]], "slice", "another group of outputs"
            )
        else:
            self._ids_that_repeat(inputs)
        for column in who:
            if column.name not in self.decided:
                self._set([column.name], "slice", _hang_together(column))

    def _ids_that_repeat(self, inputs: Sequence[Evidence]) -> None:
        """Name an id of what several outputs share, and leave those of people, talks and tickets groups."""
        for column in self.free:
            if (
                (item_columns([column.name]) or column.words[-1:] == ["id"])
                and not column.unique
                and not self._is_model(column)
                and not (column.says(HUMAN) or is_called_rater(column))
                and not column.ends(SYSTEM, SLICE)
                and (not column.verdict_like or column.words[-1:] == ["id"])
            ):
                many = 40 * len(column.texts) >= self.n and not self._named("prompt")
                many &= not _says_who(column) and all(settles(column, text) for text in inputs)
                many &= _may_name_prompts(column) or not self.roles.item
                role = "prompt" if many and column.filled == self.n else "slice"
                why = "ids that repeat" if role == "prompt" else _hang_together(column)
                self._set([column.name], role, why)


def _settled_where_filled(item: Evidence, column: Evidence) -> bool:
    """Whether the filled cells of each item are alike."""
    filled = column.codes >= 0
    pairs = np.unique(item.codes[filled] * (len(column.texts) + 1) + column.codes[filled])
    return len(pairs) == len(np.unique(item.codes[filled]))


def _is_alike_within(output: Evidence, again: Positions, column: Evidence) -> bool:
    """Whether repetitions of outputs hold the same cells, as new outputs hardly would.

    Of 20 repetitions or more, and by chance in less than 1 of 1,000 tables.
    """
    filled = column.codes >= 0
    more = len(np.unique(again[filled])) - len(np.unique(output.codes[filled]))
    alike = float(((column.counts / max(1, column.filled)) ** 2).sum())
    return _settled_where_filled(output, column) and more >= 20 and alike**more < 1e-3


_WHO_JUDGED = words_in(
    "judge worker workerid rater annotator grader evaluator labeler labeller coder reviewer voter user "
    "scorer turker marker reader assessor"
)
"""What a column of who judged is called in a table of a row for each verdict."""
_OF_IDS = words_in("id ids uuid guid uid no nr num number key hash sha ref")
"""What stands behind the word that says what is numbered: pr_number."""
_OF_ITEMS = words_in(
    "item example sample case doc document row record instance input datapoint entry output test trace seg "
    "image img post article passage comment message turn utterance sentence"
)
"""What may be judged, of which the name of a repeated id may speak."""


def _may_name_prompts(column: Evidence) -> bool:
    """Whether a repeated id may be that of what was asked: it says so, or says no more than id."""
    return column.says(PROMPT, _OF_ITEMS) or len(column.leaf) == 1


def _says_who(column: Evidence) -> bool:
    """Whether a column is called like the id of a person, a talk, a ticket or a change, and of no prompt."""
    words = [w for w in column.leaf if not w.isdigit()]
    while len(words) > 1 and words[-1] in _OF_IDS:
        words.pop()
    if words[:1] == ["id"]:  # id_cliente
        words = words[1:]
    if words and words[-1] in WHO:
        return True
    return column.ends(ID) and column.says(WHO) and not column.says(PROMPT - WHO)


def _hang_together(column: Evidence) -> str:
    """Why a repeated id of people or talks is a group."""
    return f"{NO_PROMPT}: {option('cluster', column.name)} if its outputs are alike"


def _names_users(column: Evidence) -> bool:
    """Whether a column is called like the ids of users, who rarely judge."""
    words = {w for w in column.leaf if w not in _OF_IDS | {"name"}}
    return bool(words) and words <= {"user", "users", "userid"}


def is_called_rater(column: Evidence) -> bool:
    """Whether a column is called like who labelled a row, and nothing else: annotator id, reviewed by."""
    words = [w for w in column.leaf if w not in _OF_IDS]
    people = (REVIEWER | PEOPLE_ONLY | RATERS) - {"user", "users", "human", "by"}
    by = len(words) == 2 and words[1] == "by" and not DONE.isdisjoint(words)
    return by or (len(words) == 1 and words[0] in people)


def _of_a_side(column: Evidence) -> bool:
    """Whether a column is called like what a side of a pair put out: response_a, right_answer."""
    sides = {side for pair in SIDES for side in pair}
    rest = [word for word in column.leaf if word not in sides]
    return 0 < len(rest) < len(column.leaf) and rest[-1] in SAID

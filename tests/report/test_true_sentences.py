"""Every line of the first screen has a kind, and each kind a predicate, checked on tables whose truth is known."""

# ruff: noqa: E501
import re
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import algeval as ae

SCALES = {
    "verdicts": ["fail", "pass"],
    "words": ["bad", "ok", "good"],
    "grades": ["1", "2", "3", "4", "5"],
}
JUDGES = ["gpt", "claude", "gemini", "llama", "qwen"]


@dataclass
class Case:
    """A random table, what is true of it, and what was seen to hold of more than one table."""

    rows: pd.DataFrame  # with the column "truth"
    labels: list[str]
    judges: list[str]
    rates: dict[str, float]  # of the last label, of each system
    picked: bool
    seen: list[tuple[str, bool]] = field(default_factory=list)

    @property
    def shown(self):
        """The table as a user has it."""
        made = self.rows.drop(columns="truth")
        return made.drop(columns="human") if made.human.isna().all() else made

    def of(self, system):
        """Rows of a system, or all."""
        return self.rows if not system else self.rows[self.rows.system == system]

    @property
    def labelled(self):
        return self.rows[self.rows.human.notna()]

    def wrong(self):
        """Verdicts that are wrong."""
        return sum(int((self.rows[j] != self.rows.truth).sum()) for j in self.judges)

    def lowest(self, judge):
        """A judge's lowest accuracy on a label."""
        right = self.rows[judge] == self.rows.truth
        return right.groupby(self.rows.truth).mean().min()

    def related(self):
        """How often shuffled judges go together as far, by agreements or by squared correlations."""
        codes = self.rows[self.judges].apply(lambda c: c.map(self.labels.index)).to_numpy()
        rng = np.random.default_rng(0)
        own = _together(codes)
        others = [_together(rng.permuted(codes, axis=0)) for _ in range(200)]
        return min(np.mean([o[k] >= own[k] - 1e-9 for o in others]) for k in (0, 1))

    def constant(self):
        return all(self.rows[j].nunique() == 1 for j in self.judges)


def _together(codes):
    agree = tied = 0.0
    for i, j in combinations(range(codes.shape[1]), 2):
        table = np.zeros((5, 5))
        np.add.at(table, (codes[:, i], codes[:, j]), 1)
        agree += np.trace(table)
        product = np.outer(table.sum(axis=1), table.sum(axis=0))
        tied += (table**2 / np.where(product, product, 1)).sum()
    return agree, tied


def case_of(seed):
    """A table of pass and fail, of three words or of grades; judges good, opposite, constant, copied or coins."""
    rng = np.random.default_rng(seed)
    labels = SCALES[str(rng.choice(["verdicts", "verdicts", "verdicts", "words", "grades"]))]
    n, n_systems = int(rng.choice([6, 12, 25, 40, 60])), int(rng.choice([1, 1, 2, 2, 4]))
    n_judges = int(rng.choice([0, 1, 2, 3, 3, 5]))
    share = float(rng.choice([0, 0.1, 0.3, 0.6, 1, 1])) if n_judges else 1.0
    kinds = rng.choice(["good", "good", "coin", "constant", "opposite", "copy"], n_judges).tolist()
    kinds = ["constant"] * n_judges if rng.random() < 0.1 else kinds
    picked = bool(rng.random() < 0.1) and 0 < share < 1
    rates = {f"v{s + 1}": rng.uniform(0.4, 0.95) for s in range(n_systems)}
    last, rows = len(labels) - 1, []
    for k in range(n):
        for system, rate in rates.items():
            truth = last if rng.random() < rate else int(rng.integers(last))
            row = {"id": f"o{k}-{system}", "truth": labels[truth]}
            if n_systems > 1:
                row |= {"prompt": f"p{k}", "system": system}
            code = truth
            for judge, kind in zip(JUDGES, kinds, strict=False):
                other = int(rng.choice([x for x in range(len(labels)) if x != truth]))
                right = rng.random() < 0.85
                code = {
                    "good": truth if right else other,
                    "opposite": other if right else truth,
                    "coin": int(rng.integers(len(labels))),
                    "constant": last,
                    "copy": code,
                }[kind]
                row[judge] = labels[code]
            chance = share * ((1.5 if truth != last else 0.5) if picked else 1)
            row["human"] = labels[truth] if share == 1 or rng.random() < chance else None
            rows.append(row)
    return Case(pd.DataFrame(rows), labels, JUDGES[:n_judges], rates, picked)


# --- The kinds of line: what each matches, and what must be true of the table where it is printed.


def _rate_counted(case, good, system, share, n, low, high, judges):
    own = case.of(system)
    true = case.rates[system or "v1"]
    case.seen.append(("rate", low is None or int(low) - 1 <= 100 * true <= int(high) + 1))
    here = 100 * (own.human == good).mean()
    inside = low is None or int(low) - 1 <= here <= int(high) + 1
    counted = len(own) == int(n) == own.human.notna().sum()
    return (
        counted and abs(here - float(share)) < 0.06 and inside and _judges(case, good, own, judges)
    )


def _rate_of_some(case, good, system, share, low, high, n, judges):
    own = case.of(system)
    true = case.rates[system or "v1"] if 2 * int(n) >= len(own) else (own.truth == good).mean()
    if not case.picked:
        case.seen.append(("rate", int(low) - 1 <= 100 * true <= int(high) + 1))
    told = 0 < own.human.notna().sum() == int(n) < len(own)
    return told and int(low) <= int(share) <= int(high) and _judges(case, good, own, judges)


def _judges(case, good, own, low_high):
    if low_high is None:
        return not case.judges
    shares = [100 * (own[j] == good).mean() for j in case.judges]
    low, *high = map(int, low_high.split("-"))
    high = high[0] if high else low
    return abs(min(shares) - low) <= 0.51 and abs(max(shares) - high) <= 0.51


def _of_two(case, shown, better, gap, low, high, both=None, each=None):
    found = ae.versus(case.shown)
    sides = {name: case.of(name).human.eq(case.labels[-1]) for name in case.rates}
    if shown:
        other = next(name for name in case.rates if name != better)
        case.seen.append(("better", case.rates[better] > case.rates[other]))
        if found.verdict != f"{better} BETTER" or int(gap) <= 0:
            return False
    elif found.verdict.endswith("BETTER"):
        return False
    if both is not None:
        pairs = case.labelled.groupby("prompt").system.nunique()
        if int(both) != (pairs == 2).sum():
            return False
    if each is not None and [*each] != [
        str(case.of(name).human.notna().sum()) for name in found.names
    ]:
        return False
    if both is not None and len(case.labelled) == len(case.rows) and not shown:  # the exact test
        a, b = (of.to_numpy() for of in sides.values())
        more, less = int((a & ~b).sum()), int((b & ~a).sum())
        if not case.judges and more + less > 20 and max(more, less) > 5 * min(more, less):
            return False  # so far apart that any test would show it
    return int(low) <= int(gap or 0) <= int(high)


def _of_several(case, n_pairs, said):
    if int(n_pairs) != len(case.rates) * (len(case.rates) - 1) // 2:
        return False
    for pair in [] if said == "none" else said.split(", "):
        better, other = pair.split(" than ")
        case.seen.append(("better", case.rates[better] > case.rates[other]))
        good = [case.of(name).human.dropna().eq(case.labels[-1]).mean() for name in (better, other)]
        if not good[0] > good[1]:
            return False
    return True


def _grades(case, grade):
    return set(case.labels) <= {*"12345"} and 3 <= int(grade) <= 5


def _means(case, said):
    for system, mean, n in re.findall(r"(?:of (v\d) )?([\d.]+|-) \((\d+) labelled\)", said):
        grades = case.of(system).human.dropna().astype(int)
        if len(grades) != int(n) or (len(grades) and abs(grades.mean() - float(mean)) > 0.0051):
            return False
    return True


def _right(case, judge):
    return (case.labelled[judge] == case.labelled.human).mean()


def _more_often(case, best, others):
    names = others.split(", ")
    for name in names:
        true = [(case.rows[j] == case.rows.truth).mean() for j in (best, name)]
        case.seen.append(("judge", true[0] > true[1]))
    return all(_right(case, best) > _right(case, name) for name in names)


def _passes(case, judge, share, k, m):
    failed = case.labelled[case.labelled.human != case.labels[-1]]
    passed = int((failed[judge] == case.labels[-1]).sum())
    return (passed, len(failed)) == (int(k), int(m)) and abs(
        100 * passed / len(failed) - int(share)
    ) <= 1


def _whatever(case, n_wrong, n, judges):
    n, n_wrong = (int(x.replace(",", "")) for x in (n, n_wrong))
    return n == len(case.rows) * len(case.judges) and case.wrong() >= n_wrong > 0


def _with_labels(case, n_labels, n_wrong, n):
    n, n_wrong = (int(x.replace(",", "")) for x in (n, n_wrong))
    every = n == len(case.rows) * len(case.judges)
    return every and int(n_labels) == len(case.labelled) and case.wrong() >= n_wrong > 0


def _alone(case, said):
    """Judges who agree with no other, where nobody labelled anything."""
    if len(case.labelled):
        return False
    for name, cause in re.findall(rf"({'|'.join(JUDGES)})(?: \(([a-z ]+)\))?", said):
        if (cause == "always one answer") != (case.rows[name].nunique() == 1):
            return False
        over = under = 0.0
        for other in case.judges:
            if other == name:
                continue
            p, q = (case.rows[j].value_counts(normalize=True) for j in (name, other))
            chance = float((p * q).fillna(0).sum())
            over += (case.rows[name] == case.rows[other]).mean() - chance
            under += 1 - chance
        if under and over / under > 0.05 + 1e-9:
            return False
    return True


def _leans(case, judge, way, system, points):
    """Whether the judge says the good label more or less often there, people saying the same."""
    good, sums = case.labels[-1], [0.0, 0.0]
    for _, rows in case.labelled.groupby("human"):
        there = rows.system == system
        n, m = int(there.sum()), int((~there).sum())
        if n and m:
            gap = (rows[judge][there] == good).mean() - (rows[judge][~there] == good).mean()
            sums[0] += gap * n * m / (n + m)
            sums[1] += n * m / (n + m)
    return (sums[0] > 0) == (way == "more") == (int(points) > 0)


def _consensus(case, counts, n, estimated):
    if int(n) != len(case.rows) or sum(map(int, re.findall(r"on (\d+)", counts))) > len(case.rows):
        return False
    return not estimated or (
        not case.constant()
        and not len(case.labelled)
        and case.related() <= (0.1 if len(case.rows) > 12 else 0.25)
    )


def _scored(case, counts, n, right, n_labelled, share):
    told = int(n) == len(case.rows) and int(n_labelled) == len(case.labelled)
    return told and abs(100 * int(right) / int(n_labelled) - float(share)) < 0.6


def _no_label(case, system, n, no, good):
    if system is None and len(case.rates) > 1:  # said of each of them, or of all outputs
        whole = [_no_label(case, f"{name}: ", n, no, good) for name in case.rates]
        return all(whole) or _no_label(replace(case, rates={"v1": 0.5}), None, n, no, good)
    own = case.of((system or "").removesuffix(": "))
    label = good or case.labels[-1]
    margin = sum((own[j] == label).astype(int) - (own[j] != label) for j in case.judges)
    part = own[margin == 0 if good is None else margin < 0 if no else margin > 0]
    return len(part) == int(n) and part.human.isna().all()


def _alike(case, names, n=None, agreement="100"):
    columns = case.rows[names.split(", ")].to_numpy()
    same = np.mean(
        [
            (columns[:, i] == columns[:, j]).mean()
            for i, j in combinations(range(columns.shape[1]), 2)
        ]
    )
    return abs(100 * same - float(agreement)) < 0.06 and n in (None, str(len(columns)))


def _picked(case, system, z):
    """Whether judges say other things of the labelled than of all, by far more than chance does."""
    own = case.of((system or "").removesuffix(": "))
    shares = sum((own[j] == case.labels[-1]).astype(float) for j in case.judges) / len(case.judges)
    n, n_items = own.human.notna().sum(), len(own)
    error = shares.std(ddof=1) * np.sqrt(1 / n - 1 / n_items)
    return abs(shares[own.human.notna()].mean() - shares.mean()) > 2.5 * error and float(z) > 3


def _against(case, system, r):
    own = case.of((system or "").removesuffix(": "))
    own = own[own.human.notna()]
    good = case.labels[-1]
    shares = sum((own[j] == good).astype(float) for j in case.judges)
    return float(r) < 0 and np.corrcoef(shares, own.human == good)[0, 1] < 0


def _one_sided(case, n):
    sides = case.labelled.groupby("prompt").system.nunique()
    return (sides == 1).sum() == int(n)


def _limit(case, k, share):
    return (
        int(k) == len(case.judges)
        and min(map(case.lowest, case.judges)) <= float(share) / 100 + 1e-3
    )


def _levels(case, levels, fewest, k):
    fewest = [*map(int, re.findall(r"\d+", fewest))]
    needed = [int(x) / 100 for x in re.findall(r"\d+", levels)]
    fewest = fewest * len(needed) if len(fewest) == 1 else fewest
    lowest = [case.lowest(judge) for judge in case.judges]
    missing = [sum(low < level for low in lowest) for level in needed]
    return int(k) == len(lowest) and all(m >= f for m, f in zip(missing, fewest, strict=True))


def _all_alike(case):
    return all((case.rows[case.judges[0]] == case.rows[j]).all() for j in case.judges)


def _strange(case, system, n):
    parts = [case.rows, case.of((system or "").removesuffix(": "))]
    words = [{x for j in case.judges for x in part[j]} for part in parts]
    strange = [(~part.human.dropna().isin(w)).sum() for part in parts for w in words]
    return int(n) in strange  # of the system, or of all


def _few_failed(case, n):
    return 0 < (case.labelled.human != case.labels[-1]).sum() == int(n) < 5


def _about(case, n, judges, n_labels):
    n_judges = 0 if judges == "no judge" else int(judges.split()[0])
    labels = 0 if n_labels == "no" else int(n_labels)
    return (int(n), n_judges, labels) == (len(case.rows), len(case.judges), len(case.labelled))


def _about_items(case, n, judges, labels, n_labelled):
    labelled = int(n_labelled or 0)
    return (int(n), int(judges), labelled) == (len(case.rows), len(case.judges), len(case.labelled))


def _certain(case, good, system, n, low, high, _):
    own = case.of(system).human
    ends = (own == good).sum(), len(own) - (own.notna() & (own != good)).sum()
    near = [
        abs(100 * k / len(own) - int(end)) <= 0.5 + 1e-9
        for k, end in zip(ends, (low, high), strict=True)
    ]
    return own.notna().sum() == int(n) > 0 and all(near)


def _unlabelled(case):
    return not len(case.labelled)


def _some_labelled(case):
    return len(case.labelled) > 0


WHO = r"((?:gpt|claude|gemini|llama|qwen)(?:, (?:gpt|claude|gemini|llama|qwen))*)"
ALONE = r"(?:; the judges alone say (\d+(?:-\d+)?)%)?\."
BETWEEN = r"\((-?\+?\d+) to (-?\+?\d+) for v\d\)"
RATE = r"'(\w+)' rate(?: of (v\d))?: "
KINDS = [
    (RATE + r"([\d.]+)%: people labelled all (\d+) outputs? \((?:(\d+)-(\d+)%|not known) of more like them\)" + ALONE, _rate_counted),
    (RATE + r"(\d+)% \((\d+)-(\d+)\), from (\d+) human labels?" + ALONE, _rate_of_some),
    (RATE + r"not known from (\d+) human labels?" + ALONE, lambda c, good, s, n, j: c.of(s).human.notna().sum() == int(n) > 0),
    (RATE + r"not determined by (\d+) human labels?: these labels were not drawn at random; (\d+)-(\d+)% is certain" + ALONE, _certain),
    (RATE + r"not known, no human label\.", lambda c, good, s: c.of(s).human.isna().all()),
    (RATE + r"not known without human labels; the judges? gives? it to .*", lambda c, *_: _unlabelled(c)),
    (rf"(v\d) is better by (\d+) points? {BETWEEN}, by (\d+) prompts? labelled for both: shown\.", lambda c, b, g, lo, hi, n: _of_two(c, True, b, g, lo, hi, n)),
    (rf"(v\d) is better by (\d+) points? {BETWEEN}, by (\d+) and (\d+) labels of each: shown\.", lambda c, b, g, lo, hi, n, m: _of_two(c, True, b, g, lo, hi, None, (n, m))),
    (rf"Which of v1 and v2 is better is not shown: (v\d) is ahead by (\d+) points? {BETWEEN}, the interval leaves 0 but .*\.", lambda c, b, g, lo, hi: _of_two(c, False, b, g, lo, hi)),
    (rf"Which of v1 and v2 is better is not shown: (?:(v\d) is ahead by (\d+) points?|they are alike to the point) {BETWEEN}, by (\d+) prompts? labelled for both; 10 points take about \d+\.", lambda c, b, g, lo, hi, n: _of_two(c, False, b, g, lo, hi, n)),
    (rf"Which of v1 and v2 is better is not shown: (?:(v\d) is ahead by (\d+) points?|they are alike to the point) {BETWEEN}, by (\d+) and (\d+) labels of each; 10 points take about \d+\.", lambda c, b, g, lo, hi, n, m: _of_two(c, False, b, g, lo, hi, None, (n, m))),
    (r"Which of v1 and v2 is better is not known: .*", lambda c: ae.versus(c.shown).difference is None),
    (r"Shown to be better, all (\d+) pairs at once: (.*)\.", _of_several),
    (r"How often outputs are good is not known until it is said from which grade on: cut='(\d)' counts \1 and above\.", _grades),
    (r"How often outputs are good is not known until it is said which label is \(good=\), of ('.*')\.", lambda c, said: set(re.findall(r"'(\w+)'", said)) <= {*c.labels} and (c.labels[-1] != "pass" or "," not in said)),
    (r"Mean grade by people, without an interval: (.*)\.", _means),
    (rf"{WHO} (?:is right|gives people's grade) more often than {WHO}: shown by these labels\.", _more_often),
    (rf"(\d+) labels?(?: in common)? cannot tell {WHO}(?:, \.\.\.)? apart(?: by exact grades)?\.", lambda c, n, who: int(n) == len(c.labelled) and "," in who),
    (rf"{WHO} passes (\d+)% of what people fail \((\d+) of (\d+); \d+-\d+%\)\.", _passes),
    (r"People failed only (\d): what judges pass wrongly is hardly seen\.", _few_failed),
    (r"Whatever the truth, at least ([\d,]+) of the ([\d,]+) verdicts (?:of these (\d+) judges )?are wrong: no more than [\d.]+% can be right\.", _whatever),
    (r"With the (\d+) labels? of people: at least ([\d,]+) of ([\d,]+) verdicts are wrong\.", _with_labels),
    (r"(.*) agrees? with no other judge beyond chance: check before you use them\.", _alone),
    (rf"Warning: {WHO} gives '\w+' (more|less) often where 'system' is '(v\d)', though people say the same: ([-+]\d+) points \(.*\)\S*\.", _leans),
    (r"Consensus \(\w+\): (.*) of (\d+) items\.( Estimated accuracy of the consensus: .*)?", _consensus),
    (r"Consensus \(\w+\): (.*) of (\d+) items; right on (\d+) of (\d+) labelled: (\d+)% \(.*\)\. Labels only score it here; .*", _scored),
    (r"No consensus: .*", lambda c: True),
    (r"The majority and recommended differ on (\d+) of (\d+) items? .*", lambda c, d, n: int(d) <= int(n) == len(c.rows)),
    (r"(v\d: )?none of the (\d+) items whose verdict is (?:open|(not )?'(\w+)') has a label", _no_label),
    (r"The judges' answers are no more related to each other than those of coins might be \(p = ([\d.]+)\): nothing found from them alone says what the labels are or who is good\.", lambda c, p: float(p) > 0.05 and (c.constant() or c.related() > 0.005)),
    (r"(v\d: )?these labels were not drawn at random: the judges' votes on them differ from those on all items by ([\d.]+) standard errors .*", _picked),
    (r"(v\d: )?'independent errors' lies outside 'judges graded by (\d+) labels': at least one of the two is wrong", lambda c, s, n: c.of((s or "").removesuffix(": ")).human.notna().sum() == int(n) or s is None),
    (rf"{WHO} never differ on (\d+): counted as one judge\.", _alike),
    (rf"{WHO} differ on at most \d+ items? of (\d+): counted as one judge\.", lambda c, who, n: int(n) == len(c.rows)),
    (rf"{WHO} answer nearly alike: count them as one \(agreement ([\d.]+)%, .*", lambda c, who, a: _alike(c, who, None, a)),
    (r"Label '(\w+)' is expected on less than one item; its rows rest on almost nothing\.", lambda c, label: label in c.labels),
    (r"Votes do not tell how many items are '(\w+)': majority calls ([\d.]+)%.*", lambda c, label, share: _unlabelled(c) or float(share) < 100),
    (r"(v\d: )?the labels go against the judges \(correlation (-[\d.]+)\); check whether labels or items are swapped", _against),
    (r"(\d+) items labelled for one system only count in its rate, but not in pairs: label the other's answer too", _one_sided),
    (r"(\d+) items? labelled for one system only takes? no part: label the other's answer too", _one_sided),
    (r"unpaired: .*", lambda c: len(c.rates) == 2 and ae.versus(c.shown).n_own_gold is not None),
    (r"\d+ more notes? with everything else\.", lambda c: len(c.judges) >= 3),
    (r"\d+ more notes? on how the data were read, in the full report", lambda c: True),
    (r"read from a pandas DataFrame", lambda c: True),
    (r"(v\d: )?(\d+) answers? of 'human' \(.*\) (?:are|is) none of the judges': no judge is right there; same= says what they mean", _strange),
    (r"'human' is left out: the name says a person, and it answers nothing that judges do; .*", lambda c: not {x for j in c.judges for x in c.rows[j]} & {*c.labelled.human}),
    (r"At least one of the (\d) judges has at most ([\d.]+)%(?: \(\d+/\d+\))? accuracy on some label: votes alone prove it\..*", _limit),
    (r"If you need (.*) on every label, at least (.*) of (\d) judges miss(?:es)? it\.", _levels),
    (r"Some answer key makes (?:all \d judges|both judges|the one judge) right on every item: logic alone excludes no accuracy\.", _all_alike),
    (r"That is no praise: (?:judges who err alike look as these do|one judge contradicts nobody)\.", _all_alike),
    (r"90% they can reach together, which is no praise\.", lambda c: all((c.rows[i] != c.rows[j]).mean() <= 0.2 for i, j in combinations(c.judges, 2))),
    (r"No judge ever answered '(\w+)'; its class is not tied to that name\.", lambda c, label: not (c.rows[c.judges] == label).any().any()),
    (r"'(\w+)' is left out: a judge of another question, in words that nobody else says; .*", lambda c, name: name not in c.judges),
    (r"Votes alone cannot say .*", lambda c: len(c.judges) > 1),
    (r"Votes of one judge do not say how often it is right\..*", lambda c: len(c.judges) == 1 and _unlabelled(c)),
    (r"Of judges this table says nothing: it has no column of verdicts\. .*", lambda c: not c.judges),
    (r"(\d+) outputs? \(.*\)(?: of \d+ prompts?)?(?:, systems [^;]*)?; (no judge|\d judges?); (no|\d+) human answers?.*", _about),
    (r"(\d+) items, (\d) judges?, \d labels? \((.*)\); no vote missing; (?:no human labels|human labels for (\d+) items, used .*)\.", _about_items),
    (r"People labelled (\d+) of \d+ items?; no judge judged any\.", lambda c, n: int(n) == len(c.labelled) and not c.judges),
]  # fmt: skip
SAMPLE = "A random sample of human labels"


def check_line(case, line):
    """Refuse a line of no kind, or one whose predicate does not hold."""
    for pattern, holds in KINDS:
        match = re.fullmatch(pattern, line)
        if match is not None:
            assert holds(case, *match.groups()), f"not true: {line}"
            break
    else:
        raise AssertionError(f"a line of no kind: {line}")
    assert (SAMPLE not in line) or _unlabelled(case), line
    assert not re.search(r"(?<!\w)--[a-z]|algeval ", line), f"no Python: {line}"


def check_table(case, table):
    """Refuse an accuracy that the labels do not give, and estimates where none stands."""
    for row in table.rows:
        cells = dict(zip(table.columns, row, strict=True))
        right = cells.get("right (95%)", cells.get("exact (95%)"))
        if right is not None:
            assert int(cells["labels"]) == len(case.labelled)
            assert abs(int(right.split("%")[0]) - 100 * _right(case, row[0])) <= 0.6
    estimates = {"accuracy if errors shared", "if independent", "range"} & {*table.columns}
    if estimates:
        assert not case.constant()
        assert case.related() <= (0.1 if len(case.rows) > 12 else 0.25)


def screen_of(case):
    """Lines of a case's first screen, each checked; None where the table is asked about."""
    try:
        report = ae.report(case.shown, source="t", first_screen=True)
    except ae.DataError:
        return None
    read = ae.read_results(case.shown)
    if not {*read.judged} <= {*JUDGES} or (read.scored and not read.judged):
        return (
            None  # another column taken for a judge, or grades for scores: not this screen's matter
        )
    # a column of one word, the same column again or a lone label may be read as nobody's
    case.judges = [j for j in case.judges if j in read.judged]
    case.rows = case.rows if read.said else case.rows.assign(human=None)
    text, over = report.summary(), report.overview
    parts = (over.about, *over.reading, *over.answers, *over.verdict, *over.about_judges)
    lines = (*parts, *over.consensus, *over.notes, *over.undecided, *over.system)
    for line in lines:
        check_line(case, line)
    check_table(case, over.table)
    assert not any("algeval " in step.call for step in over.steps)
    # nothing is printed but these lines, the heading, the table and the steps
    left = " ".join(text.split())
    steps = [text for step in over.steps for text in (step.call, step.purpose)]
    for line in sorted((*lines, over.table.note, *steps), key=len, reverse=True):
        left = left.replace(" ".join(line.split()), "")
    assert not re.search(r"better|labelled|Whatever|Consensus|rate of", left), left
    return lines


def cases(seeds):
    made = [case_of(seed) for seed in seeds]
    read = [case for case in made if screen_of(case) is not None]
    assert len(read) >= 0.6 * len(made)
    return read


@pytest.mark.parametrize("part", range(5))
def test_every_line_of_the_first_screen_is_true(part):
    cases(range(5 * part, 5 * part + 5))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_every_line_of_many_first_screens_is_true(part):
    """Of 30 tables; intervals miss what is true in about 5%, and what is shown is seldom false."""
    seen = [said for case in cases(range(100 + 30 * part, 130 + 30 * part)) for said in case.seen]
    held = [so for kind, so in seen if kind == "rate"]
    assert sum(not so for so in held) <= 1 + 0.15 * len(held)
    for kind in ("better", "judge"):
        assert sum(not so for what, so in seen if what == kind) <= 2


@pytest.mark.parametrize("n_judges", [3, 5])
def test_judges_who_always_say_one_word_get_no_estimate(n_judges):
    rows = pd.DataFrame({"id": range(30), **{j: ["pass"] * 30 for j in JUDGES[:n_judges]}})
    report = ae.report(rows)
    assert not {"accuracy if errors shared", "if independent", "range"} & {
        *report.overview.table.columns
    }
    assert "Estimated accuracy" not in report.summary()
    assert "no more related to each other than those of coins" in " ".join(report.summary().split())


def test_a_system_of_which_some_are_labelled_is_not_said_to_be_labelled_throughout():
    rows = [
        {"id": f"{p}{s}", "prompt": f"p{p}", "system": s, "gpt": ("fail", "pass")[p % 2]}
        | {"human": ("fail", "pass")[p % 3 > 0] if s == "A" or p < 3 else None}
        for p in range(12)
        for s in "AB"
    ]
    text = " ".join(ae.report(pd.DataFrame(rows)).summary().split())
    assert "people labelled every output" not in text
    assert "people labelled all 12 outputs" in text
    assert "from 3 human labels" in text
    assert "Which of A and B is better is not shown" in text


def test_grades_that_labels_show_are_said_with_the_question_where_to_cut():
    rng = np.random.default_rng(0)
    truth = rng.integers(1, 6, 60)
    rows = pd.DataFrame({"id": range(60), "system": ["A", "B"] * 30})
    rows["gpt"] = np.clip(truth + rng.integers(-1, 2, 60), 1, 5).astype(str)
    rows["human"] = truth.astype(str)
    text = " ".join(ae.report(rows).summary().split())
    assert "from which grade on: cut=" in text
    means = [f"of {s} {truth[k::2].mean():.2f} (30 labelled)" for k, s in enumerate("AB")]
    assert f"{truth.mean():.2f} (60 labelled), {', '.join(means)}" in text

"""Write docs/reference/contract.md from the lists and rules in the code.

Run `python docs/contract_page.py`; a test compares what is there with what this would write.
"""

from pathlib import Path

from algeval.data.column_words import LISTS, ROWS_OF_TOOLS, TOOLS
from algeval.data.contract import RULES
from algeval.data.facts import FEW, NOT_ANSWERED
from algeval.io.asking import CODES
from algeval.io.columns_file import NAME, OPTIONS, ROLES

PAGE = Path(__file__).parent / "reference" / "contract.md"

TEXT = """\
# How a table is to be read

**In preparation.** This version reads by it tables of nothing but ids and votes, where only votes are asked
for in Python (`read_votes`, `alarm`, `aggregate`); of all others, and at the command line, `algeval columns`
says what is read, and why.

What is named is used; what is not named is shown and asked; the answer is kept. This page is made from the
lists in the code: it says all there is to know of which column is read as what.

## In which order

1. **What you say beats all**: options, `columns=` in Python, or `{name}` beside the table. If you name
   judges, no other column becomes a judge; if you name people, no other column becomes a person's.
2. **Types that change no answer**: empty columns, row numbers, the same column again, times, reasons, long
   texts.
3. **A tool's own columns** (below), by their exact names.
4. **Exact names.** A name is cut into words at `_ - . /`, blanks and camelCase; figures behind a word and
   single letters do not count. A column is a judge's or a person's if *all* its words are known: one says
   who, the others a kind, a criterion or a version. `gpt4o`, `gpt4o_verdict`, `judge_1` and
   `predicted_label` are judges, `human_label` and `expert_2` people. With one strange word (`judge_v2beta`)
   it is a vote only if it shares labels with a column whose name is exact. A model's family with a
   criterion (`gpt4_correct`) may be a judge or the system that is judged: it is asked about. So is a name
   that says both a judge and a person.
5. **Shapes.** *Pairs*: two columns `model_a`, `model_b` (or `_1`, `_2`, `left`, `right`; also `system`,
   `assistant`, `generator`, `bot`, `player`, `candidate`, `variant`), and the columns of which is better.
   *A row per answer*: a column called like who answered, which tells the rows of an id apart, and one
   column of what they answered; raters whose names say a person are people. *Votes alone*: at most one
   column of ids, and columns that share labels, whose names say nothing else: each is a judge. Questions
   about votes alone also take the only column without repeats as ids. *Else* a row is an output, a column
   each judge and person. Numbered people (`rater_1`, `rater_2`) are judges where nobody else votes.
6. **Ids.** A column called like an id, without repeats, is the item. If the id repeats, the system, the
   repetition or the order shown must tell its rows apart: outputs of several systems share a prompt;
   repetitions judge the same output again, unless the answers' texts differ. Ids that repeat otherwise are
   asked about. Without an id, rows are items.
7. **What is left** is a group, a number or an id beside votes, and no vote. It is named on the screen if it
   may be one.

## What is asked

One question a table, filled in, if something that changes an answer is not determined:

* judges or people are missing, and an unnamed column looks like votes (at most {few} labels, of which most
  occur twice, or whole numbers of a scale) and shares labels with the votes there are;
* `model` beside one column of answers: did it give them, or was it judged?
* an id repeats, and nothing tells its rows apart;
* judges and people each stand once a system, as `v3_judge`, `v3_human`, `v4_judge`, `v4_human`;
* cells may be no answers: {codes} off the scale of the other grades; replies that are long, say an error,
  or are rare and given by no person.

The proposal is made by evidence, which stands beside it: how many rows are filled, how often two columns
agree. It decides nothing until you accept it. In a terminal one key does, and `{name}` is written; `--yes`
takes it in scripts, and the first line says so; otherwise the exit code is 2, with the command to copy. In
Python `DataError.questions` has it.

## `{name}`

Written by `algeval columns FILE --yes --save`, or by hand, beside the tables it is about; found by itself
for a table of the same header; `--columns none` leaves it out. Its JSON Schema is `columns-file`.

```toml
[[table]]
header = ["id", "gpt4o", "verdict"]
good = "pass"
missing = ["-1"]
[table.columns]
id = "item"
gpt4o = "judge"
verdict = "human"
```

`columns` gives roles: {roles}. Without `header` an entry is of any table that has all columns it names.
Settings: {options}.

## Cells

Not answered are empty cells, {missing}, what a program writes for a failure (`error: ...`, `timeout`), and
what `missing` names. Labels that `labels` names stand for themselves. Upper and lower case and outer blanks
do not count; `true`, `1` and `yes` are alike only where two columns say so.
"""


def _ticked(words: object) -> str:
    return " ".join(f"`{word}`" for word in words)  # type: ignore[attr-defined]


def page() -> str:
    """The page."""
    text = TEXT.format(
        name=NAME,
        few=FEW,
        codes=", ".join(map(str, CODES)),
        roles=_ticked(ROLES),
        options=_ticked(OPTIONS),
        missing=_ticked(sorted(NOT_ANSWERED)),
    )
    rules = [f"| {name} | {why.format('a tool')} |" for name, why in RULES.items()]
    lists = [
        f"| {name} | {what} | {_ticked(sorted(words))} |" for name, (what, words) in LISTS.items()
    ]
    tools = [
        f"| {title} | {_ticked(sorted(signs))} | {'; '.join(f'`{p}`: {r}' for p, r in roles)} |"
        for title, signs, roles in TOOLS
    ]
    tools += [
        f"| {title} | {_ticked(signs)} | `{item}`: item; `{who}`: rater; `{what}`: answer |"
        for title, signs, item, who, what in ROWS_OF_TOOLS
    ]
    return "\n".join(
        [
            text,
            "## The rules",
            "",
            f"Each of the {len(RULES)} rules prints its reason in `algeval columns`.",
            "",
            "| rule | reason |",
            "|---|---|",
            *rules,
            "",
            "## The lists",
            "",
            "| a word says | where | words |",
            "|---|---|---|",
            *lists,
            "",
            "## Tools' columns",
            "",
            "Beside the files that have [readers of their own](../howto/files-of-tools.md): patterns that",
            "all must be met by some column, and the roles of columns. Names that say a person are people's.",
            "",
            "| tool | known by | roles |",
            "|---|---|---|",
            *tools,
            "",
        ]
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

"""Tables put together by chance from names that people use: each is read rightly, or a question is asked.

No table is written for a rule: names of judges, people, ids, systems, groups and measures are drawn from
lists, and so are labels, sizes, and the rows that people labelled.
"""

import numpy as np
import pytest

import algeval as ae
from algeval.errors import DataError


def names(text):
    return text.split("|")


PEOPLE = names(
    "Decision|SME|ground_truth|gold|expected_label|label|human_label|annotator_1|reviewer|QA lead|final|"
    "adjudicated|agreed|consensus|y_true|true_label|reference_label|manual_check|spot_check|audit|audit_result|"
    "reviewer_verdict|accepted|my_label|team_label|physician|teacher_grade|editor_ok|golden|target_label|"
    "validated|ops_review|nurse_label|trust_safety|escalation_outcome|correct_label|actual|Final Label|"
    "moderator_action|Verified|human_eval|crowd_majority|majority_label|mturk|turkers|appen_label|vendor_label|"
    "linguist|tester|supervisor|ref|oracle|labelbox|resolution"
)
JUDGES = names(
    "gpt4|gpt-4o-mini|judge|judge_v2|llm_label|verdict|auto|autograder|grader|model_grade|pred|prediction|"
    "classifier|detector|claude|gemini_verdict|rubric_pass|checker|xgb|svm|rules|critic|mistral|haiku|"
    "bot_label|automated_decision|guard|llama_guard|nli_label|entailment|baseline_pred|ensemble|distilbert|"
    "keyword_filter|heuristic|prometheus|jury|panel|model_verdict|evaluator|auto_eval|judge_score|"
    "system_label|ml_model|ai_label|assistant_grade|tool_result|weak_label|reward_model|model_output"
)
SCORES = names(
    "gpt4_score|judge_score|llm_score|claude_rating|autorater|quality_gpt|score_gemini|reward|rm_score|comet|"
    "bertscore|overall_llm|grade_claude|ai_score|auto_score|model_score|predicted_score|mistral_score"
)
GRADES = names(
    "human_score|expert_rating|annotator_1|gold_score|teacher_score|reviewer_rating|human_avg|manual_score|"
    "reference_score|crowd_score|sme_score|rater_1|avg_rating|user_rating|ref_score|true_score|score_final|"
    "QA score|panel_mean|adjudicated_score|final_score|agreed_score"
)
LABELS = (
    ("yes", "no"),
    ("pass", "fail"),
    ("1", "0"),
    ("positive", "negative", "neutral"),
    ("TRUE", "FALSE"),
    ("correct", "incorrect"),
    ("safe", "unsafe"),
    ("billing", "tech", "other"),
    ("A", "B", "C"),
)
ITEMS = names(
    "id|item_id|uid|ticket_no|case_id|trace_id|request_id|doc|comment_id|file|hash|case ref"
)
PROMPTS = names(
    "prompt_id|question_id|qid|task_id|input_id|problem|scenario|topic_id|doc_id|dialog_id|source_id|"
    "instance_id|segment_id|passage_id|template_id|task"
)
SYSTEMS = {
    "model": ("gpt-4o", "llama-3", "ours"),
    "system": ("A", "B"),
    "variant": ("control", "treatment"),
    "config": ("base", "rag", "rag+rerank"),
    "run": ("baseline", "candidate"),
    "group": ("control", "test"),
    "condition": ("baseline", "intervention"),
    "prompt_version": ("p3", "p4"),
    "engine": ("deepl", "google"),
    "checkpoint": ("step-1000", "step-2000"),
    "method": ("cot", "direct"),
    "backend": ("vllm", "tgi"),
}
GROUPS = {
    "channel": ("web", "app", "mail"),
    "lang": ("en", "de", "fr"),
    "priority": ("P1", "P2", "P3"),
    "is_mobile": ("0", "1"),
    "returning_user": ("yes", "no"),
    "prompt_type": ("open", "closed"),
    "escalated": ("yes", "no"),
    "fold": ("1", "2", "3", "4", "5"),
    "truncated": ("True", "False"),
    "level": ("1", "2", "3"),
    "premium": ("TRUE", "FALSE"),
    "agent_team": ("north", "south"),
}
RATERS = names(
    "rater|annotator|judge|worker|evaluator|model_judge|grader|reviewer|judge_model|annotator_id|judge_name|"
    "labeler|who|source|scorer|coder|rater_id|evaluated_by|critic"
)
ANSWERS = names(
    "verdict|label|rating|score|vote|judgment|decision|grade|value|result|choice|outcome"
)
PANELS = (
    ("gpt-4o", "claude-3", "gemini-1.5"),
    ("ann_1", "ann_2", "ann_3"),
    ("Maria", "Tom", "Li"),
    ("A1XK", "B9QW", "C3PO"),
    ("gpt-4o", "claude-3", "expert_1"),
    ("1", "2", "3", "4"),
    ("a.k@x.org", "b.l@x.org"),
)
SIDES = (
    ("model_a", "model_b"),
    ("left_model", "right_model"),
    ("system_1", "system_2"),
    ("model_1", "model_2"),
    ("first_system", "second_system"),
    ("assistant_a", "assistant_b"),
)
OUTCOMES = (("A", "B", "tie"), ("a", "b", "both"), ("left", "right", "tie"), ("1", "2", "tie"))
CHOICES = names(
    "gpt4_winner|claude_vote|judge|gpt-4o|llm_preference|judge_verdict|gemini_choice|auto_winner"
)
PICKS = names(
    "human_winner|annotator_pref|human|expert_choice|reviewer_vote|human_preference|annotator"
)
MAY_BE = {
    "item": {"item", "prompt", "ignored", "text"},
    "prompt": {"item", "prompt"},
    "group": {"slice", "ignored", "covariate", "time", "trial"},
    "judge": {"judge", "score"},
}
"""Roles that change no answer for each other; any other must be the role itself."""


def said(rng, truth, labels, share):
    """Return what one says of each truth: it on a share of rows, else a label drawn."""
    drawn = rng.choice(labels, len(truth))
    return np.where(rng.random(len(truth)) < share, truth, drawn).tolist()


def on_a_part(rng, cells):
    part = rng.choice([0.2, 0.5, 0.8, 1])
    return [cell if rng.random() < part else "" for cell in cells]


def ids(rng, n):
    numbers = rng.permutation(9000)[:n] + 1000
    form = rng.choice(["ex-{}", "{}", "TCK-{}", "{:x}f"])
    return [str(form).format(number) for number in numbers]


def texts(rng, n):
    verbs = rng.choice(["reset", "cancel", "explain", "find"], n)
    return [
        f"Please {verb} item {k} for us?" for verb, k in zip(verbs, rng.permutation(n), strict=True)
    ]


def outputs(rng):
    """Return columns and roles of what was judged: an item a row, or prompts that all systems answered."""
    n = int(rng.choice([60, 120, 240]))
    group = str(rng.choice([*GROUPS]))
    columns = {group: rng.choice(GROUPS[group], n).tolist()}
    roles = {group: "group"}
    if rng.random() < 0.5:
        name, systems = str(rng.choice(PROMPTS)), str(rng.choice([*SYSTEMS]))
        several = SYSTEMS[systems]
        columns[name] = np.repeat(ids(rng, n // len(several)), len(several)).tolist()
        columns[systems] = [*several] * (n // len(several))
        roles |= {name: "prompt", systems: "system"}
    else:
        name = str(rng.choice(ITEMS))
        columns[name] = ids(rng, n)
        roles[name] = "item"
    columns["response"] = texts(rng, n)
    return columns, roles


def answered(rng, table, names, people, shares, labels):
    """Return a table with verdicts of one to three judges, right on a share each, and of a person."""
    columns, roles = table
    truth = rng.choice(labels, len(next(iter(columns.values()))))
    for name in rng.choice(names, rng.integers(1, 4), replace=False):
        columns[str(name)] = said(rng, truth, labels, rng.uniform(*shares))
        roles[str(name)] = "judge"
    person = str(rng.choice(people))
    columns[person] = on_a_part(rng, said(rng, truth, labels, 0.95))
    return columns, roles | {person: "human"}


def verdicts(rng):
    """Return a table of verdicts in columns, of one to three judges and a person."""
    table = outputs(rng)
    labels = LABELS[rng.integers(len(LABELS))]
    return answered(rng, table, JUDGES, PEOPLE, (0.7, 0.9), labels)


def grades(rng):
    """Return a table of scores in columns, of one to three judges and a person."""
    columns, roles = outputs(rng)
    n = len(columns["response"])
    quality = rng.beta(2, 1.4, n)
    scale = str(rng.choice(["to five", "to one", "to a hundred"]))

    def put(values):
        values = np.clip(values, 0, 1)
        if scale == "to one":
            return [f"{v:.3f}" for v in values]
        return [str(round(1 + 4 * v if scale == "to five" else 100 * v)) for v in values]

    for name in rng.choice(SCORES, rng.integers(1, 4), replace=False):
        columns[str(name)] = put(quality + rng.normal(0, 0.15, n))
        roles[str(name)] = "judge"
    person = str(rng.choice(GRADES))
    columns[person] = on_a_part(rng, put(quality + rng.normal(0, 0.07, n)))
    return columns, roles | {person: "human"}


def rows_of_raters(rng):
    """Return a table of a row a verdict."""
    n, panel = int(rng.choice([20, 40, 80])), PANELS[rng.integers(len(PANELS))]
    labels = LABELS[rng.integers(len(LABELS))]
    item, rater, answer = (str(rng.choice(some)) for some in (ITEMS[:6], RATERS, ANSWERS))
    group = str(rng.choice([*GROUPS]))
    each = len(panel)
    columns = {
        item: np.repeat(ids(rng, n), each).tolist(),
        "text": np.repeat(texts(rng, n), each).tolist(),
        group: np.repeat(rng.choice(GROUPS[group], n), each).tolist(),
        rater: [*panel] * n,
        answer: said(rng, np.repeat(rng.choice(labels, n), each), labels, 0.8),
    }
    return columns, {item: "item", group: "group", rater: "rater", answer: "answer"}


def battles(rng):
    """Return a table of pairs of outputs, of one to three judges and a person who say which is better."""
    n, sides = int(rng.choice([60, 120])), SIDES[rng.integers(len(SIDES))]
    pairs = [rng.permutation(["gpt-4o", "llama-3", "ours"])[:2] for _ in range(n)]
    item, group = str(rng.choice([*ITEMS[:6], *PROMPTS[:4]])), str(rng.choice([*GROUPS]))
    columns = {item: ids(rng, n), group: rng.choice(GROUPS[group], n).tolist()}
    columns |= {side: [str(pair[k]) for pair in pairs] for k, side in enumerate(sides)}
    outcomes = [*OUTCOMES[rng.integers(len(OUTCOMES))]]
    if rng.random() < 0.3:
        outcomes = [*sides, "tie"]
    roles = {item: "item", group: "group"} | dict.fromkeys(sides, "system")
    return answered(rng, (columns, roles), CHOICES, PICKS, (0.6, 0.9), outcomes)


TABLES = [verdicts, grades, rows_of_raters, battles]


def misread(make, seed):
    """Return columns of a table that were read as what they are not, without a question."""
    columns, roles = make(np.random.default_rng(seed))
    try:
        read = ae.read_results(columns).roles
    except DataError as error:
        return [] if error.questions else [(seed, [*columns], str(error))]
    return [
        (seed, [*columns], name, read[name], role)
        for name, role in roles.items()
        if read[name] not in MAY_BE.get(role, {role})
    ]


@pytest.mark.parametrize("make", TABLES)
def test_no_name_is_silently_misread(make):
    assert not [wrong for seed in range(100) for wrong in misread(make, seed)]


@pytest.mark.slow
@pytest.mark.parametrize("make", TABLES)
def test_hardly_any_name_of_a_thousand_tables_is_silently_misread(make):
    wrong = [each for seed in range(1000, 2000) for each in misread(make, seed)]
    assert len(wrong) <= 5, wrong

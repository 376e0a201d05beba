"""Exports of known tools whose rows stand as they are in a table: what their own columns are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Export:
    """A tool's export: columns that tell it, who answered and what, and the roles of its own columns."""

    title: str
    signs: frozenset[str]
    item: str
    who: str = ""
    finer: str = ""  # the item, where one of `item` was asked about in several ways
    answers: str = ""  # pattern of what was said: a column, or several of one question each
    roles: tuple[tuple[str, str], ...] = ()  # pattern: role
    no_answers: tuple[str, ...] = ()  # cells of answers and verdicts that are none
    not_counted: tuple[str, ...] = ()  # column, and the cells of rows that do not count
    by: str = ""  # who answered, where several answered under one `who`
    any_case: bool = False  # whether names are in another case than the tool's, as of a warehouse

    def spelled(self, names: Mapping[str, str]) -> Export:
        """The same with the columns as a table spells them; `names`: by their lower case."""

        def own(name: str) -> str:
            return names.get(name.lower(), name)

        column, *cells = self.not_counted or ("",)
        return replace(
            self,
            item=own(self.item),
            who=own(self.who),
            finer=own(self.finer),
            by=own(self.by),
            not_counted=(own(column), *cells) if column else (),
            any_case=True,
        )

    def role(self, name: str) -> str | None:
        """Role of one of the tool's own columns, None of others; "" where the cells must decide."""
        own = {self.item: "item" if self.item else "", self.who: "who"}
        if name and name in own:
            return own[name]
        case = re.IGNORECASE if self.any_case else 0
        if self.answers and re.fullmatch(self.answers, name, case):
            return "answer"
        return next(
            (role for pattern, role in self.roles if re.fullmatch(pattern, name, case)), None
        )


_OF_LANGFUSE = (
    ("timestamp|createdAt|updatedAt", "time"),
    ("id|dataType|configId|queueId|observationId|sessionId|environment|projectId", "ignored"),
    ("comment", "reason"),
    ("authorUserId|source", "slice"),
)


_OF_PRODIGY = (
    (
        "_task_hash|_session_id|_view_id|_is_binary|priority|spans|tokens|options|config",
        "ignored",
    ),
    ("_timestamp", "time"),
    ("text|image|html|label|score|rank|source", ""),
    (r"meta(\..*)?", ""),
)


EXPORTS = (
    Export(
        "FastChat",
        frozenset({"question_id", "model_1", "model_2", "g1_winner"}),
        "",
        roles=(
            ("question_id|model_[12]|turn", ""),
            (r"g\d_winner", "judge"),
            (r"g\d_user_prompt", "text"),
            (r"g\d_judgment", "reason"),
            ("judge", "ignored"),
            ("tstamp", "time"),
        ),
    ),
    Export(
        "FastChat",
        frozenset({"question_id", "model", "judgment", "score"}),
        "",
        roles=(
            ("question_id|model|turn", ""),
            ("score", "judge"),
            ("user_prompt", "text"),
            ("judgment", "reason"),
            ("judge", "ignored"),
            ("tstamp", "time"),
        ),
        no_answers=("-1",),
    ),
    Export(
        "lm-eval",
        frozenset({"doc_id", "doc_hash", "filtered_resps"}),
        "",
        roles=(
            ("(doc|prompt|target)_hash|resps|filtered_resps|metrics|target", "ignored"),
            (r"arguments(\..*)?", "text"),
            (r"doc_id|doc(\..*)?|filter", ""),
            (r"exact_match.*|acc|acc_norm|em|pass@\d+|(prompt|inst)_level_\w+_acc", "judge"),
            (
                "f1|bleu|ter|chrf|rouge.*|perplexity|.*_perplexity|bits_per_byte|acc_.*|mcc|brier.*",
                "score",
            ),
        ),
    ),
    Export(
        "Mechanical Turk",
        frozenset({"HITId", "WorkerId"}),
        "HITId",
        "WorkerId",
        "",
        r"Answer[._].*",
        (
            ("AcceptTime|SubmitTime|CreationTime", "time"),
            ("WorkTimeInSeconds", "covariate"),
            ("AssignmentStatus", "slice"),
            (
                "HITTypeId|HITGroupId|Title|Description|Keywords|Reward|MaxAssignments|RequesterAnnotation|"
                "AssignmentDurationInSeconds|AutoApprovalDelayInSeconds|Expiration|NumberOfSimilarHITs|"
                "LifetimeInSeconds|AssignmentId|AutoApprovalTime|ApprovalTime|RejectionTime|"
                "RequesterFeedback|(Lifetime|Last\\d+Days?)ApprovalRate|Approve|Reject",
                "ignored",
            ),
        ),
        not_counted=("AssignmentStatus", "rejected"),
    ),
    Export(
        "Label Studio",
        frozenset({"annotation_id", "annotator", "id"}),
        "id",
        "annotator",
        roles=(
            ("annotation_id", "ignored"),
            ("created_at|updated_at", "time"),
            ("lead_time", "covariate"),
            ("prediction_score", "score"),
            ("text|image|audio|html", ""),
        ),
    ),
    Export(
        "Prodigy",
        frozenset({"_input_hash", "_task_hash", "answer", "accept"}),
        "_input_hash",
        "_annotator_id",
        "_task_hash",
        "accept",
        (("answer", "ignored"), *_OF_PRODIGY),
        not_counted=("answer", "ignore", "reject"),
    ),
    Export(
        "Prodigy",
        frozenset({"_input_hash", "_task_hash", "answer"}),
        "_input_hash",
        "_annotator_id",
        "_task_hash",
        "answer",
        _OF_PRODIGY,
        ("ignore",),
    ),
    Export(
        "Appen",
        frozenset({"_unit_id", "_golden"}),
        "",
        roles=(
            (
                "_golden|_id|_tainted|_missed|_unit_state|_trusted_judgments|_last_judgment_at",
                "ignored",
            ),
            ("_created_at|_started_at", "time"),
            ("_trust", "covariate"),
            ("_channel|_country|_region|_city", "slice"),
            (".*_gold_reason", "ignored"),
        ),
    ),
    *(
        Export(
            "Langfuse",
            frozenset({"traceId", "name", "dataType", answer}),
            "traceId",
            "name",
            answers="stringValue|value",
            roles=_OF_LANGFUSE,
            by="source",
        )
        for answer in ("value", "stringValue")
    ),
    *(
        Export(
            "promptfoo",
            frozenset({"Status", *beside}),
            "",
            roles=(("Status|Metric: .*", "judge"), ("Score", "score"), ("Named Scores", "ignored")),
        )
        for beside in (("Grader Reason",), ("Named Scores",), ("output", "system"))
    ),
)


def export_of(names: Iterable[str]) -> Export | None:
    """Export of a known tool that has columns of these names, in any case; None where it is none."""
    held = set(names)
    plainly = next((export for export in EXPORTS if export.signs <= held), None)
    if plainly is not None:
        return plainly
    lower = {name.lower(): name for name in held}
    for export in EXPORTS:
        if {sign.lower() for sign in export.signs} <= lower.keys():
            return export.spelled(lower)
    return None

"""Exports and sheets, the third round: written, with their roles, before rules were looked at."""

import numpy as np
import pandas as pd

from .unseen import numbers, some, truth, uuids, verdicts, words


def langsmith_queue(rng):  # runs of a chain, reviewed in an annotation queue
    n = 90
    t = truth(rng, n)
    frame = pd.DataFrame(
        {
            "Run ID": [f"0193f2c{k:03x}-7a1" for k in range(n)],
            "Name": "RunnableSequence",
            "Start Time": pd.date_range("2025-03-02", periods=n, freq="41min").astype(str),
            "Input": words("Question", n),
            "Output": words("Answer", n),
            "Error": None,
            "Latency (s)": np.round(rng.gamma(3, 0.7, n), 2),
            "Tokens": rng.integers(200, 1900, n),
            "correctness_llm": [int(v == "pass") for v in verdicts(rng, t)],
            "hallucination_free_llm": [int(v == "pass") for v in verdicts(rng, t, right=0.8)],
            "user_score": some(rng, [int(x) for x in t], 0.35),
            "user_score_comment": some(rng, words("Remark", n), 0.08),
            "Tags": rng.choice(["prod", "canary"], n),
        }
    )
    roles = {
        "Run ID": "item",
        "Name": "ignored",
        "Start Time": "time",
        "Input": ["text", "prompt"],
        "Output": "text",
        "Error": "ignored",
        "Latency (s)": "covariate",
        "Tokens": "covariate",
        "correctness_llm": "judge",
        "hallucination_free_llm": "judge",
        "user_score": "human",
        "user_score_comment": "reason",
        "Tags": "slice",
    }
    return frame, roles, "1"


def braintrust_csv(rng):  # an experiment with a score of people
    n = 80
    t = truth(rng, n)
    frame = pd.DataFrame(
        {
            "id": uuids(rng, n),
            "span_id": uuids(rng, n),
            "created": pd.date_range("2025-05-01", periods=n, freq="3s").astype(str),
            "input": words("Where is my order", n),
            "output": words("Your order", n),
            "expected": words("The order", n),
            "scores.Factuality": rng.choice([0.0, 0.4, 0.6, 1.0], n),
            "scores.ClosedQA": [int(v == "pass") for v in verdicts(rng, t)],
            "scores.Levenshtein": numbers(rng, t),
            "scores.Human review": some(rng, [int(x) for x in t], 0.3),
            "metadata.customer_tier": rng.choice(["free", "pro"], n),
            "metrics.duration": np.round(rng.gamma(2, 1.1, n), 3),
            "metrics.prompt_tokens": rng.integers(90, 400, n),
        }
    )
    roles = {
        "id": ["item", "ignored"],
        "span_id": ["ignored", "item"],
        "created": "time",
        "input": ["text", "prompt"],
        "output": "text",
        "expected": "text",
        "scores.Factuality": ["score", "judge"],
        "scores.ClosedQA": "judge",
        "scores.Levenshtein": ["score", "covariate"],
        "scores.Human review": "human",
        "metadata.customer_tier": "slice",
        "metrics.duration": "covariate",
        "metrics.prompt_tokens": "covariate",
    }
    return frame, roles, "1"


def promptfoo_two(rng):  # two providers side by side, their columns repeated
    n = 60
    head = ["question", "expected_topic"]
    cols = [words("Question", n), rng.choice(["refunds", "shipping"], n)]
    for provider in ("openai:gpt-4o-mini", "anthropic:claude-3-haiku"):
        t = truth(rng, n, 0.7)
        head += [
            f"[{provider}] Answer the customer: {{{{question}}}}",
            "Status",
            "Score",
            "Grader Reason",
            "Comment",
        ]
        cols += [
            words(f"Reply of {provider}", n),
            verdicts(rng, t, ("PASS", "FAIL"), 0.95),
            [float(x) for x in np.where(t, 1, 0.33)],
            words("The reply", n),
            some(rng, words("Checked by hand", n), 0.1),
        ]
    rows = [head, *[list(r) for r in zip(*cols, strict=True)]]
    frame = pd.DataFrame(rows)
    roles = {
        "question": ["text", "prompt"],
        "expected_topic": "slice",
        "Status": "judge",
        "Score": "score",
        "Grader Reason": "reason",
        "Comment": ["reason", "text"],
        "system": "system",
        "output": "text",
    }
    return frame, roles, "PASS"


def promptfoo_metrics(rng):  # two providers side by side, with scores by assertion
    n = 40
    head, cols = ["Description", "message"], [words("case", n), words("How do I do thing", n)]
    for provider in ("openai:gpt-4o-mini", "anthropic:claude-3-haiku"):
        helpful, short = rng.random(n).round(2), rng.integers(2, size=n)
        head += [f"[{provider}] Answer: {{{{message}}}}", "Status", "Score"]
        head += ["Metric: helpful", "Metric: short", "Grader Reason", "Comment"]
        cols += [
            words(f"Reply of {provider}", n),
            np.where((helpful > 0.3) & (short == 1), "PASS", "FAIL").tolist(),
            ((helpful + short) / 2).round(2).tolist(),
            helpful.tolist(),
            short.tolist(),
            words("All assertions looked at", n),
            [""] * n,
        ]
    frame = pd.DataFrame([head, *[list(r) for r in zip(*cols, strict=True)]])
    roles = {
        "message": ["text", "prompt"],
        "system": "system",
        "output": "text",
        "Status": "judge",
        "Score": "score",
        "Metric: helpful": "score",
        "Grader Reason": "reason",
        "Comment": "ignored",
    }
    return frame, roles, "PASS"


def promptfoo_tagged(rng):  # an older export: each output begins with its verdict
    n = 40
    head, cols = ["message"], [words("How do I do thing", n)]
    for provider in ("openai:gpt-4o-mini", "anthropic:claude-3-haiku"):
        head.append(f"[{provider}] Answer: {{{{message}}}}")
        tag = np.where(truth(rng, n, 0.7), "[PASS] ", "[FAIL] Expected output to contain x\n---\n")
        tag[3] = "[ERROR] API error: 429\n---\n"
        cols.append([t + w for t, w in zip(tag, words(f"Reply of {provider}", n), strict=True)])
    frame = pd.DataFrame([head, *[list(r) for r in zip(*cols, strict=True)]])
    roles = {
        "message": ["text", "prompt"],
        "system": "system",
        "output": "text",
        "Status": "judge",
    }
    return frame, roles, "PASS"


def argilla_parts(rng):  # an answer, who gave it, and what a model suggested, a column each
    n = 70
    t = truth(rng, n, 0.7)
    done = [k < 25 for k in range(n)]
    people = verdicts(rng, t, ("good", "bad"), 1)
    frame = pd.DataFrame(
        {
            "id": [f"rec-{k}" for k in range(n)],
            "instruction": words("Write a poem about", n),
            "response": words("A poem about", n),
            "quality.responses": [p if d else "" for p, d in zip(people, done, strict=True)],
            "quality.responses.users": ["u1" if d else "" for d in done],
            "quality.suggestion": verdicts(rng, t, ("good", "bad"), 0.9),
            "quality.suggestion.agent": ["gpt-4o"] * n,
            "quality.suggestion.score": rng.random(n).round(2),
        }
    )
    roles = {
        "id": "item",
        "quality.responses": "human",
        "quality.responses.users": "slice",
        "quality.suggestion": "judge",
        "quality.suggestion.score": "score",
    }
    return frame, roles, "good"


def orders_in_columns(rng):  # verdicts on pairs in one order and in the other; people name the side
    n = 60
    frame = pd.DataFrame(
        {
            "prompt_id": range(n),
            "prompt": words("Please tell me about thing", n),
            "answer_base": words("Base says", n),
            "answer_tuned": words("Tuned says", n),
            "gpt4_ab": rng.choice(["A", "B"], n),
            "gpt4_ba": rng.choice(["A", "B"], n),
            "human_pref": some(rng, rng.choice(["base", "tuned"], n).tolist(), 0.5),
        }
    )
    roles = {"prompt_id": "item", "gpt4_ab": "judge", "gpt4_ba": "judge", "human_pref": "human"}
    return frame, roles, None


def french_sheet(rng):
    n = 80
    t = truth(rng, n, 0.75)
    human = verdicts(rng, t, ("oui", "non"), 1)
    frame = pd.DataFrame(
        {
            "N°": range(1, n + 1),
            "Question": words("Quelle est la chose", n),
            "Réponse du modèle": words("C'est la chose", n),
            "Juge Mistral": verdicts(rng, t, ("oui", "non"), 0.9),
            "Juge GPT": verdicts(rng, t, ("oui", "non"), 0.85),
            "Vérification humaine": [h if k % 4 == 0 else "" for k, h in enumerate(human)],
        }
    )
    roles = {
        "Question": "text",
        "Juge Mistral": "judge",
        "Juge GPT": "judge",
        "Vérification humaine": "human",
    }
    return frame, roles, "oui"


def inspect_epochs(rng):  # samples_df of Inspect, 20 samples, 3 epochs, two models
    rows, k = [], 0
    for model in ("openai/gpt-4.1", "anthropic/claude-sonnet-4"):
        for s in range(20):
            for e in (1, 2, 3):
                ok = bool(rng.random() < 0.6)
                rows.append(
                    {
                        "sample_id": "".join(rng.choice(list("ABCDEFGHKLMNPQ"), 10)),
                        "eval_id": "eA1" if "gpt" in model else "eB7",
                        "model": model,
                        "id": f"case-{s:02d}",
                        "epoch": e,
                        "input": words("Task", 20)[s],
                        "target": words("Target", 20)[s],
                        "score_model_graded_fact": "C" if ok else "I",
                        "score_self_check": ("C" if ok else "I") if rng.random() < 0.8 else "C",
                        "score_human": ("C" if ok else "I") if rng.random() < 0.35 else None,
                        "message_count": int(rng.integers(2, 12)),
                        "total_time": round(float(rng.gamma(3, 4)), 2),
                        "error": None,
                    }
                )
                k += 1
    roles = {
        "sample_id": ["item", "ignored"],
        "eval_id": ["slice", "ignored"],
        "model": "system",
        "id": ["prompt", "slice"],
        "epoch": "trial",
        "input": ["text", "prompt"],
        "target": "text",
        "score_model_graded_fact": "judge",
        "score_self_check": "judge",
        "score_human": "human",
        "message_count": "covariate",
        "total_time": "covariate",
        "error": "ignored",
    }
    return pd.DataFrame(rows), roles, "C"


def label_studio_csv(
    rng,
):  # an export of Label Studio: a row per annotation, a model's suggestion beside it
    n = 50
    t = truth(rng, n)
    model = verdicts(rng, t, ("Relevant", "Not relevant"), 0.8)
    rows = []
    for k in range(n):
        for who in rng.choice([3, 7, 12], 2, replace=False):
            right = bool(t[k]) if rng.random() < 0.9 else not t[k]
            rows.append(
                {
                    "annotation_id": 5000 + len(rows),
                    "annotator": int(who),
                    "created_at": f"2025-01-{1 + k % 28:02d}T10:{k:02d}:00Z",
                    "id": 210 + k,
                    "lead_time": round(float(rng.gamma(2, 6)), 3),
                    "passage": words("Passage", n)[k],
                    "prediction_gpt-4o": model[k],
                    "relevance": "Relevant" if right else "Not relevant",
                    "updated_at": f"2025-01-{1 + k % 28:02d}T11:{k:02d}:00Z",
                }
            )
    roles = {
        "annotation_id": ["ignored"],
        "annotator": "rater",
        "created_at": "time",
        "id": "item",
        "lead_time": "covariate",
        "passage": ["text", "prompt"],
        "prediction_gpt-4o": "judge",
        "relevance": "answer",
        "updated_at": "time",
    }
    return pd.DataFrame(rows), roles, "Relevant"


def mtbench_pairs(rng):  # pair judgments of FastChat with both orders, and an expert's vote
    models = ("vicuna-13b-v1.3", "alpaca-13b", "gpt-3.5-turbo", "claude-v1")
    rows = []
    for q in range(81, 106):
        for turn in (1, 2):
            a, b = rng.choice(len(models), 2, replace=False)
            better = "model_1" if rng.random() < 0.5 + 0.12 * (b - a) else "model_2"
            flip = {"model_1": "model_2", "model_2": "model_1", "tie": "tie"}

            def say(p, better=better, flip=flip):
                u = rng.random()
                return better if u < p else ("tie" if u < p + 0.1 else flip[better])

            rows.append(
                {
                    "question_id": q,
                    "model_1": models[a],
                    "model_2": models[b],
                    "g1_winner": say(0.75),
                    "g2_winner": say(0.7),
                    "judge": "gpt-4",
                    "turn": turn,
                    "g1_judgment": f"Assistant A answers {q} with more care in turn {turn}, B does not.",
                    "g2_judgment": f"Assistant B answers {q} with less care in turn {turn}, A does so.",
                    "expert_vote": say(0.85) if rng.random() < 0.5 else None,
                    "tstamp": 1686900000.5 + 7 * len(rows),
                }
            )
    roles = {
        "question_id": ["prompt", "item"],
        "model_1": "system",
        "model_2": "system",
        "g1_winner": "judge",
        "g2_winner": "judge",
        "judge": "ignored",
        "turn": ["covariate", "trial", "slice", "item"],
        "g1_judgment": "reason",
        "g2_judgment": "reason",
        "expert_vote": "human",
        "tstamp": ["time", "covariate"],
    }
    return pd.DataFrame(rows), roles, None


def moderation_td(rng):  # a queue of trust and safety
    n = 150
    t = truth(rng, n, 0.8)
    frame = pd.DataFrame(
        {
            "content_id": [f"c_{90210 + 7 * k}" for k in range(n)],
            "content": words("Comment", n),
            "locale": rng.choice(["en-US", "en-GB", "hi-IN"], n),
            "perspective_toxicity": 1 - np.array(numbers(rng, t)),
            "openai_mod": verdicts(rng, t, ("ok", "violates"), 0.9),
            "llama_guard_3": verdicts(rng, t, ("ok", "violates"), 0.85),
            "T&S decision": some(rng, verdicts(rng, t, ("ok", "violates"), 0.97), 0.3),
            "T&S agent": some(rng, rng.choice(["kim.o", "lee.p", "ana.r"], n).tolist(), 0.3),
            "appealed": rng.choice(["no", "no", "no", "yes"], n),
            "queue": rng.choice(["default", "escalation"], n),
            "reported_at": pd.date_range("2025-02-02", periods=n, freq="9min").astype(str),
        }
    )
    frame["T&S agent"] = frame["T&S agent"].where(frame["T&S decision"].notna(), None)
    roles = {
        "content_id": "item",
        "content": "text",
        "locale": "slice",
        "perspective_toxicity": "score",
        "openai_mod": "judge",
        "llama_guard_3": "judge",
        "T&S decision": "human",
        "T&S agent": "slice",
        "appealed": "slice",
        "queue": "slice",
        "reported_at": "time",
    }
    return frame, roles, "ok"


def chinese_rag(rng):  # a review sheet of answers from documents
    n = 80
    t = truth(rng, n)
    frame = pd.DataFrame(
        {
            "序号": range(1, n + 1),
            "问题": [f"第{k}个问题:如何办理退款业务并查询进度情况说明?" for k in range(n)],
            "检索片段": [
                f"文档{k}:退款将在三到五个工作日之内原路返回客户账户中。" for k in range(n)
            ],
            "回答": [
                f"您好,第{k}号回答:请在订单页面点击退款按钮并等待审核结果。" for k in range(n)
            ],
            "GPT-4o评判": verdicts(rng, t, ("合格", "不合格")),
            "通义千问评判": verdicts(rng, t, ("合格", "不合格"), 0.8),
            "人工复核": some(rng, verdicts(rng, t, ("合格", "不合格"), 0.96), 0.35),
            "复核人": rng.choice(["王芳", "李强"], n),
            "业务线": rng.choice(["电商", "物流", "支付"], n),
            "耗时(毫秒)": rng.integers(300, 4000, n),
            "备注": some(rng, [f"说明文字第{k}条,需要进一步确认原因。" for k in range(n)], 0.1),
        }
    )
    roles = {
        "序号": ["item", "ignored"],
        "问题": ["prompt", "text"],
        "检索片段": "text",
        "回答": "text",
        "GPT-4o评判": "judge",
        "通义千问评判": "judge",
        "人工复核": "human",
        "复核人": "slice",
        "业务线": "slice",
        "耗时(毫秒)": "covariate",
        "备注": ["reason", "text"],
    }
    return frame, roles, "合格"


def sides_three(rng):  # pairs by three annotators and two models, sides by name
    n = 70
    left_better = truth(rng, n, 0.45)
    names = [("sft-v3", "dpo-v4") if rng.random() < 0.5 else ("dpo-v4", "sft-v3") for _ in range(n)]

    def say(right, share=1.0):
        out = []
        for x in left_better:
            if rng.random() > share:
                out.append(None)
                continue
            y = x if rng.random() < right else not x
            out.append("both bad" if rng.random() < 0.1 else ("left" if y else "right"))
        return out

    frame = pd.DataFrame(
        {
            "pair_uid": [f"p-{k:04d}" for k in rng.permutation(n)],
            "instruction": words("Instruction", n),
            "completion_left": words("Left completion", n),
            "completion_right": words("Right completion", n),
            "policy_left": [a for a, _ in names],
            "policy_right": [b for _, b in names],
            "ann_1": say(0.9, 0.5),
            "ann_2": say(0.85, 0.5),
            "ann_3": say(0.85, 0.4),
            "gpt-4.1 pref": say(0.8),
            "gemini pref": say(0.75),
            "batch": rng.choice(["b1", "b2"], n),
        }
    )
    roles = {
        "pair_uid": ["item", "prompt"],
        "instruction": ["text", "prompt"],
        "completion_left": "text",
        "completion_right": "text",
        "policy_left": "system",
        "policy_right": "system",
        "ann_1": "human",
        "ann_2": "human",
        "ann_3": "human",
        "gpt-4.1 pref": "judge",
        "gemini pref": "judge",
        "batch": "slice",
    }
    return frame, roles, None


def merged_turns(rng):  # a spreadsheet with merged cells over its headings
    n = 50
    t = truth(rng, n)
    head = [
        ["Conversation", "", "Automatic rating", "", "Manual check", "", "Metadata", ""],
        [
            "Conv #",
            "Last message",
            "Gemini 1.5",
            "Llama-3.1",
            "1st reviewer",
            "2nd reviewer",
            "Lang",
            "Turns",
        ],
    ]
    rows = zip(
        [f"C{1000 + 3 * k}" for k in range(n)],
        words("Message", n),
        verdicts(rng, t, ("Good", "Bad")),
        verdicts(rng, t, ("Good", "Bad"), 0.8),
        some(rng, verdicts(rng, t, ("Good", "Bad"), 0.95), 0.5),
        some(rng, verdicts(rng, t, ("Good", "Bad"), 0.9), 0.3),
        rng.choice(["en", "nl"], n),
        rng.integers(2, 20, n),
        strict=True,
    )
    frame = pd.DataFrame([*head, *[list(r) for r in rows]])
    roles = {
        "Conv #": "item",
        "Last message": "text",
        "Automatic rating/Gemini 1.5": "judge",
        "Automatic rating/Llama-3.1": "judge",
        "Manual check/1st reviewer": "human",
        "Manual check/2nd reviewer": "human",
        "Metadata/Lang": "slice",
        "Metadata/Turns": "covariate",
    }
    return frame, roles, "Good"


def deepeval_geval(rng):  # metrics of DeepEval as columns, one a verdict of success each
    n = 60
    t = truth(rng, n)
    frame = pd.DataFrame(
        {
            "test_case": [f"test_case_{k}" for k in range(n)],
            "input": words("Question", n),
            "actual_output": words("Answer", n),
            "expected_output": words("Expected answer", n),
            "retrieval_context": words("Context", n),
            "Correctness [GEval]": numbers(rng, t),
            "Correctness [GEval] success": [v == "pass" for v in verdicts(rng, t)],
            "Correctness [GEval] reason": words("The answer", n),
            "Faithfulness": numbers(rng, t),
            "Faithfulness success": [v == "pass" for v in verdicts(rng, t, right=0.8)],
            "evaluation_cost": np.round(rng.gamma(2, 0.002, n), 6),
            "verified_by_human": some(rng, [bool(x) for x in t], 0.35),
        }
    )
    roles = {
        "test_case": "item",
        "input": ["text", "prompt"],
        "actual_output": "text",
        "expected_output": "text",
        "retrieval_context": "text",
        "Correctness [GEval]": "score",
        "Correctness [GEval] success": "judge",
        "Correctness [GEval] reason": "reason",
        "Faithfulness": "score",
        "Faithfulness success": "judge",
        "evaluation_cost": "covariate",
        "verified_by_human": "human",
    }
    return frame, roles, "True"


def essays(rng):  # essays scored by two raters and three models
    n = 90
    q = rng.integers(1, 7, n)

    def mark(sd, share=1.0):
        return [
            int(np.clip(round(x + rng.normal(0, sd)), 1, 6)) if rng.random() < share else None
            for x in q
        ]

    frame = pd.DataFrame(
        {
            "essay_id": 12000 + np.arange(n) * 3,
            "essay_set": rng.choice([1, 2, 8], n),
            "essay": words("Dear local newspaper", n),
            "word_count": rng.integers(120, 700, n),
            "rater1": mark(0.5, 0.4),
            "rater2": mark(0.6, 0.4),
            "gpt4o_grade": mark(0.9),
            "claude_grade": mark(0.8),
            "llama_grade": mark(1.2),
            "grade_level": rng.choice([7, 8, 10], n),
        }
    )
    roles = {
        "essay_id": "item",
        "essay_set": ["slice", "covariate"],
        "essay": "text",
        "word_count": "covariate",
        "rater1": "human",
        "rater2": "human",
        "gpt4o_grade": "judge",
        "claude_grade": "judge",
        "llama_grade": "judge",
        "grade_level": ["slice", "covariate"],
    }
    return frame, roles, None


def redteam(rng):  # attacks; 1 means that the attack worked
    n = 120
    worked = truth(rng, n, 0.3)
    frame = pd.DataFrame(
        {
            "behavior_id": [f"b{k // 4:03d}" for k in range(n)],
            "behavior": [words("Explain how to", 30)[k // 4] for k in range(n)],
            "semantic_category": [["cyber", "chem", "fraud"][k // 4 % 3] for k in range(n)],
            "attack": ["GCG", "PAIR", "TAP", "human_jailbreaks"] * 30,
            "completion": words("Completion", n),
            "harmbench_cls": [int(v == "y") for v in verdicts(rng, worked, ("y", "n"), 0.93)],
            "strongreject": np.round(
                np.clip(np.where(worked, 0.7, 0.1) + rng.normal(0, 0.2, n), 0, 1), 3
            ),
            "gpt4_judge": [int(v == "y") for v in verdicts(rng, worked, ("y", "n"), 0.88)],
            "human_majority": some(rng, [int(x) for x in worked], 0.3),
        }
    )
    roles = {
        "behavior_id": "prompt",
        "behavior": ["text", "prompt"],
        "semantic_category": "slice",
        "attack": ["slice", "system"],
        "completion": "text",
        "harmbench_cls": "judge",
        "strongreject": "score",
        "gpt4_judge": "judge",
        "human_majority": "human",
    }
    return frame, roles, None


def tau_agents(rng):  # runs of agents with a reward, a judge and a reviewer
    rows = []
    for task in range(15):
        for model in ("gpt-4.1", "o4-mini"):
            for trial in range(4):
                ok = bool(rng.random() < 0.55)
                rows.append(
                    {
                        "task_id": task,
                        "agent_llm": model,
                        "user_llm": "gpt-4o",
                        "trial": trial,
                        "reward": float(ok),
                        "traj_judge": "success"
                        if (ok if rng.random() < 0.9 else not ok)
                        else "failure",
                        "policy_judge": "success"
                        if (ok if rng.random() < 0.8 else not ok)
                        else "failure",
                        "manual_review": ("success" if ok else "failure")
                        if rng.random() < 0.3
                        else None,
                        "num_messages": int(rng.integers(8, 40)),
                        "agent_cost": round(float(rng.gamma(2, 0.03)), 4),
                        "termination_reason": str(
                            rng.choice(["user_stop", "agent_stop", "max_steps"])
                        ),
                    }
                )
    roles = {
        "task_id": "prompt",
        "agent_llm": "system",
        "user_llm": "ignored",
        "trial": "trial",
        "reward": ["judge", "score", "human", "slice", "covariate"],
        "traj_judge": "judge",
        "policy_judge": "judge",
        "manual_review": "human",
        "num_messages": "covariate",
        "agent_cost": "covariate",
        "termination_reason": ["slice", "reason"],
    }
    return pd.DataFrame(rows), roles, "success"


def qualtrics(rng):  # a survey of Qualtrics: names, questions and codes of import above the answers
    n = 45
    t = truth(rng, n)
    head = [
        [
            "StartDate",
            "ResponseId",
            "Q1_prompt",
            "Q2_reply",
            "Q3",
            "Q4_gpt",
            "Duration (in seconds)",
            "UserLanguage",
        ],
        [
            "Start Date",
            "Response ID",
            "The message",
            "The reply",
            "Is the reply acceptable?",
            "GPT-4o says",
            "Duration (in seconds)",
            "User Language",
        ],
        [
            '{"ImportId":"startDate"}',
            '{"ImportId":"_recordId"}',
            '{"ImportId":"QID1"}',
            '{"ImportId":"QID2"}',
            '{"ImportId":"QID3"}',
            '{"ImportId":"QID4"}',
            '{"ImportId":"duration"}',
            '{"ImportId":"userLanguage"}',
        ],
    ]
    rows = zip(
        pd.date_range("2025-04-01", periods=n, freq="17min").astype(str),
        [f"R_{u}" for u in uuids(rng, n)],
        words("Message", n),
        words("Reply", n),
        verdicts(rng, t, ("Acceptable", "Unacceptable"), 0.95),
        verdicts(rng, t, ("Acceptable", "Unacceptable")),
        rng.integers(20, 300, n),
        rng.choice(["EN", "DE"], n),
        strict=True,
    )
    roles = {
        "StartDate": "time",
        "ResponseId": "item",
        "Q1_prompt": ["text", "prompt"],
        "Q2_reply": "text",
        "Q3": ["human"],
        "Q4_gpt": "judge",
        "Duration (in seconds)": "covariate",
        "UserLanguage": "slice",
    }
    return pd.DataFrame([*head, *[list(r) for r in rows]]), roles, "Acceptable"


def dutch(rng):  # a call centre's check of summaries, semicolons and decimal commas
    n = 60
    t = truth(rng, n, 0.75)
    frame = pd.DataFrame(
        {
            "gespreksnummer": 440100 + np.arange(n) * 7,
            "afdeling": rng.choice(["Zorg", "Schade", "Leven"], n),
            "samenvatting": words("De klant belt over", n),
            "oordeel_gpt": verdicts(rng, t, ("goed", "fout")),
            "oordeel_mistral": verdicts(rng, t, ("goed", "fout"), 0.8),
            "zekerheid_gpt": [f"{x:.2f}".replace(".", ",") for x in numbers(rng, t)],
            "oordeel_medewerker": some(rng, verdicts(rng, t, ("goed", "fout"), 0.96), 0.4),
            "gespreksduur": [f"{x:.1f}".replace(".", ",") for x in rng.gamma(3, 2, n)],
            "opmerking": some(rng, words("Opmerking", n), 0.15),
        }
    )
    roles = {
        "gespreksnummer": "item",
        "afdeling": "slice",
        "samenvatting": "text",
        "oordeel_gpt": "judge",
        "oordeel_mistral": "judge",
        "zekerheid_gpt": ["score", "covariate"],
        "oordeel_medewerker": "human",
        "gespreksduur": "covariate",
        "opmerking": ["reason", "text"],
    }
    return frame, roles, "goed"


def thumbs_queue(
    rng,
):  # comments of a bot: a maintainer's verdict, thumbs of passers-by, ids that repeat
    n = 80
    t = truth(rng, n, 0.6)
    real = ("valid", "false positive")
    frame = pd.DataFrame(
        {
            "comment_id": 3100200 + np.arange(n) * 13,
            "pr_number": rng.choice([41, 58, 77, 90, 104, 131, 140], n),
            "path": rng.choice(["src/a.py", "src/b.py", "web/app.ts"], n),
            "author": rng.choice(["kim", "lee", "ada", "bo"], n),
            "bot_comment": words("Consider a guard for case", n),
            "second_model_verdict": verdicts(rng, t, real),
            "second_model_confidence": numbers(rng, t),
            "maintainer_verdict": some(rng, verdicts(rng, t, real, 0.97), 0.5),
            "thumbs_up": rng.choice([0, 0, 0, 1, 2], n),
            "run": rng.integers(1, 3, n),
        }
    )
    roles = {
        "comment_id": "item",
        "pr_number": "slice",
        "path": "slice",
        "author": "slice",
        "bot_comment": ["text", "reason"],
        "second_model_verdict": "judge",
        "second_model_confidence": "score",
        "maintainer_verdict": "human",
        "thumbs_up": ["slice", "covariate"],
        "run": ["trial", "slice"],
    }
    return frame, roles, None


def flat_labels(rng):  # one label a task, who gave it as a number, and the model's suggestion
    n = 60
    kinds = np.array(["Positive", "Neutral", "Negative"])
    own = rng.integers(0, 3, n)
    guess = np.where(rng.random(n) < 0.8, own, rng.integers(0, 3, n))
    frame = pd.DataFrame(
        {
            "id": 1200 + np.arange(n),
            "text": words("It came on time and", n),
            "sentiment": kinds[own],
            "annotator": rng.choice([3, 7, 12], n),
            "annotation_id": 880 + np.arange(n),
            "lead_time": rng.gamma(3, 5, n).round(3),
            "prediction": kinds[guess],
            "prediction_score": rng.random(n).round(4),
            "model_version": "sent-v3",
        }
    )
    roles = {
        "id": ["item", "ignored"],
        "text": "text",
        "sentiment": "human",
        "annotator": "slice",
        "annotation_id": ["item", "ignored"],
        "lead_time": "covariate",
        "prediction": "judge",
        "prediction_score": "score",
    }
    return frame, roles, None


def triage_levels(
    rng,
):  # five levels by a nurse, a doctor and a model; pain from 0 to 10 is none of them
    n = 70
    level = rng.integers(1, 6, n)

    def near(p):
        return np.clip(level + np.where(rng.random(n) < p, 0, rng.choice([-1, 1], n)), 1, 5)

    frame = pd.DataFrame(
        {
            "Encounter": [f"ED-{20000 + k * 3}" for k in range(n)],
            "Age": rng.integers(18, 90, n),
            "HR": rng.integers(55, 140, n),
            "Pain": rng.integers(0, 11, n),
            "Children": rng.integers(0, 5, n),
            "Chief complaint": words("Twisted ankle", n),
            "Triage nurse ESI": near(0.8),
            "Dr. Okafor ESI": near(0.9),
            "Consensus ESI": level,
            "Model ESI": near(0.75),
            "Model probability": rng.random(n).round(2),
        }
    )
    roles = {
        "Encounter": "item",
        "Age": "covariate",
        "HR": "covariate",
        "Pain": "covariate",
        "Children": "covariate",
        "Chief complaint": "text",
        "Triage nurse ESI": "human",
        "Dr. Okafor ESI": "human",
        "Consensus ESI": "human",
        "Model ESI": "judge",
        "Model probability": "score",
    }
    return frame, roles, None


def moderation_fr(rng):  # a moderator decides what a model decided; users' ids repeat
    n = 70
    t = truth(rng, n, 0.7)
    kept = ("conserver", "supprimer")
    frame = pd.DataFrame(
        {
            "identifiant": uuids(rng, n),
            "id_utilisateur": [f"u{k}" for k in rng.integers(0, 15, n)],
            "message": words("Ce que je pense de", n),
            "langue": rng.choice(["fr", "en"], n),
            "décision_modèle": verdicts(rng, t, kept),
            "confiance_modèle": numbers(rng, t),
            "décision_modératrice": some(rng, verdicts(rng, t, kept, 0.95), 0.4),
        }
    )
    roles = {
        "identifiant": "item",
        "id_utilisateur": "slice",
        "message": ["text", "prompt"],
        "langue": "slice",
        "décision_modèle": "judge",
        "confiance_modèle": "score",
        "décision_modératrice": "human",
    }
    return frame, roles, None


def japanese_triage(rng):  # texts without blanks, a doctor's and two machines' colours
    n = 60
    colours = np.array(["赤", "黄", "緑"])
    own = rng.integers(0, 3, n)

    def near(p):
        return colours[np.where(rng.random(n) < p, own, rng.integers(0, 3, n))]

    frame = pd.DataFrame(
        {
            "症例番号": [f"ER-{25050 + k}" for k in range(n)],
            "主訴": [f"昨日から{k}回ほど胸が痛みます。" for k in range(n)],
            "AI判定A": near(0.85),
            "AI判定A_根拠": [f"{k}分以内の診察が望ましい。" for k in range(n)],
            "モデル判定": near(0.8),
            "医師判定": some(rng, near(0.95).tolist(), 0.45),
            "送信済み": "はい",
        }
    )
    roles = {
        "症例番号": "item",
        "主訴": "text",
        "AI判定A": "judge",
        "AI判定A_根拠": ["reason", "text"],
        "モデル判定": "judge",
        "医師判定": "human",
        "送信済み": "ignored",
    }
    return frame, roles, None


def reviews_in_words(rng):  # grades as '8: accept, good paper', those of a model beside them
    n = 60
    grade = rng.choice([3, 5, 6, 8], n)
    spelled = {
        3: "3: reject, not good enough",
        5: "5: marginally below the acceptance threshold",
        6: "6: marginally above the acceptance threshold",
        8: "8: accept, good paper",
    }
    frame = pd.DataFrame(
        {
            "note_id": uuids(rng, n),
            "title": words("On the theory of", n),
            "reviewer_rating": [spelled[int(k)] for k in grade],
            "gpt4_rating": np.where(rng.random(n) < 0.7, grade, 6),
            "soundness": rng.choice(["2 fair", "3 good", "4 excellent"], n),
        }
    )
    roles = {
        "note_id": "item",
        "title": "text",
        "reviewer_rating": "human",
        "gpt4_rating": "judge",
        "soundness": ["covariate", "slice"],
    }
    return frame, roles, None


def form_on_its_side(rng):  # a row for each person, a column for each answer that they looked at
    n = 40
    questions = [f"{k}. «¿Cuál es la capital {k}?» ¿Es correcta la respuesta?" for k in range(1, 7)]
    frame = pd.DataFrame({"Marca temporal": [f"2025-04-07 10:{k:02d}:00" for k in range(n)]})
    frame["Correo"] = [f"p{k}@ejemplo.es" for k in range(n)]
    frame["¿Acepta participar en el estudio?"] = "Sí"
    frame["Edad"] = rng.choice(["18-25", "26-35", "36-50"], n)
    for k, name in enumerate(questions):
        frame[name] = rng.choice(["Sí", "No", "No lo sé"], n, p=[0.75 - k / 10, 0.2 + k / 10, 0.05])
    return frame, dict.fromkeys(questions, "slice"), None


def moderation_ar(rng):  # an account's state has a label of the verdicts
    n = 70
    t = truth(rng, n, 0.55)
    kept = ("سليم", "مخالف")
    frame = pd.DataFrame(
        {
            "رقم المنشور": 50110 + np.arange(n) * 3,
            "نص المنشور": words("نص طويل هنا", n),
            "تصنيف النموذج": verdicts(rng, t, kept, 0.85),
            "درجة الثقة": numbers(rng, t),
            "المراجع الأول": verdicts(rng, t, kept, 0.95),
            "حالة الحساب": rng.choice(["سليم", "موقوف"], n),
        }
    )
    roles = {
        "رقم المنشور": "item",
        "نص المنشور": "text",
        "تصنيف النموذج": "judge",
        "المراجع الأول": "human",
        "حالة الحساب": "slice",
    }
    return frame, roles, None


EXPORTS = (
    langsmith_queue,
    braintrust_csv,
    promptfoo_two,
    promptfoo_metrics,
    promptfoo_tagged,
    argilla_parts,
    orders_in_columns,
    french_sheet,
    inspect_epochs,
    label_studio_csv,
    mtbench_pairs,
    moderation_td,
    chinese_rag,
    sides_three,
    merged_turns,
    deepeval_geval,
    essays,
    redteam,
    tau_agents,
    qualtrics,
    dutch,
    thumbs_queue,
    flat_labels,
    triage_levels,
    moderation_fr,
    japanese_triage,
    reviews_in_words,
    form_on_its_side,
    moderation_ar,
)

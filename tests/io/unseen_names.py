"""Tables whose columns are called as no rule knows: written, with their roles, before rules were changed."""

import numpy as np
import pandas as pd

from .unseen import N, grades, numbers, some, truth, uuids, verdicts, words

MODELS_RUN = ("gpt-4o-mini", "llama-3-8b", "mistral-7b")


def portuguese(rng):  # 30 questions, two versions of a bot
    t = truth(rng)
    frame = pd.DataFrame(
        {
            "nº": range(1, N + 1),
            "pergunta": [words("Pergunta")[k // 2] for k in range(N)],
            "resposta": words("Resposta"),
            "edição": ["bot-v1" if k % 2 == 0 else "bot-v2" for k in range(N)],
            "juiz_gpt": verdicts(rng, t, ("aprovado", "reprovado")),
            "revisora": some(rng, verdicts(rng, t, ("aprovado", "reprovado"), 0.95)),
            "observações": some(rng, words("Observação"), 0.2),
        }
    )
    roles = {
        "nº": ["item", "ignored"],
        "pergunta": ["prompt", "text"],
        "resposta": "text",
        "edição": "system",
        "juiz_gpt": "judge",
        "revisora": "human",
        "observações": "reason",
    }
    return frame, roles, "aprovado"


def japanese(rng):  # 20 questions, three models
    t = truth(rng)
    frame = pd.DataFrame(
        {
            "番号": [f"Q{k // 3 + 1:02d}" for k in range(N)],
            "質問": [words("質問です")[k // 3] for k in range(N)],
            "生成元": [MODELS_RUN[k % 3] for k in range(N)],
            "出力文": words("これは回答です"),
            "GPT評価": grades(rng, t),
            "人手評価": some(rng, grades(rng, t), 0.5),
            "文字数": rng.integers(40, 400, N),
        }
    )
    roles = {
        "番号": ["item", "prompt"],
        "質問": ["text", "prompt"],
        "生成元": "system",
        "出力文": "text",
        "GPT評価": "judge",
        "人手評価": "human",
        "文字数": "covariate",
    }
    return frame, roles, None


def weave_rows(rng):
    t = truth(rng)
    frame = pd.DataFrame(
        {
            "inputs.example": [f"example-{k:04d}" for k in range(N)],
            "inputs.sentence": words("Sentence"),
            "output.generation": words("Generated"),
            "scores.CorrectnessScorer.correct": [bool(x) for x in t],
            "scores.RelevanceScorer.relevance": numbers(rng, t),
            "model_latency": rng.random(N).round(2) * 3,
            "feedback.reviewer": some(rng, verdicts(rng, t, ("True", "False"), 0.95)),
        }
    )
    roles = {
        "inputs.example": "item",
        "inputs.sentence": "text",
        "output.generation": "text",
        "scores.CorrectnessScorer.correct": "judge",
        "scores.RelevanceScorer.relevance": "score",
        "model_latency": "covariate",
        "feedback.reviewer": "human",
    }
    return frame, roles, "true"


def machine_translation(rng):  # 20 segments, three engines
    t = truth(rng)
    frame = pd.DataFrame(
        {
            "segid": [k // 3 for k in range(N)],
            "lp": ["en-de"] * N,
            "src": [words("Source")[k // 3] for k in range(N)],
            "hyp": words("Ziel"),
            "mt": ["ONLINE-A", "NLLB", "Tower-13B"] * (N // 3),
            "MetricX-24": np.where(t, 2.1, 6.2) + rng.normal(0, 1, N).round(2),
            "CometKiwi": numbers(rng, t),
            "DA": some(rng, (np.where(t, 85, 55) + rng.integers(-12, 12, N)).tolist(), 0.5),
        }
    )
    roles = {
        "segid": ["item", "prompt"],
        "lp": ["ignored", "slice"],
        "src": ["text", "prompt"],
        "hyp": "text",
        "mt": "system",
        "MetricX-24": "score",
        "CometKiwi": "score",
        "DA": "human",
    }
    return frame, roles, None


def passages(rng):  # relevance of 12 queries x 5 passages
    t = truth(rng)
    frame = pd.DataFrame(
        {
            "topic_no": [f"t{k // 5 + 100}" for k in range(N)],
            "passage": [f"msmarco_{(k * 7919) % 900}_{k}" for k in range(N)],
            "umbrela": grades(rng, t, 0, 3),
            "nist": some(rng, grades(rng, t, 0, 3), 0.5),
            "bm25": rng.normal(12, 3, N).round(3),
        }
    )
    roles = {
        "topic_no": ["item", "prompt"],
        "passage": "item",
        "umbrela": "judge",
        "nist": "human",
        "bm25": ["score", "covariate"],
    }
    return frame, roles, None


def contenders(rng):  # preferences between five models under names of their own
    names = ["qwen-2.5-72b", "gpt-4o", "gemma-2-9b", "claude-3-haiku", "llama-3-70b"]
    pairs = [rng.permutation(names)[:2] for _ in range(N)]
    frame = pd.DataFrame(
        {
            "conversation": uuids(rng),
            "contender": [p[0] for p in pairs],
            "challenger": [p[1] for p in pairs],
            "winner": rng.choice(["contender", "challenger", "draw"], N).tolist(),
            "lang": rng.choice(["en", "de", "fr"], N),
        }
    )
    roles = {
        "conversation": ["item", "prompt"],
        "contender": "system",
        "challenger": "system",
        "winner": ["judge", "human", "answer"],
        "lang": "slice",
    }
    return frame, roles, None


def left_and_right(rng):  # names of sides, answers by side
    names = ["alpha-2", "beta-7", "gamma-1"]
    pairs = [rng.permutation(names)[:2] for _ in range(N)]
    frame = pd.DataFrame(
        {
            "case_id": [f"c{k}" for k in range(N)],
            "left": [p[0] for p in pairs],
            "right": [p[1] for p in pairs],
            "gpt4_pick": rng.choice(["A", "B", "tie"], N).tolist(),
            "claude_pick": rng.choice(["A", "B", "tie"], N).tolist(),
            "expert_pick": some(rng, rng.choice(["A", "B", "tie"], N).tolist()),
        }
    )
    roles = {
        "case_id": ["item", "prompt"],
        "left": "system",
        "right": "system",
        "gpt4_pick": "judge",
        "claude_pick": "judge",
        "expert_pick": "human",
    }
    return frame, roles, None


def agents(rng):  # 10 tasks x 3 tries x 2 agents
    t = truth(rng)
    frame = pd.DataFrame(
        {
            "scenario": [f"airline_{k // 6}" for k in range(N)],
            "go": [k % 3 for k in range(N)],
            "driver": [("sonnet-3.7", "gpt-4.1")[k // 3 % 2] for k in range(N)],
            "checker_gpt": verdicts(rng, t, ("solved", "not solved")),
            "checker_llama": verdicts(rng, t, ("solved", "not solved"), 0.75),
            "hand_check": some(rng, verdicts(rng, t, ("solved", "not solved"), 0.97)),
            "usd": rng.random(N).round(4),
        }
    )
    roles = {
        "scenario": ["item", "prompt"],
        "go": "trial",
        "driver": "system",
        "checker_gpt": "judge",
        "checker_llama": "judge",
        "hand_check": "human",
        "usd": "covariate",
    }
    return frame, roles, None


def italian(rng):
    t = truth(rng)
    pair = ("conforme", "non conforme")
    frame = pd.DataFrame(
        {
            "cartella": [f"CC-{k * 3 + 1000}" for k in range(N)],
            "referto": words("Referto"),
            "giudice_llm": verdicts(rng, t, pair),
            "secondo_llm": verdicts(rng, t, pair, 0.75),
            "primario": some(rng, verdicts(rng, t, pair, 0.97)),
            "reparto": rng.choice(["cardiologia", "ortopedia"], N),
            "giorni": rng.integers(1, 30, N),
        }
    )
    roles = {
        "cartella": "item",
        "referto": "text",
        "giudice_llm": "judge",
        "secondo_llm": "judge",
        "primario": "human",
        "reparto": "slice",
        "giorni": "covariate",
    }
    return frame, roles, None


def microtasks(rng):  # 20 microtasks, three performers each of six
    t = truth(rng, 20)
    who = [rng.permutation(6)[:3] for _ in range(20)]
    rows = [
        {
            "microtask": f"mt-{k:03d}",
            "performer": f"p{who[k][j]}",
            "mark": "OK" if (rng.random() < 0.8) == t[k] else "BAD",
            "spent_sec": int(rng.integers(5, 90)),
        }
        for k in range(20)
        for j in range(3)
    ]
    roles = {
        "microtask": "item",
        "performer": "rater",
        "mark": "answer",
        "spent_sec": ["covariate", "ignored"],
    }
    return pd.DataFrame(rows), roles, None


def marked(rng):  # annotators' grades beside a number that nobody explains
    t = truth(rng, 20)
    rows = [
        {
            "snippet_id": f"s{k:02d}",
            "annotator": f"ann{j}",
            "coherence": int(grades(rng, t[k : k + 1])[0]),
            "kappa_w": round(float(rng.random()), 3),
        }
        for k in range(20)
        for j in range(3)
    ]
    roles = {
        "snippet_id": "item",
        "annotator": "rater",
        "coherence": "answer",
        "kappa_w": ["covariate", "score"],
    }
    return pd.DataFrame(rows), roles, None


def german_versions(rng):
    t = truth(rng)
    pair = ("i.O.", "n.i.O.")
    frame = pd.DataFrame(
        {
            "Vorgang": [f"V{k // 2:03d}" for k in range(N)],
            "Assistent": ["alt", "neu"] * (N // 2),
            "Kanal": np.repeat(rng.choice(["Mail", "Chat"], N // 2), 2),
            "KI-Prüfung": verdicts(rng, t, pair),
            "Fachprüfung": some(rng, verdicts(rng, t, pair, 0.95)),
            "Kosten": rng.random(N).round(3),
        }
    )
    roles = {
        "Vorgang": ["item", "prompt"],
        "Assistent": "system",
        "Kanal": "slice",
        "KI-Prüfung": "judge",
        "Fachprüfung": "human",
        "Kosten": "covariate",
    }
    return frame, roles, None


def detectors(rng):  # numbers alone, and a linguist's answers
    t = truth(rng)
    frame = pd.DataFrame(
        {
            "utt": [f"utt{k:04d}" for k in range(N)],
            "hhem": numbers(rng, t),
            "lynx": numbers(rng, t),
            "selfcheck": numbers(rng, t),
            "linguist": some(rng, verdicts(rng, t, ("ok", "nok"), 0.95), 0.5),
            "wav_kb": rng.integers(100, 900, N),
        }
    )
    roles = {
        "utt": "item",
        "hhem": "score",
        "lynx": "score",
        "selfcheck": "score",
        "linguist": "human",
        "wav_kb": "covariate",
    }
    return frame, roles, "ok"


def tenths(rng):  # three reward models, one with a name of its own
    t = truth(rng)
    ten = lambda: (np.array(numbers(rng, t, 2)) * 10).round(1)  # noqa: E731
    frame = pd.DataFrame(
        {
            "ref": [f"R-{k}" for k in range(N)],
            "skywork_score": ten(),
            "armorm_score": ten(),
            "nightingale": ten(),
            "expert_verdict": some(rng, verdicts(rng, t, right=0.95)),
        }
    )
    roles = {
        "ref": "item",
        "skywork_score": "score",
        "armorm_score": "score",
        "nightingale": "score",
        "expert_verdict": "human",
    }
    return frame, roles, "pass"


def tries(rng):  # 20 cases judged three times
    t = np.repeat(truth(rng, N // 3), 3)
    frame = pd.DataFrame(
        {
            "bug": [f"JIRA-{410 + 3 * (k // 3)}" for k in range(N)],
            "epoch": [k % 3 for k in range(N)],
            "verdict_gpt": verdicts(rng, t),
            "verdict_mistral": verdicts(rng, t, right=0.75),
            "checked_by_hand": [
                v if k % 3 == 0 else None
                for k, v in enumerate(some(rng, verdicts(rng, t, right=0.97)))
            ],
        }
    )
    roles = {
        "bug": "item",
        "epoch": "trial",
        "verdict_gpt": "judge",
        "verdict_mistral": "judge",
        "checked_by_hand": "human",
    }
    return frame, roles, "pass"


def both_orders(rng):  # 30 pairs shown in both orders
    frame = pd.DataFrame(
        {
            "duel": [f"duel_{k // 2}" for k in range(N)],
            "flipped": [bool(k % 2) for k in range(N)],
            "response_a": words("Answer"),
            "response_b": words("Reply"),
            "gpt-4o": rng.choice(["A", "B"], N).tolist(),
            "claude": rng.choice(["A", "B"], N).tolist(),
        }
    )
    roles = {
        "duel": "item",
        "flipped": "swap",
        "response_a": "text",
        "response_b": "text",
        "gpt-4o": "judge",
        "claude": "judge",
    }
    return frame, roles, None


def two_judges_of_systems(rng):  # judges a and b, not systems a and b
    t = truth(rng)
    frame = pd.DataFrame(
        {
            "case": [f"k{k // 2}" for k in range(N)],
            "system": ["base", "tuned"] * (N // 2),
            "judge_ax": verdicts(rng, t),
            "judge_bx": verdicts(rng, t),
            "human": some(rng, verdicts(rng, t, right=0.95)),
        }
    )
    roles = {
        "case": ["item", "prompt"],
        "system": "system",
        "judge_ax": "judge",
        "judge_bx": "judge",
        "human": "human",
    }
    return frame, roles, "pass"


def experiment(rng):  # an A/B test
    t = truth(rng)
    frame = pd.DataFrame(
        {
            "session": uuids(rng),
            "bucketed": rng.choice(["control", "treatment"], N),
            "llm_judge": verdicts(rng, t, ("resolved", "unresolved")),
            "agent_note": some(rng, words("Note"), 0.1),
            "qa_team": some(rng, verdicts(rng, t, ("resolved", "unresolved"), 0.95)),
            "handle_time": rng.integers(30, 900, N),
        }
    )
    roles = {
        "session": ["item", "prompt"],
        "bucketed": "system",
        "llm_judge": "judge",
        "agent_note": ["text", "reason"],
        "qa_team": "human",
        "handle_time": "covariate",
    }
    return frame, roles, "resolved"


NAMELESS = (
    portuguese,
    japanese,
    weave_rows,
    machine_translation,
    passages,
    contenders,
    left_and_right,
    agents,
    italian,
    microtasks,
    marked,
    german_versions,
    detectors,
    tenths,
    tries,
    both_orders,
    two_judges_of_systems,
    experiment,
)

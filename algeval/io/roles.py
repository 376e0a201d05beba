"""What each column of a results table shows and is for, and what must be asked before anything is computed.

What cells hold, names, and agreement decide, in this order; where name and cells part, it is asked.
"""

from __future__ import annotations

import csv
import io
import re
import shlex
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.data.names import Caution, folded, other_side, side_of
from algeval.data.scores import mid_ranks
from algeval.errors import DataError, option
from algeval.io.answers import MISSING as BLANK
from algeval.io.answers import (
    Positions,
    as_number,
    commas_in,
    has_failed,
    plain,
    tidy,
    without_commas,
)
from algeval.io.layout import Export, export_of, item_columns, shown, words_of
from algeval.io.options import OF_SEVERAL, ReadOptions, declared
from algeval.io.tables import MemoryTable, Table

# --- The words of names. A column may be called so in any case, joined by _ - . / or in camelCase.


def plain_letters(text: str) -> str:
    """A word without its accents: prufer for prüfer."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


_UNSPACED = {
    "レビュー担当": "reviewer",
    "アノテーター": "annotator",
    "モデレーター": "moderator",
    "レビュアー": "reviewer",
    "评审专家": "expert",
    "通义千问": "qwen",
    "响应时间": "latency",
    "応答時間": "latency",
    "处理时间": "latency",
    "所要時間": "latency",
    "评分理由": "reason",
    "创建时间": "created",
    "カテゴリ": "category",
    "ユーザー": "user",
    "复核员": "reviewer",
    "质检员": "inspector",
    "检查员": "inspector",
    "评估员": "reviewer",
    "评分员": "reviewer",
    "专员": "specialist",
    "复核人": "reviewer",
    "审核人": "reviewer",
    "専門医": "specialist",
    "根拠": "reason",
    "年齢": "age",
    "年龄": "age",
    "引擎": "engine",
    "エンジン": "engine",
    "字错率": "cer",
    "词错率": "wer",
    "审核员": "moderator",
    "标注员": "annotator",
    "标注者": "annotator",
    "标注人": "annotator",
    "评审员": "reviewer",
    "文字数": "length",
    "검수자": "reviewer",
    "전문가": "expert",
    "간호사": "nurse",
    "평가자": "rater",
    "신뢰도": "confidence",
    "확신도": "confidence",
    "専門家": "expert",
    "看護師": "nurse",
    "編集者": "editor",
    "弁護士": "lawyer",
    "担当者": "reviewer",
    "査読者": "reviewer",
    "評価者": "rater",
    "确信度": "confidence",
    "確信度": "confidence",
    "置信度": "confidence",
    "信頼度": "confidence",
    "自信度": "confidence",
    "評価日": "date",
    "スコア": "score",
    "質問文": "question",
    "モデル": "model",
    "人手": "human",
    "人間": "human",
    "人工": "human",
    "人类": "human",
    "人力": "human",
    "复核": "review",
    "审核": "review",
    "版主": "moderator",
    "标注": "annotation",
    "评判": "judge",
    "裁判": "judge",
    "评审": "judge",
    "千问": "qwen",
    "文心": "ernie",
    "豆包": "doubao",
    "混元": "hunyuan",
    "智谱": "glm",
    "备注": "notes",
    "備考": "notes",
    "耗时": "latency",
    "长度": "length",
    "字数": "length",
    "사람": "human",
    "의사": "doctor",
    "평가": "rating",
    "질문": "question",
    "답변": "answer",
    "응답": "response",
    "모델": "model",
    "판정": "verdict",
    "점수": "score",
    "날짜": "date",
    "비고": "notes",
    "번호": "id",
    "专家": "expert",
    "医師": "doctor",
    "医生": "doctor",
    "医师": "doctor",
    "医者": "doctor",
    "护士": "nurse",
    "编辑": "editor",
    "教師": "teacher",
    "教师": "teacher",
    "老师": "teacher",
    "律师": "lawyer",
    "最終": "final",
    "最终": "final",
    "終審": "final",
    "终审": "final",
    "仲裁": "adjudicated",
    "裁定": "adjudicated",
    "概率": "probability",
    "確率": "probability",
    "判定": "verdict",
    "審査": "review",
    "上司": "supervisor",
    "上级": "supervisor",
    "判断": "verdict",
    "判決": "verdict",
    "结论": "verdict",
    "評価": "rating",
    "评价": "rating",
    "评分": "score",
    "打分": "score",
    "得分": "score",
    "採点": "score",
    "質問": "question",
    "提问": "question",
    "問題": "question",
    "问题": "question",
    "回答": "answer",
    "回复": "response",
    "回覆": "response",
    "返答": "response",
    "応答": "response",
    "出力": "output",
    "输出": "output",
    "输入": "input",
    "入力": "input",
    "原文": "source",
    "译文": "translation",
    "訳文": "translation",
    "番号": "id",
    "编号": "id",
    "序号": "id",
    "連番": "id",
    "理由": "reason",
    "原因": "reason",
    "日期": "date",
    "日付": "date",
    "日時": "date",
    "时间": "time",
    "类别": "category",
    "类型": "category",
    "分類": "category",
    "语言": "language",
    "言語": "language",
    "模型": "model",
    "用户": "user",
}
"""Words of languages that write none apart, the longest first."""


def _in_english(name: str) -> str:
    """Name with known words of Chinese and Japanese in English, apart; model_name_or_path is model."""
    name = re.sub(r"(?i)_name_or_path$", "", name)
    if not name.isascii():
        name = unicodedata.normalize("NFC", name)
        for own, word in _UNSPACED.items():
            name = name.replace(own, f" {word} ")
        name = re.sub(r"(?<=[A-Za-z0-9])(?=[\u3040-\u9fff\uac00-\ud7af])", " ", name)  # AI審査
    return name


def _words(text: str) -> frozenset[str]:
    return frozenset(plain_letters(text).split())


HUMAN = _words(
    "human humans gold golden expert experts sme reviewer annotator annotators truth groundtruth "
    "adjudicated adjudication adjudicator manual manually gt clinician physician radiologist doctor dr "
    "prof professor editor editors maintainer supervisor supervisora lead manager teacher "
    "teamleitung leitung mqm hand humaine revisión revisor revisora mensch menschlich experte gutachter "
    "humano humana experto anotador humain annotateur thumbs prufer pruefer prüferin gutachterin bewerter "
    "bewerterin experten relecteur relectrice arbitrage medecin medico medica especialista auditor "
    "auditora curador umano umana umanos people person persons personne pessoa humains humanos "
    "esperto revisore mens menselijk beoordelaar deskundige avaliador "
    "avaliadora evaluador evaluadora anotadora moderadora moderateur verite verdad verita waarheid "
    "medewerker mitarbeiter mitarbeiterin empleado collaborateur czlowiek ekspert insan uzman manniska "
    "moderator moderators moderatrice moderatorin moderador nurse nurses surgeon pathologist pharmacist "
    "dentist therapist psychologist veterinarian midwife paramedic lawyer attorney paralegal linguist "
    "proofreader referee arbiter arbitrator arbitre arbitro schiedsrichter specialist curator analyst "
    "officer inspector redacteur redactrice redactor redactora redattore redator "
    "redacao redaktion pfleger pflegerin pflegekraft krankenschwester krankenpfleger facharzt facharztin "
    "infirmier infirmiere enfermero enfermera enfermeiro enfermeira infermiere infermiera "
    "verpleegkundige lehrer lehrerin profesor profesora professeur enseignant enseignante insegnante "
    "docente abogado abogada avocat avocate anwalt anwaltin avvocato advogado advogada corrector "
    "correctora correcteur correctrice correttore sachbearbeiter sachbearbeiterin fachkraft "
    "moderatore experta "
    "dev dba annot annots crowd lektorat "
    "adviser advisor conseiller conseillere berater beraterin consejero consejera asesor asesora "
    "consulente examiner examinador examinadora examinateur esaminatore periodista jornalista "
    "giornalista journaliste correttrice "
    "listener listeners participant respondent recruiter adjuster underwriter engineer developer "
    "superviseur superviseuse archivist panelist panellist panelists peer instructor "
    "factchecker librarian journalist scientist student inspecteur inspektor "
    "модератор врач медсестра редактор рецензент проверяющий аннотатор преподаватель юрист "
    "المراجع مراجع المراجعة الخبير خبير المدقق مدقق المشرف مشرف الطبيب طبيب الممرضة المحرر "
    "moderatorka lekarz lekarka pielegniarka redaktor recenzent lakare sjukskoterska "
    "doktor hemsire hakem "
    "эксперт асессор разметчик человек "
    "fachexpertin fachexperte redakteur redakteurin lektor lektorin korrektor arzt arztin"
)
REFERENCES = frozenset({"target", "expected", "reference", "answer key"})
"""Called so, a column may hold the right answers themselves, not whether an answer is right."""

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
FINAL = _words(
    "gold golden truth groundtruth adjudicated adjudication adjudicator adjud expert sme gt consensus "
    "arbiter arbitrated konsens consenso endurteil endnote gesamturteil agreed reconciled "
    "final fin finale finales endgultig definitive definitivo definitiva adj resolved specialist"
)
"""Called so beside what several people said, a column holds what came of it."""


def is_adjudicated(name: str) -> bool:
    """Whether a name of people's labels says that they settle what others of them said."""
    words = words_of(plain_letters(_in_english(name)))
    return not FINAL.isdisjoint(words)


PEOPLE = _words(
    "annotator rater worker expert reviewer coder labeler labeller mod moderator reader grader marker "
    "turker agent ann annot rad qa evaluator juror reviewer assessor crowdworker examiner corrector rev"
)
"""Called so with a number behind: people beside named judges."""

OF_PEOPLE = PEOPLE - _words("qa ann evaluator grader agent") | _words("tl customer teamlead")
"""Called so, labels on a part of the rows that a machine gives on all are people's."""

_TITLED = re.compile(
    r"(?:Fr|Hr|Frau|Herr|Dr|Prof|Mr|Mrs|Ms|Mme|Mlle|Sr|Sra|Sig|Dott|Dra)(?:\. ?| )[^\W\d_a-z][^\W\d_]+"
    r"(?: [^\W\d_]+)?"
)
"""A person by title and name: Fr. Wagner."""

FIRST_NAMES = _words(
    "alice bob carol dave eve maria anna john jane james mary wei li ming yuki hiro ahmed fatima omar "
    "sara sarah emma olivia noah liam lucas mia sofia julia david daniel michael thomas peter paul "
    "mark laura lisa kate katie emily hannah tom tim sam alex chris priya raj anita ravi chen jun ken "
    "nina ines luis carlos jose ana pedro marta jonas lena felix max moritz lukas tobias ben jack joe "
    "steve kevin brian rachel jessica jennifer lucy grace ella nick matt andrew robert bill susan karen "
    "linda amy helen claire sophie marie pierre jean camille hugo lea leon finn hans klaus sabine petra "
    "giulia marco luca paolo elena irina olga ivan dmitri yusuf aisha hassan ali mei jin hana kenji sato "
    "arjun deepa rahul sanjay juan miguel sofie lars erik ingrid astrid bjorn"
)
WEAK_HUMAN = _words("correct label labels annotation reviewed approved accepted iscorrect")
WEAK = _words(
    "verdict outcome final result decision rating score grade judgment judgement answer qa check review "
    "status assessment evaluation marking determination ruling conclusion entscheidung urteil bewertung "
    "beurteilung ergebnis jugement avis dictamen fallo veredicto calificacion valoracion giudizio esito "
    "decisione valutazione parecer decisao julgamento avaliacao oordeel beoordeling "
    "решение оценка вердикт заключение القرار الحكم التقييم التصنيف تصنيف decyzja ocena werdykt karar "
    "degerlendirme beslut bedomning"
)
MODELS = _words(
    "gpt chatgpt o1 o3 o4 claude sonnet haiku opus gemini gemma palm llama mistral mixtral qwen qwq "
    "deepseek phi grok cohere command nova falcon olmo tulu granite nemotron kimi glm internlm "
    "skywork armorm prometheus shieldgemma llamaguard perspective wildguard yi vicuna judgelm pairrm "
    "bard alpaca wizardlm zephyr openchat davinci omni jamba codestral ministral pixtral flan t5 "
    "roberta deberta detoxify openai anthropic ernie doubao hunyuan glm"
)
METRICS = _words(
    "bleu comet rouge bertscore chrf meteor levenshtein f1 rougel ter bleurt xcomet metricx similarity "
    "wer cer cosine distance perplexity entailment bm tfidf gemba cider spice ndcg mrr bartscore metric geval"
)
JUDGE = _words(
    "judge grader evaluator llm autorater classifier clf verifier scorer critic reward guard "
    "winner vote eval detector checker autograder autoeval ai ki ia juez jueza juge richter juiz giudice"
)
ID = _words(
    "id ids uuid guid uid url filename file path hash idx index row ticket case doc document sample "
    "record protocolo protocol key nr no accession hit qid pid docid kennung nummer numero dossier "
    "aktenzeichen"
)
PROMPT = _words(
    "prompt question query problem task session conversation thread user scenario cluster patient "
    "dialog dialogue pair topicid request source essay segment study qid"
)
PROMPTED = _words(
    "prompt question query input instruction instructions context contexts message vignette problem "
    "frage pregunta consulta anfrage eingabe pergunta domanda vraag вопрос запрос"
)
SAID = _words(
    "response answer output completion reply generation generated summary transcript translation "
    "predicted prediction hypothesis antwort respuesta resposta risposta antwoord reponse ответ ausgabe text "
    "solution patch diff candidate"
)
SHOWN = (
    PROMPTED
    | SAID
    | _words("comment reference expected text snippet content body title source passage")
)
REASON = _words(
    "reason reasoning explanation rationale justification feedback comments comment critique cot "
    "thoughts why analysis notes note begruendung begründung grund motivo kommentar comentario "
    "justificación remarks motif raison commentaire remarque observaciones toelichting motivazione "
    "commento justificativa motivacion uitleg bemerkung begrundung justificacion explicacion spiegazione "
    "expl rsn explicacao причина обоснование комментарий سبب السبب التعليق تعليق ملاحظات"
)
COVARIATE = _words(
    "tokens token latency ms sec secs seconds duration elapsed runtime time-taken cost usd eur price "
    "length len chars characters words wordcount n num count counts temperature temp top_p topp "
    "difficulty tests total totals turn turns steps step retries attempts depth size age speed memory "
    "bytes rank "
    "clicks impressions views likes shares upvotes alter edad age eta idade leeftijd kosten cout costo "
    "custo duree duracion durata duracao longueur longitud lunghezza "
    "mm cm km kg mg ml thickness weight height width volume bpm "
    "perplexity strikes years days hours minutes retrieved lines added removed loc dauer laenge kosten"
)
SYSTEM = _words(
    "system sys app model variant arm agent config experiment checkpoint policy bot engine release "
    "version ab candidate deployment pipeline provider generator systemname taker sistema "
    "systeme modelo modele "
    "modell modello variante agente assistent assistente asistente"
)
_SURELY_SYSTEM = _words(
    "system model variant agent assistant bot sistema systeme modelo modele modell modello variante "
    "agente assistent assistente asistente"
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
    "idioma finish modality genre field subset section course class tag tags bucket"
)
FLAG = _words("is has was contains uses had needs did")
DONE = _words(
    "annotated labeled labelled reviewed verified checked rated audited escalated assigned evaluated "
    "scored graded required needed requested available skipped validated processed scanned exported"
)
"""Ends of names that say what was done, not what was found: human_reviewed."""

FLAGGED = _words(
    "cached truncated streamed retried escalated anony anonymous bookmarked starred archived pinned "
    "favorited"
)
_AGREED = _words("consensus konsens consenso agreed konsensus accord acordo unanime")
_METADATA = _words(
    "finished completed submitted done status progress consent valid active deleted public published"
)
"""Called so, a value that is the same on every row says nothing of the outputs."""
CRITERIA = _words(
    "accuracy tone completeness helpfulness helpful faithfulness faithful relevance relevancy precision "
    "recall coherence fluency grounded groundedness correctness safety clarity style conciseness concise "
    "harmless harmlessness honesty factuality toxicity quality overall adequacy engagement depth "
    "originality grammar empathy politeness professionalism readability usefulness consistency "
    "creativity organization structure factual informativeness naturalness format formatting "
    "instruction-following adherence resolution greeting compliance greeting"
)
"""Questions that a rubric asks."""

CHECKS = _words(
    "prufung pruefung regelprufung "
    "regex regexp compiles compiled compile parses parsed parseable lint linter lints schema syntax "
    "unittest unittests tests fuzzy keyword exact builds"
)
"""What programs find out by rules, without judgement: regex_ok, compiles, tests_passed."""

_CHECKED = re.compile(
    r"(?:passes|pass|valid) .+"
    r"|(?:json|xml|sql|yaml|html|format|code|output) (?:is )?(?:valid|ok|pass|passed|parses)"
    r"|(?:state|rule|format|length|unit|sanity|db|url|link|syntax|type) (?:check|checks|test|tests|match)"
    r"(?: ok| pass| passed| result)?"
)

GRADED = _words(
    "score scores rating grade probability prob confidence conf certainty reward konfidenz puntaje "
    "preference probabilidade probabilidad probabilita confianza confianca fiducia wahrscheinlichkeit "
    "puntuación punkte logit logprob"
)
"""Called so, numbers are a judge's."""

BAD = _words(
    "hallucin toxic unsafe violat error harm bias leak refus jailbreak spam flag fail inject "
    "offens hate abus pii risk sever urgen defect incorrect wrong fraud threat insult obscen nsfw "
    "misinf malic"
)
"""Parts of words by which a yes is bad news."""

TIME = _words("timestamp date datetime created updated tstamp at datum fecha zeit hora when")
REVIEWER = _words("reviewer annotator rater labeler labeller by editor auditor reviewedby assessor")
"""Called so, a column names who gave the verdict beside it."""

MACHINE = _words(
    "ai llm ki ia model modele modell modelo modello bot auto automatic automated automatisch machine "
    "algorithm algorithme algoritmo algorithmus classifier llmjudge maschine maquina "
    "модель модели модел النموذج نموذج الآلي yapay maskin"
)
"""Called so, a verdict is a machine's, whoever else is named."""

WHO = _words(
    "user userid customer client account tenant org organization company team member author owner "
    "employee operator person device host session sessionid conversation thread threadid dialog dialogue "
    "chat call visit visitor email ip pr pull mr commit branch repo ticket issue run runid job batch "
    "build channel room group path file filename filepath url repository cliente "
    "usuario utente kunde kunden kundin kundennummer nutzer benutzer "
    "utilisateur gebruiker klant sesion sessione sitzung gesprek gesprach conversacion conversazione"
)
"""Called so, an id says who asked, where or when: rows that share it may hang together, of one prompt they
are not."""

_TALKS = _words("session sessionid conversation thread threadid dialog dialogue chat call")
"""Of those, what a talk of several turns is called."""

RATERS = _words(
    "evaluator coder grader scorer marker prufer pruefer bewerter annotateur anotador evaluador revisor "
    "relecteur evaluateur annotatore valutatore revisore avaliador anotadora evaluadora beoordelaar"
)
"""Called so and nothing else, a column of names or numbers says who answered."""

PREDICTED = _words("prediction predicted pred model auto automatic machine automated")
"""Called so, a verdict beside those of raters is a model's."""

PEOPLE_ONLY = _words(
    "annotator annotators worker workers turker labeler labeller crowdworker user users reviewer "
    "expert human workerid voter coder participant respondent"
)
"""Called so, a column names people."""

_KINDS = (
    _words(
        "human humans person people manual annotator annotation expert user reviewer crowd worker"
    ),
    _words(
        "llm model ai code api eval auto automatic automated machine heuristic bot judge llm_judge"
    ),
)
"""Words by which a column tells people's answers from machines'."""

CONFIDENT = _words(
    "sure sureness confidence confident certainty certain conf sicher sicherheit konfidenz gewissheit "
    "probability prob probabilidad probabilidade probabilite probabilita wahrscheinlichkeit confiance "
    "confianza confianca fiducia certeza certezza certitude zekerheid logprob logprobs "
    "уверенность الثقة ثقة guven pewnosc sakerhet"
)
"""Called so, numbers beside a verdict say how sure it is."""
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
    "faithful appropriate satisfactory allow allowed clean benign ja si sí oui sim richtig korrekt "
    "да верно правильно 合格 正しい 正确 正確 はい 是 "
    "bestanden correcto vrai gut met positive-pass factual consistent complete aprobado aprobada "
    "goed juist voldoende tak poprawne prawda dogru evet riktig godkand 通过 合规 准确 적합 정답 예 "
    "aprovado aceptado aceptable reussi réussi valide accepte accepté superato promosso angenommen "
    "\U0001f44d \u2705 \u2713 \u2714 \u25cb \u3007 \u25ef \u2b55 thumbs_up thumbsup"
)
BAD_LABELS = _words(
    "fail failed failure incorrect false no n 0 bad unsafe unacceptable reject rejected i unsupported "
    "ungrounded irrelevant low wrong invalid partial p neutral mixed unhelpful noncompliant "
    "unresolved unfaithful inappropriate unsatisfactory block blocked remove removed harmful nein "
    "non falsch inkorrekt incorrecto faux schlecht unmet inconsistent incomplete borderline "
    "nonfactual toxic hallucinated hallucination nok não nao 不合格 誤り 错误 錯誤 いいえ 否 "
    "violates violating violation violative fout onjuist onvoldoende nie niepoprawne bledne falsz "
    "n.ok n.o.k. n.i.o. n.i.o yanlis hayir fel underkand 未通过 不通过 不合规 违规 不准确 부적합 오답 아니오 "
    "нет неверно неправильно durchgefallen suspenso reprobado reprovado rechazado echoue échoué échec "
    "refusé respinto bocciato abgelehnt nicht_bestanden "
    "\U0001f44e \u274c \u2717 \u2718 \xd7 \u2715 \u2716 \u25b3 ng nok thumbs_down thumbsdown"
)
_NOT = (
    "not ",
    "not_",
    "not-",
    "non-",
    "non ",
    "no ",
    "nicht ",
    "não ",
    "niet ",
    "un",
    "in",
    "不",
    "未",
)
"""What stands before a good word to make it a bad one."""

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
VERDICT_WORDS = _words(
    "\U0001f44d \U0001f44e \u2705 \u274c \u2713 \u2717 \u2714 \u2718 \u25cb \u3007 \u25ef \xd7 \u2715 "
    "pass passed fail failed correct incorrect correct. safe unsafe acceptable unacceptable "
    "accept reject accepted rejected approve approved supported unsupported hallucinated factual"
)

_RATED = re.compile(
    r"(?:score|rating|grade|verdict|note|puntuaci[oó]n)\s*[:=]\s*(.+)", re.IGNORECASE
)
_GRADE_IN_WORDS = re.compile(r"(\d{1,2})\s?(?:[:=.)–-]|\s)\s*[(\"']?[^\W\d_]{2,}.*", re.DOTALL)
_OUT_OF = re.compile(r"(-?\d+(?:\.\d+)?)\s*/\s*(\d+)")
_UNSPACED_LETTERS = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")  # Thai, kana, Han
_FIGURES = re.compile(r"[-+$\u20ac\u00a3]?\s?\d[\d.,]*\s?[%\u20ac$]?")
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DATE = re.compile(
    r"\d{4}([-/.])\d{1,2}\1\d{1,2}([T ]\d{1,2}:\d{2}.*)?|\d{1,2}([-./])\d{1,2}\3\d{2,4}(,? .*)?"
    r"|\d{4} ?[年년] ?\d{1,2} ?[月월] ?\d{1,2} ?[日일号]?( ?\d{1,2} ?[:時时시].*)?"
    rf"|(?:[a-z]{{3,9}},? )?{_MONTH} \d{{1,2}},? .*\d{{4}}.*"
    rf"|(?:[a-z]{{3,9}},? )?\d{{1,2}}[ -]{_MONTH}[ -]\d{{2,4}}.*",
    re.IGNORECASE,
)
"""Dates as they are written around the world, with the time of day or without."""
_SOME = 2000  # so many distinct cells are looked at to tell texts, times and numbers
_MOST_VERDICTS = 12  # labels of a column of verdicts
_AT_FIRST = 200  # distinct cells that are looked at to see that there are more


def stems(words: Iterable[str], settled: frozenset[str]) -> bool:
    """Whether a word is a known stem, or one followed by a figure: gpt, gpt4o."""
    for word in words:
        if word in settled:
            return True
        stem = re.match(r"[a-z]+(?=\d)", word)
        if stem is not None and stem.group() in settled:
            return True
    return False


def is_bad_news(name: str) -> bool:
    """Whether a yes of a column is bad by its name: gpt_hallucination."""
    return any(part in word for word in words_of(name) for part in BAD)


_PAIRS = ({"yes", "no"}, {"true", "false"}, {"0", "1"}, {"high", "low"}, {"y", "n"})


def is_binary(labels: Iterable[str]) -> bool:
    """Whether labels are yes and no, true and false, 0 and 1, high and low."""
    forms = {folded(label) for label in labels}
    return 0 < len(forms) <= 2 and any(forms <= pair for pair in _PAIRS)


_BEHIND = frozenset({"id", "name", "version", "text", "value", "label", "lbl"})
_COUNTERS = frozenset({"idx", "index", "no", "nr", "num", "number"})


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
    commas: str = ""  # what commas in its numbers are: "decimal", "thousand", or "either" of them
    of_others: bool = False  # its few labels are among those of another column of verdicts
    answers_by_forms: dict[frozenset[str], bool] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, table: Table, name: str, *, parted: bool = False) -> Evidence:
        """Evidence of a column of a table; `parted`: by commas, so that 1,2 may be a list in quotes."""
        try:
            column = table.column(name)
        except DataError:  # lists or objects
            return cls(name, table.n_rows, nested=True)
        texts, changed = _texts_of(column.values), False
        if not _VERSIONED.isdisjoint(words_of(name)):  # 2026.10 is not 2026.1
            texts = [t and plain(value) for t, value in zip(texts, column.values, strict=True)]
        commas = _commas(texts)
        if commas == "list":
            commas = "" if parted else "decimal"
        if commas and commas != "either":
            points = iter(_with_points(filter(None, texts), decimal=commas == "decimal"))
            texts, changed = [t and next(points) for t in texts], True
        rated = _all_rated(texts)
        if rated and len({r[1] for r in rated if r is not None} - {""}) <= 1:
            texts, changed = [None if r is None else r[0] for r in rated], True
        if (named := _grades_in_words(texts)) is not None:
            texts, changed = named, True
        kept = dict.fromkeys(t for t in texts if t is not None)
        if len(kept) == len(texts):  # each its own, as most columns' are
            return cls(
                name, table.n_rows, tuple(kept), column.codes, changed=changed, commas=commas
            )
        distinct = dict(zip(kept, range(len(kept)), strict=True))
        look = [-1 if t is None else distinct[t] for t in texts]
        codes = column.look_up(look)
        return cls(name, table.n_rows, tuple(distinct), codes, changed=changed, commas=commas)

    def settle_commas(self, *, decimal: bool) -> None:
        """Read 1,234 and the like, which may be two numbers, as the rest of the table has them."""
        own = self.texts
        points = _with_points(own, decimal=decimal)
        distinct = {t: k for k, t in enumerate(dict.fromkeys(points))}
        look = np.array([*(distinct[t] for t in points), -1], np.int64)
        self.texts, self.codes, self.changed = tuple(distinct), look[self.codes], True

    # --- the name

    @cached_property
    def low(self) -> str:
        """Name in lower case, its words apart."""
        return " ".join(self.words)

    @cached_property
    def words(self) -> list[str]:
        """Words of the name without marks around them."""
        words = words_of(plain_letters(_in_english(self.name)).replace(":", " "))
        return self._whole([w for w in (re.sub(r"[^\w#+]", "", word) for word in words) if w])

    @staticmethod
    def _whole(words: list[str]) -> list[str]:
        """Words of which two that camelCase parts are a model's name again, DeepSeek, people without case."""
        words = [_without_case(word) for word in words]
        pairs = [a + b for a, b in pairwise(words)]
        for k in reversed(range(len(pairs))):
            if pairs[k] in MODELS:
                words = [*words[:k], pairs[k], *words[k + 2 :]]
        return words

    @cached_property
    def parts(self) -> list[list[str]]:
        """Words of each part of a dotted name, the leaf last."""
        name = re.sub(r"\(\w+=[^()]*\)", "", self.name) or self.name  # f1(mode=strict) is f1
        dotted = re.split(r"[.:](?=[^\s\d])", plain_letters(_in_english(name)))
        slashed = [part for piece in dotted for part in re.split(r"/(?=\S)", piece)]
        if not {part.strip().lower() for part in slashed} <= {*GOOD_LABELS, *BAD_LABELS}:
            dotted = slashed  # but for Pass/Fail
        parts = [[re.sub(r"[^\w#+]", "", w) for w in words_of(part)] for part in dotted]
        return [self._whole(p) for part in parts if (p := [w for w in part if w])] or [[]]

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
        if words[-1:] and words[-1] in _COUNTERS and not TRIAL.isdisjoint(words[-2:-1]):
            words.pop()  # repeatIdx
        while len(words) > 1 and words[-1] in _BEHIND:
            if words[-2:] == ["prompt", "version"]:
                break  # a version, of what systems were asked
            words.pop()
        return bool(words) and any(words[-1] in listed for listed in lists)

    @property
    def asks(self) -> bool:
        """Whether it is called like what a system was asked."""
        if self._is_last_message:
            return False
        return self.ends(PROMPTED) or not {"input", "inputs"}.isdisjoint(self.parents)

    @property
    def _is_last_message(self) -> bool:
        """Whether it is called like the message of a machine, or the last: final_message."""
        speakers = {"final", "last", "bot", "assistant", "agent", "model", "ai", "outgoing"}
        return self.ends({"message", "messages"}) and self.says(speakers)

    @property
    def answers(self) -> bool:
        """Whether it is called like what a system put out, and no reference to compare with."""
        reference = self.says({"reference", "references", "expected", "gold", "target"})
        return (
            not self.asks
            and not reference
            and (
                self.ends(SAID)
                or self._is_last_message
                or not {"output", "outputs"}.isdisjoint(self.parents)
            )
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
        if not broken:
            return {}
        rest = {folded(t) for t, _ in pairs} - {folded(t) for t in broken}
        return broken if 1 < len(rest) <= 12 else {}

    @cached_property
    def none_is_label(self) -> bool:
        """Whether 'none', so spelled, is one of several kinds: none, spam, harassment."""
        if "none" not in self.texts or len(self.texts) > _SOME:
            return False
        others = {folded(t) for t in self.texts if t not in self.failures} - set(MISSING)
        verdicts = {*GOOD_LABELS, *BAD_LABELS, *VERDICT_WORDS}
        return len(others) > 1 and not any(
            o in verdicts or as_number(o) is not None for o in others
        )

    @property
    def absent(self) -> frozenset[str]:
        """Folded cells that mean no verdict."""
        return frozenset(MISSING) - {"none"} if self.none_is_label else frozenset(MISSING)

    @cached_property
    def labels(self) -> dict[str, int]:
        """{folded label: rows} without failures and what means missing."""
        result: dict[str, int] = {}
        failures, absent = self.failures, self.absent
        for text, n in zip(self.texts, self.counts.tolist(), strict=True):
            form = folded(text)
            if text not in failures and form not in absent:
                result[form] = result.get(form, 0) + n
        return result

    @cached_property
    def many(self) -> bool:
        """Whether it surely has more labels than any column of verdicts, so that none need be folded."""
        some = self.texts[:_AT_FIRST] if len(self.texts) > _AT_FIRST else ()
        return len({folded(text) for text in some} - set(MISSING)) > _MOST_VERDICTS

    def shares_any(self, forms: frozenset[str]) -> bool:
        """Whether one of some folded labels is among its own, of which no list is kept."""
        if forms not in self.answers_by_forms:
            wanted = forms - self.absent
            first = {c for form in wanted for c in (form[:1], form[:1].upper())}
            self.answers_by_forms[forms] = any(  # folding keeps the first letter, if it is plain
                folded(text) in wanted
                for text in self.texts
                if text[0] in first or text[0] > "\x7f"
            )
        return self.answers_by_forms[forms]

    @property
    def answered(self) -> int:
        """Rows with a label."""
        return sum(self.labels.values())

    @cached_property
    def numeric(self) -> bool:
        """Whether every label is a number."""
        return bool(self._some) and all(as_number(label) is not None for label in self._some)

    @property
    def figures(self) -> bool:
        """Whether every label is a number, perhaps with commas, a currency or a percent sign."""
        return self.numeric or (
            bool(self._some) and all(_FIGURES.fullmatch(label) for label in self._some)
        )

    @cached_property
    def _some(self) -> list[str]:
        if self.many:
            some = map(folded, self.texts[:: max(1, len(self.texts) // _SOME)])
            return [form for form in some if form not in self.absent]
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
        n = 0 if self.many else len(self.labels)
        if not n:
            return False
        if self.numeric:
            some = [float(label) for label in self._some]
            whole = all(x == int(x) and -10 <= x <= 10 for x in some)
            few = 2 * n <= max(self.answered, 2) or n <= 3 or self.n_rows <= 8 or self.of_others
            return n <= 11 and whole and few
        if all(label.startswith(("{", "[{")) for label in self._some):
            return False  # JSON
        longest = max(len(label) for label in self._some)
        few = 2 * n <= self.answered or n <= 2 or (self.n_rows <= 8 and n <= 4) or self.of_others
        return n <= _MOST_VERDICTS and longest <= 40 and few

    @property
    def verdict_like_numbers(self) -> bool:
        """Whether it holds grades or 0 and 1."""
        return self.numeric and self.verdict_like

    @property
    def is_decimal(self) -> bool:
        """Whether some number is no whole one."""
        return self.numeric and any(float(label) % 1 for label in self._some)

    @property
    def binary_flag(self) -> bool:
        """Whether it is a yes or no about something that its name begins to ask: is_cached."""
        return self.binary and bool(self.leaf) and self.leaf[0] in FLAG

    @property
    def is_score(self) -> bool:
        """Numbers that are no verdicts."""
        return self.numeric and not self.verdict_like

    @property
    def speaks(self) -> bool:
        """Whether its labels are a verdict's whatever it is called: pass and fail."""
        return (
            not self.many
            and len(self.labels) > 1
            and any(label in VERDICT_WORDS for label in self.labels)
            and set(self.labels) <= {*GOOD_LABELS, *BAD_LABELS, *VERDICT_WORDS}
        )

    @property
    def binary(self) -> bool:
        """Whether its labels are yes and no, true and false, 0 and 1, high and low."""
        return not self.many and is_binary(self.labels)

    @cached_property
    def sentences(self) -> bool:
        """Whether cells are words to read: 30 characters on average, or blanks in most of many texts."""
        some = [
            t for t in self.texts[:: max(1, len(self.texts) // _SOME)] if folded(t) not in MISSING
        ]
        if not some or all(as_number(t) is not None for t in some[:20]):
            return False
        unspaced = [0 if t.isascii() else len(_UNSPACED_LETTERS.findall(t)) for t in some]
        length, words = (
            (sum(map(len, some)) + 1.5 * sum(unspaced)) / len(some),
            (sum(len(t.split()) for t in some) + sum(unspaced) / 2) / len(some),
        )
        wordy = sum(" " in t or n > 5 for t, n in zip(some, unspaced, strict=True))
        spaced = 2 * wordy > len(some) and len(self.texts) > 12
        return (length >= 30 and words >= 2) or (spaced and (words >= 2.5 or length >= 15))

    @cached_property
    def is_time(self) -> bool:
        """Whether cells are dates or times."""
        some = self.texts[:: max(1, len(self.texts) // 200)][:200]
        if some and all(_DATE.fullmatch(t) for t in some):
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

    @cached_property
    def numbers_rows(self) -> bool:
        """Whether it holds whole numbers, all distinct, among which a measure would have met one twice."""
        if not self.unique or not self.numeric or self.is_decimal or self.n_rows <= 12:
            return False
        span = float(np.ptp(self.numbers)) + 1
        pairs = self.n_rows * (self.n_rows - 1) / 2
        return bool(np.exp(-pairs / span) < 0.05) and bool(np.min(self.numbers) >= 0)

    @property
    def example(self) -> str:
        """The commonest cell, cut short."""
        if not self.texts:
            return ""
        text = " ".join(self.texts[int(self.counts.argmax())].split())
        return text if len(text) <= 24 else text[:22] + ".."


_VERSIONED = frozenset({"version", "versions", "release", "build", "ver"})
"""Words of a name whose numbers are no decimals."""


_PROFESSIONS = re.compile(r"\w{3,}(?:ologist|ologists|iatrist|ologe|ologin|ologue|ologo|ologa)")
"""Ends of words for people who know: cardiologist, psychiatrist."""


def _without_case(word: str) -> str:
    """A word for people without an ending of case, модератор for модератора; 'expert' for a cardiologist."""
    if word in HUMAN or len(word) < 7:
        return word
    if _PROFESSIONS.fullmatch(word):
        return "expert"
    begins = [word[:-k] for k in (1, 2) if len(word) - k >= 6 and word[:-k] in HUMAN]
    return begins[0] if begins else word


def _texts_of(values: Sequence[object]) -> list[str | None]:
    """Texts of distinct cells; most need no look, as they neither mean nothing nor are decimals."""
    if not all(type(value) is str for value in values):
        return [_text(value) for value in values]
    stripped: Iterable[str] = map(str.strip, values)  # type: ignore[arg-type]
    return [t if t and t[0] not in "nN#<-" and "." not in t else _text(t) for t in stripped]


def _text(value: object) -> str | None:
    text = tidy(value)
    if text is None or text in BLANK:
        return None
    blank = text[:1] in "nN" or text.isspace()  # as NaT may be
    return None if blank and folded(text) in ("nat", "") else text


def _commas(texts: Sequence[str | None]) -> str:
    """What commas in a column of numbers are, by its distinct cells."""
    first = next((t for t in texts if t and not _means_nothing(t)), "")
    if not (first[:1].isdigit() or first[:1] in ("+", "-")) or "," not in "".join(
        filter(None, texts)
    ):
        return ""
    return commas_in(t for t in texts if t and not _means_nothing(t))


def _means_nothing(text: str) -> bool:
    """Whether a cell of numbers is none: NA, timeout."""
    return not text[:1].isdigit() and (folded(text) in MISSING or has_failed(text))


def _with_points(texts: Iterable[str], *, decimal: bool) -> list[str]:
    """Numbers that were written with commas, without."""
    return [t if _means_nothing(t) else without_commas(t, decimal=decimal) for t in texts]


def _settle_commas(columns: Iterable[Evidence]) -> None:
    """Take 1,234 for a decimal where another column has plainly decimal commas, for a thousand elsewhere."""
    decimal = any(c.commas == "decimal" for c in columns)
    for column in columns:
        if column.commas == "either":
            column.settle_commas(decimal=decimal)


def _grades_in_words(texts: Sequence[str | None]) -> list[str | None] | None:
    """Numbers of grades such as '8: accept, good paper' or '3 good', each said in one way, None of others."""
    some = {t for t in texts if t is not None}
    if not 1 < len(some) <= 12:
        return None
    numbers = {t: _GRADE_IN_WORDS.fullmatch(t) for t in some}
    if not all(numbers.values()) or any(len(t) > 200 for t in some):
        return None
    grades = {t: m.group(1) for t, m in numbers.items() if m is not None}
    return [t and grades[t] for t in texts] if len({*grades.values()}) == len(grades) else None


def _all_rated(texts: Sequence[str | None]) -> list[tuple[str, str] | None]:
    """Grades of texts, None of empty ones; an empty list where one has no grade, or all are empty."""
    rated: list[tuple[str, str] | None] = []
    for text in texts:
        rated.append(None if text is None else _rated(text))
        if text is not None and rated[-1] is None:
            return []
    return rated if any(rated) else []


def _rated(text: str) -> tuple[str, str] | None:
    """Grade, and what it is out of, of texts such as 'Score: 4' and '4/5'."""
    if (bare := re.fullmatch(r"\[+\s*([^\[\],]{1,20}?)\s*\]+", text)) is not None:
        return bare.group(1), ""
    prefix = _RATED.fullmatch(text)
    text, picked = (prefix.group(1).strip(), True) if prefix else (text, False)
    out_of = _OUT_OF.fullmatch(text)
    if out_of is not None:
        return tidy(out_of.group(1)) or "", out_of.group(2)
    return (tidy(text) or "", "") if picked else None


def names_a_verdict_of_a_model(name: str) -> bool:
    """Whether a column is called like a model's verdict: gpt4_verdict, model_sentiment, prediction."""
    column = Evidence(name, 0)
    words = [w for w in column.leaf if not w.isdigit()]
    aside = (
        SHOWN - {"prediction", "predicted"}
        | REASON
        | GRADED
        | COVARIATE
        | {"id", "name", "version"}
    )
    if (
        not words
        or column.ends(aside)
        or column.says({"tie"})
        or ("winner" in words and (words[-1] != "winner" or len(words) == 1))
        or re.fullmatch(_PAIR, name.strip().lower())
    ):
        return False
    about = bool({"model", "llm", "ai", "auto", "bot"} & set(words)) and len(words) > 1
    return stems(words, MODELS) or bool({"prediction", "predicted", "pred"} & set(words)) or about


def names_a_verdict_of_a_person(name: str) -> bool:
    """Whether a column is called like what a person said: human_winner, expert_label, gold."""
    column = Evidence(name, 0)
    aside = TIME | REASON | COVARIATE | PROMPT | ID | REVIEWER | {"name", "email", "version"}
    if not column.leaf or column.ends(aside - HUMAN) or column.leaf[-1] in ("id", "at"):
        return False
    if column.low in REFERENCES or stems(column.leaf, MODELS):
        return False
    words = {word.rstrip("0123456789") for word in column.leaf}
    rated = words & {"user", "customer"} and words & (GRADED | WEAK | WEAK_HUMAN | {"feedback"})
    alone = len(column.leaf) == 1 and column.leaf[0] in HUMAN & REVIEWER
    first = len(column.leaf) <= 2 and not FIRST_NAMES.isdisjoint(words)
    return not alone and (bool(words & HUMAN) or column.low in HUMAN_NAMES or bool(rated) or first)


def names_more(name: str) -> bool:
    """Whether a column beside verdicts is called like one that matters: a system, a group, a measure."""
    column = Evidence(name, 0)
    said = names_a_verdict_of_a_model(name) or names_a_verdict_of_a_person(name)
    return said or column.ends(SYSTEM, SLICE, COVARIATE)


# --- What two columns have in common.


def share(first: Evidence, second: Evidence) -> bool:
    """Whether two columns have a label in common; true is 1, false is 0; 0 and 1 are no grades of 1 to 5."""
    if any(c.many for c in (first, second)) and _apart(first, second):
        return False
    forms = _forms(first), _forms(second)
    if forms[0].isdisjoint(forms[1]):
        return False
    few, many = sorted(forms, key=len)
    numbers = [[as_number(form) for form in some] for some in (few, many)]
    if None in (*numbers[0], *numbers[1]):
        return True
    few_, many_ = ([float(x) for x in some if x is not None] for some in numbers)
    return min(many_) <= min(few_) and max(few_) <= max(many_)


_SAME = {"true": "1", "false": "0", "1.0": "1", "0.0": "0", "model_a": "a", "model_b": "b"}


def _apart(first: Evidence, second: Evidence) -> bool:
    """Whether two columns, of which one may have a million labels, have none in common."""
    few, many = (second, first) if first.many else (first, second)
    if few.many:
        return False
    spelled = _forms(few) | {word for word, form in _SAME.items() if form in _forms(few)}
    return not many.shares_any(frozenset(spelled))


def _forms(column: Evidence) -> set[str]:
    same = _SAME
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
    if first.numeric != second.numeric:
        number, word = (first, second) if first.numeric else (second, first)
        if number.is_score and len(word.labels) > 2:
            return 0.0, n  # nearly each number once: no table of them shows anything
        if len(number.labels) > 2 and len(word.labels) == 2:
            truth = _codes_among(word, sorted(_forms(word)))[word.codes].astype(float)
            return abs(_ranks_agree(number.numbers, np.where(truth < 0, np.nan, truth))), n
    names = sorted(_forms(first) | _forms(second))
    if len(names) > 60:
        return 0.0, n
    x, y = _codes_among(first, names)[a], _codes_among(second, names)[b]
    settled = (x >= 0) & (y >= 0)
    x, y, n = x[settled], y[settled], int(settled.sum())
    if n < 5:
        return 0.0, n
    k = len(names)
    table = np.bincount(x * k + y, minlength=k * k).reshape(k, k).astype(np.float64)
    rows, columns = table.sum(1) / n, table.sum(0) / n
    if share(first, second):
        chance = float(rows @ columns)
        return (0.0 if chance >= 1 else (float(np.trace(table)) / n - chance) / (1 - chance)), n
    expected = np.outer(rows, columns) * n
    kept = expected > 0
    square = float((((table - expected) ** 2)[kept] / expected[kept]).sum())
    size = min((rows > 0).sum(), (columns > 0).sum()) - 1
    return (float(np.sqrt(square / (n * size))) if size > 0 else 0.0), n


def _codes_among(column: Evidence, names: Sequence[str]) -> Positions:
    same = {"true": "1", "false": "0"}
    lookup = {name: k for k, name in enumerate(names)}
    picked = []
    for text in column.texts:
        form = folded(text)
        settled = text not in column.failures and form not in column.absent
        picked.append(lookup.get(same.get(form, form), -1) if settled else -1)
    return np.array([*picked, -1], np.int64)


def _ranks_agree(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    settled = ~(np.isnan(x) | np.isnan(y))
    if settled.sum() < 5:
        return 0.0
    a, b = mid_ranks(x[settled]), mid_ranks(y[settled])
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


ROLES = (
    *("item", "prompt", "text", "judge", "human", "system", "trial", "swap", "covariate", "slice"),
    *("time", "score", "reason", "ignored", "rater", "answer"),
)
VOTES = frozenset({"vote", "verdict", "label", "judgment", "judgement", "answer", "annotation"})
"""What a column is called that holds what judges said, not what systems scored."""


_SURELY_TRIAL = frozenset(
    ["trial", "epoch", "seed", "repeat", "repetition", "replicate", "replica"]
)
_PAIR = r"(model|system|assistant|generator|bot|player|engine)[_ ]?(a|b|1|2)(?:[_ ](?:id|name))?"
"""What the two systems of a pair are called."""


_SIDES = ({"left", "right"}, {"first", "second"}, {"a", "b"}, {"1", "2"})
_OF_SIDES = _words("a b c first second 1 2 model_a model_b left right")
_EVEN = frozenset(
    {"tie", "draw", "both", "neither", "equal", "tied", "same", "none", "either", "no preference"}
)
"""Verdicts that neither of two answers is the better."""
_TIES = frozenset({"tie", "draw", "both", "neither", "equal", "tied"})
_CRITERION = _words("criterion criteria dimension rubric metric attribute quality")
_PART_OF_TALK = _words("turn round step")
_RIGHT_ANSWERS = (
    "reference",
    "references",
    "expected",
    "ground truth",
    "expected output",
    "target",
)
_OF_REFERENCES = _words("reference expected correct gold golden ideal true target")
_KINDS_OF_VERDICT = _words("label score value passed pass result grade verdict rating success")
_GROUPS_OF_VERDICTS = _words(
    "eval evaluation score grade result metric annotation feedback output sample item meta metadata "
    "response suggestion label verdict vote"
)


class Question(NamedTuple):
    """What must be asked: a sentence, the columns it is about, and the answers as options."""

    question: str
    columns: tuple[str, ...]
    answers: tuple[str, ...]


def answered(name: str, *values: str) -> str:
    """An answer as it is typed: --human 'my column', or human='my column' in Python, lists as lists."""
    text = option(name, values[0])
    if text.startswith("--"):
        typed = ",".join(values)
        if name in OF_SEVERAL or declared(ReadOptions)[name].form != "text":
            row = io.StringIO()  # a name with a comma stands in quotes
            csv.writer(row, lineterminator="").writerow(values)
            typed = row.getvalue()
        return f"{text.split(' ')[0]} {shlex.quote(typed)}"
    if name == "same":
        return f"{name}={dict(pair.split('=', 1) for pair in values)!r}"
    if name in ("judges", "systems") or len(values) > 1:
        return f"{name}={[*values]!r}"
    return text


class Decision(NamedTuple):
    """The role of a column, and why."""

    role: str
    why: str


UNLIKE_HUMAN = "the name says a person, and it answers nothing that judges do"
_NO_GRADE = "a number under a name that says nothing"

_NO_PROMPT = "it repeats, and names no prompt"

_NONE = Decision("", "")
"""Of a column without a role."""


@dataclass(frozen=True)
class Stated:
    """What the caller said about the columns of a results table."""

    item: tuple[str, ...] = ()
    prompt: tuple[str, ...] = ()
    judges: tuple[str, ...] | None = None
    human: tuple[str, ...] = ()
    people: tuple[str, ...] = ()  # raters of a long table who are people
    raters: tuple[str, ...] = ()  # its judges, or the columns of them
    systems: tuple[str, ...] = ()  # columns of systems side by side
    system: tuple[str, ...] = ()
    trial: tuple[str, ...] = ()
    repeats: bool = False  # equal ids are repeated judgements
    swap: tuple[str, ...] = ()
    judge: str | None = None
    answer: str | None = None
    slice: tuple[str, ...] = ()
    covariate: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    roles: Mapping[str, str] = field(default_factory=dict)

    def by_column(self, names: Sequence[str]) -> dict[str, str]:
        """{column: role} of the columns that are named."""
        said = {name: role for name, role in self.roles.items() if name in names}
        groups = {
            "item": self.item,
            "prompt": self.prompt,
            "judge": tuple(j for j in self.judges or () if self.judge is None),
            "human": self.human,
            "system": self.system,
            "trial": self.trial,
            "swap": self.swap,
            "rater": () if self.judge is None else (self.judge,),
            "answer": () if self.answer is None else (self.answer,),
            "slice": self.slice,
            "covariate": self.covariate,
            "text": self.text,
            "ignored": self.ignore,
        }
        for role, columns in groups.items():
            for name in columns:
                if name not in names:
                    continue
                if said.get(name, role) != role:
                    raise DataError(
                        f"a column must have one role; got {name!r} as {said[name]} and as {role}; name it "
                        "once"
                    )
                said[name] = role
        return said


@dataclass
class Roles:
    """Roles of all columns, the layout they make, and the questions left."""

    columns: dict[str, Evidence]
    decided: dict[str, Decision]
    questions: list[Question]
    layout: str = "wide"  # "long", "pairwise" or "systems"
    item: tuple[str, ...] = ()  # columns of the identity; none: row numbers
    names_judges: bool = False  # some column is called like a judge or a person
    pairs: bool = False  # verdicts are on two outputs side by side
    repeats: bool = False  # several rows judge the same output again
    people: bool = False  # the raters of a long table are people, a judge stands beside them
    people_named: frozenset[str] = (
        frozenset()
    )  # raters of a long table who are people beside judges
    runs: dict[str, str] = field(default_factory=dict)  # column of a run: its judge
    grid: dict[str, tuple[str, str]] = field(default_factory=dict)  # column: system, who judged
    certainty: dict[str, str] = field(default_factory=dict)  # numbers: the verdict they are sure of
    n_rows: int = 0
    said: tuple[str, ...] = ()  # what was done to the table before its columns were looked at

    @property
    def changed(self) -> bool:
        """Whether verdicts stand in cells such as 'Score: 4'."""
        names = self.named("judge", "score", "human", "answer")
        return any(self.columns[name].changed for name in names)

    def named(self, *roles: str) -> list[str]:
        """Columns of some roles, in the order of the table."""
        return [name for name, decision in self.decided.items() if decision.role in roles]


def roles_of(table: Table, stated: Stated) -> Roles:
    """Role of every column of a table, and what must be asked."""
    parted = any(note.endswith("read as CSV") for note in table.notes)
    columns = {name: Evidence.of(table, name, parted=parted) for name in table.names}
    _settle_commas(columns.values())
    _share_none(columns.values())
    _share_few(columns.values())
    reading = _Reading(columns, stated, table.index.columns, named=table.index.named)
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


def good_label(labels: Iterable[str], columns: Sequence[Evidence] = ()) -> str | None:
    """The one label that is named like a pass where all others are not, None if that is not clear."""
    own = {plain_letters(label.casefold()): label.casefold() for label in labels}
    forms = list(own)
    if {*forms} == {"up", "down"}:  # of thumbs
        return own["up"]
    good, bad = set(GOOD_LABELS), {*BAD_LABELS, *NEUTRAL_BAD}
    if any(column.says(HIGH_IS_GOOD) for column in columns):
        good.add("high")
    bad |= {f"{no}{form}" for form in good for no in _NOT}
    best = [form for form in forms if form in good and form not in bad]
    if len(forms) < 2 or len(best) != 1 or not set(forms) - {best[0]} <= bad:
        return None
    return own[best[0]]


def likeliest_first(labels: Iterable[str]) -> tuple[str, ...]:
    """Labels with those that are named like a pass first, and those like a failure last.

    A letter or figure is a pass only beside a failure: y beside n, not beside x.
    """
    forms = {label: plain_letters(label.casefold()) for label in labels}
    failures = not BAD_LABELS.isdisjoint(forms.values())

    def rank(label: str) -> int:
        form = forms[label]
        good = form in GOOD_LABELS and (failures or not (len(form) == 1 and form.isalnum()))
        return 0 if good else 2 if form in BAD_LABELS else 1

    return tuple(sorted(forms, key=rank))


class _Reading:
    """The order of decisions on one table."""

    def __init__(
        self, columns: dict[str, Evidence], stated: Stated, index: tuple[str, ...], *, named: bool
    ) -> None:
        self.columns = columns
        self.stated = stated
        self.index = index
        self.index_named = named
        self.decided: dict[str, Decision] = {}
        self.n = next(iter(columns.values())).n_rows if columns else 0
        self.roles = Roles(columns, {}, [], n_rows=self.n)
        self.open_names: set[str] = set()
        self.named_judges = False

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

    # --- helpers

    @property
    def free(self) -> list[Evidence]:
        """Columns without a role."""
        return [
            c
            for name, c in self.columns.items()
            if name not in self.decided and name not in self.open_names
        ]

    def _set(self, names: Iterable[str], role: str, why: str) -> None:
        for name in names:
            self.decided[name] = Decision(role, why)

    def _named(self, *roles: str) -> list[Evidence]:
        return [self.columns[n] for n, d in self.decided.items() if d.role in roles]

    def _ask(self, question: str, columns: Sequence[str], answers: Sequence[str]) -> None:
        self.roles.questions.append(Question(question, tuple(columns), tuple(answers)))
        self.open_names.update(columns)

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
        measures = [name for name in names if _may_measure(self.columns[name])]
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

    def _is_model(self, column: Evidence) -> bool:
        verdict = set(column.leaf) <= _KINDS_OF_VERDICT | REASON | {"choice", "pairwise"}
        return stems(column.leaf, MODELS) or (verdict and stems(column.parents, MODELS))

    def _is_judge_word(self, column: Evidence) -> bool:
        if _says_system(column):
            return False
        words = {w.rstrip("0123456789") for w in column.words}
        words |= {w.removesuffix("s") for w in column.parents}
        if _says_machines_verdict(column):
            others = [c for c in self.columns.values() if c is not column and c.verdict_like]
            if column.speaks or not others or any(share(c, column) for c in others):
                return True
        scored = column.leaf[:1] == ["score"] and set(column.labels) <= {"c", "i", "p", "n"}
        if ("exact" in column.words and "match" in column.words) or (scored and column.labels):
            return True
        if (
            column.parents & MACHINE
            and column.ends(WEAK - {"answer"}, GRADED)
            and column.verdict_like
        ):
            return True
        if "feedback" in column.parents or "scores" in column.parents or "eval" in column.parents:
            return True
        if column.parents and self._is_reasoned(column):
            return True
        return not words.isdisjoint(JUDGE) and not column.sentences

    def _is_reasoned(self, column: Evidence) -> bool:
        """Whether reasons of the same parents stand beside nearly every verdict, as only machines write."""
        return column.ends(_KINDS_OF_VERDICT, {"choice"}) and any(
            c.parts[:-1] == column.parts[:-1]
            and c.ends({"justification", "reasoning", "explanation", "rationale"})
            and 10 * c.filled >= 9 * max(1, column.filled)
            and column.filled >= 0.9 * self.n
            for c in self.columns.values()
        )

    def _verdicts(self) -> list[Evidence]:
        """Columns that may hold verdicts: few labels, and no role yet."""
        return [c for c in self.free if c.verdict_like and c.words[-1:] != ["id"]]

    # --- 1, 2: nothing to read

    def _empty_and_constant(self) -> None:
        blocks = repeated_blocks(list(self.columns))  # of systems, where their outputs differ
        outputs = [self.columns[lead] for lead in blocks]
        sides = {name for of in blocks.values() for name in of.values()}
        sides = set() if any(_equal(outputs[0], c) for c in outputs[1:]) else sides
        for column in self.free:
            first = re.fullmatch(r"(.+)\.\d+", column.name)
            same = self.columns.get(first.group(1)) if first else self._longer_name(column)
            if column.nested:
                self._set([column.name], "ignored", "it holds lists or objects")
            elif not column.filled:
                self._set([column.name], "ignored", "it is empty")
            elif (
                same is not None
                and not (column.name in sides and column.verdict_like and column.speaks)
                and _equal(column, same)
            ):
                self._set([column.name], "ignored", f"the same as {same.name!r} on every row")
            elif column.low in ("", "unnamed 0", "index", "row", "#", "no", "nr") and (
                column.counts_rows and column.name not in self.index
            ):
                self._set([column.name], "ignored", "row numbers")
            elif column.constant and column.filled == self.n and not self._may_be_constant(column):
                self._set([column.name], "ignored", f"it says {column.example!r} on every row")

    def _longer_name(self, column: Evidence) -> Evidence | None:
        """An earlier column of the same cells whose name's words are among this one's, or the reverse."""
        for other in self.columns.values():
            if other is column:
                return None
            inside = set(other.leaf) < set(column.leaf) or set(column.leaf) < set(other.leaf)
            if (
                inside
                and other.parents == column.parents
                and other.parents
                and _equal(column, other)
            ):
                return other
        return None

    def _may_be_constant(self, column: Evidence) -> bool:
        """Whether a column of one value is a judge or a person who always says one thing."""
        word = next(iter(column.labels), "")
        speaks = word in GOOD_LABELS or word in BAD_LABELS
        if (column.ends(DONE) and column.binary) or _is_question(column.name):
            return False
        named = self._is_model(column) or self._is_judge_word(column) or column.says(HUMAN)
        if re.fullmatch(_PAIR, column.name.strip().lower()):
            return True
        if column.says(SYSTEM, COVARIATE):
            return False
        others = [c for c in self.columns.values() if c.verdict_like and len(c.labels) > 1]
        others = [
            c for c in others if not c.ends(SYSTEM)
        ]  # judge = gpt-4 beside systems gpt-4, llama
        others = [c for c in others if c.binary == column.binary]  # Finished is True beside grades
        return (speaks and named) or (
            not column.ends(SLICE, _METADATA)
            and not column.numeric
            and any(share(c, column) for c in others)
        )

    # --- 3: times, reasons, texts

    def _times_and_texts(self) -> None:
        for column in self.free:
            if column.is_time:
                self._set([column.name], "time", "dates or times")
        judged = [c for c in self.columns.values() if c.verdict_like]
        for column in self.free:
            if column.unique and column.name in item_columns([column.name]) and not _reads(column):
                continue
            of_judge = self._is_model(column) or self._is_judge_word(column)
            words = column.texts if column.many else column.labels
            remarks = any(" " in word for word in words) and not self._shares(column)
            says_reason = column.ends(REASON) or (
                column.says(REASON) and (of_judge or remarks or not column.verdict_like)
            )
            if column.says({"finish", "stop", "end", "termination"}):
                continue
            if says_reason and not column.numeric and not self._speaks_like_a_judge(column):
                role = "text" if column.says({"notes", "note"}) else "reason"
                self._set([column.name], role, "the name says a reason, and it holds words")
            elif self._is_text(column, judged) or column.parents & {"raw", "completion"}:
                self._set([column.name], "text", "words to read")

    def _speaks_like_a_judge(self, column: Evidence) -> bool:
        return column.verdict_like and (column.speaks or column.binary)

    def _is_text(self, column: Evidence, judged: Sequence[Evidence]) -> bool:
        if column.numeric or self._speaks_like_a_judge(column):
            return False
        if any(
            c is not column and not c.numeric and share(c, column)
            for c in judged
            if column.verdict_like
        ):
            return False
        if _reads(column):
            return True
        if column.leaf[-1:] in (["id"], ["uuid"]):
            return False
        if " ".join(column.leaf) in _RIGHT_ANSWERS:
            return not column.verdict_like or len(column.labels) > 6
        if column.ends({"answer", "output"}) and column.says(_OF_REFERENCES):
            return not column.binary and not set(column.labels) <= {*GOOD_LABELS, *BAD_LABELS}
        named = column.ends(SHOWN) or not {"inputs", "outputs", "input", "output"}.isdisjoint(
            column.parents
        )
        if named and column.unique and not any(" " in text for text in column.texts[:50]):
            figures = all(re.search(r"\d", text) for text in column.texts[:50])
            return column.ends(SHOWN) and not figures  # inputs.example and passage may hold ids
        return (
            named
            and not column.ends(ID - {"document"})
            and len(column.texts) > 12
            and not column.verdict_like
        )

    # --- 4: pairs of systems

    def _both_orders(self) -> None:
        """Two columns of one judge's verdicts on pairs, one for each order shown: x_ab, x_ba: asked about."""
        if self.stated.judges is not None:
            return
        ends = dict([*_ORDERS, *((b, a) for a, b in _ORDERS)])
        columns = {tuple(c.leaf): c for c in self.free if c.verdict_like and len(c.leaf) > 1}
        for leaf, column in columns.items():
            other = columns.get((*leaf[:-1], ends.get(leaf[-1], "")))
            if other is None or (leaf[-1], other.leaf[-1]) not in _ORDERS:
                continue
            alike = {last for *stem, last in columns if tuple(stem) == leaf[:-1]}
            if any(map(str.isdigit, alike - {"12", "21"})) or not share(column, other):
                continue  # judges with numbers, or other labels
            self._ask_both_orders(column, other)
        self._second_orders()

    def _ask_both_orders(self, first: Evidence, second: Evidence) -> None:
        """Add the question what two columns of verdicts on pairs in both orders name."""
        names, others = [first.name, second.name], self._machines_beside(first, second)
        self._ask(
            f"Do {names[0]!r} and {names[1]!r} hold one judge's verdicts in both orders? Where they name "
            "the place shown (A, first), write a row for each order, with a column for --swap; or answer",
            names,
            [
                f"{answered('judges', *others, names[0])} (one order)",
                f"{answered('judges', *others, *names)} (they name the answer, in whatever order)",
            ],
        )

    def _machines_beside(self, *columns: Evidence) -> list[str]:
        """Other columns of verdicts on pairs that are called like a machine's."""
        verdicts = [c for c in self.free if c.verdict_like and self._names_sides(c)]
        return [c.name for c in verdicts if c not in columns and self._is_machine(c)]

    def _second_orders(self) -> None:
        """Verdicts called like others but for a word as 'swapped': those of the judge in the other order.

        That both name the answer, and not its place, is taken where they agree far more as they stand than
        with the sides of one exchanged; else it is asked.
        """
        verdicts = [c for c in self.free if c.verdict_like and self._names_sides(c)]
        by_words = {frozenset(c.words): c for c in verdicts}
        for column in verdicts:
            word = next((w for w in column.words if w in _TURNED_WORDS), None)
            first = None if word is None else by_words.get(frozenset(column.words) - {word})
            if first is None or first is column or not share(first, column):
                continue
            straight, n = agreement(first, column)
            turned, _ = agreement(first, _with_sides_exchanged(column))
            if straight * np.sqrt(n) > 3 and straight > turned + 0.3:
                self._set(
                    [first.name], "judge", f"its verdicts in the other order: {column.name!r}"
                )
                why = (
                    f"{first.name!r} in the other order; both name the answer, as they agree on it"
                )
                self._set([column.name], "judge", why)
            else:
                self._ask_both_orders(first, column)

    def _pairs(self) -> None:
        bases: defaultdict[str, list[str]] = defaultdict(list)
        for column in self.free:
            match = re.fullmatch(_PAIR, column.name.strip().lower())
            votes = column.verdict_like_numbers or self._names_sides(column)
            if match and not votes:
                bases[match.group(1)].append(column.name)
        for names in bases.values():
            if len(names) == 1 and not self._shares(self.columns[names[0]]):
                self._set(names, "slice", "one of the two systems of a pair")
            if len(names) == 2:
                self._set(names, "system", "the two systems of a pair")
                self.roles.layout, self.roles.pairs = "pairwise", True
        if self.roles.layout == "wide":
            self._pairs_by_values()
        texts = {w for c in self._named("text") for w in c.words}
        candidates_ = [c for c in self.free if c.verdict_like and self._names_sides(c)]
        if (
            candidates_
            and self.roles.layout == "wide"
            and ({"a", "b"} <= texts or {"first", "second"} <= texts or {"1", "2"} <= texts)
        ):
            self.roles.pairs = True
        self._swaps()
        if self.roles.layout == "pairwise" and candidates_:
            flags = [c for c in self.free if c.binary and not self._names_sides(c)]
            flags = [c for c in flags if not (self._is_model(c) or self._is_judge_word(c))]
            flags = [c for c in flags if not c.says(HUMAN)]
            self._set([c.name for c in flags], "slice", "it names neither answer of a pair")

    def _swaps(self) -> None:
        """Name the column of the order in which two answers were shown; ask of verdicts called so."""
        for column in self.free:
            in_pairs = self.roles.layout == "pairwise"
            if not column.verdict_like or not column.says(SWAP):
                continue
            named = self._is_model(column) or column.says(WEAK, WEAK_HUMAN, HUMAN, _CHOSEN)
            if not named and self._says_which_first(column):
                self._set([column.name], "swap", "which of two answers was shown first")
                continue
            if named and in_pairs and self._names_sides(column) and self._shares(column):
                self._ask(
                    f"Does {column.name!r} name the better answer, or the order in which two were shown?",
                    [column.name],
                    [
                        answered("judges", *self._machines_beside(column), column.name),
                        answered("swap", column.name),
                        answered("ignore", column.name),
                    ],
                )
            elif in_pairs or column.says({"swapped", "flipped", "presentation"}):
                self._set([column.name], "swap", "the order in which two answers were shown")

    def _says_which_first(self, column: Evidence) -> bool:
        """Whether a column names the answer shown first, as verdicts beside name the better of two."""
        first = column.says({"first", "order", "left", "top"}) and column.says(SWAP)
        others = [c for c in self.free if c is not column and c.verdict_like]
        return (
            first
            and len(column.labels) == 2
            and not (column.numeric or column.speaks)
            and any(set(column.labels) <= set(c.labels) <= {*column.labels, *_EVEN} for c in others)
        )

    def _pairs_by_values(self) -> None:
        """Take two columns of the same names, never alike on a row, for the systems of a pair, or ask.

        A column must say which of the two won: by its place, by its column, or by its name.
        """
        groups = [
            c
            for c in self.free
            if 1 < len(c.texts) <= max(12, self.n // 3)
            and c.filled == self.n > 9
            and not (c.numeric or c.binary or c.speaks or c.sentences)
            and not c.ends(SLICE)
            and not self._names_sides(c)
            and good_label(c.labels) is None
        ]
        for first, second in combinations(groups, 2):
            names = set(first.texts), set(second.texts)
            if 5 * len(names[0] & names[1]) < 4 * len(names[0] | names[1]):
                continue
            rows = (
                np.array(first.texts, object)[first.codes],
                np.array(second.texts, object)[second.codes],
            )
            if (rows[0] == rows[1]).any():
                continue
            sides = {first.low, second.low}
            others = [c for c in self.free if c is not first and c is not second]
            called = {folded(text) for text in names[0] | names[1]}
            plain = [c for c in others if c.verdict_like and self._names_sides(c)]
            won = [c for c in others if _says_winner(c, sides) or _says_winner(c, called)]
            if not (plain or won):
                continue
            pair = [first.name, second.name]
            listed_pair = any(re.fullmatch(_PAIR, name.strip().lower()) for name in pair)
            called_so = first.ends(SYSTEM) and second.ends(SYSTEM)  # first_sys, second_sys
            called_so &= {*first.leaf} ^ {*second.leaf} in _SIDES
            if won or listed_pair or _names_setups(first) or sides in _SIDES or called_so:
                why = "the two systems of a pair: the same names, and never alike on a row"
                self._set(pair, "system", why)
                self.roles.layout, self.roles.pairs = "pairwise", True
            else:
                self._ask(
                    f"Do {pair[0]!r} and {pair[1]!r} name the two whose answers were compared?",
                    pair,
                    [answered("system", *pair), answered("slice", *pair)],
                )
            return

    def _names_sides(self, column: Evidence) -> bool:
        if column.many and not all(map(self._is_side, column.texts[:_AT_FIRST])):
            return False
        return len(column.labels) > 1 and all(map(self._is_side, column.labels))

    @staticmethod
    def _is_side(label: str) -> bool:
        form = folded(label)
        sided = form in _OF_SIDES or (
            len(form) > 1 and side_of(form) is not None
        )  # x may be a name
        return sided or not _TIES.isdisjoint(_split(label))

    # --- 5: names that say a number about the output, or a group

    def _by_name(self) -> None:
        for column in self.free:
            if column.speaks or _is_titled(column):
                continue
            if stems(column.words, METRICS) and column.numeric and not column.verdict_like:
                self._set([column.name], "score", "the name says a metric")
            elif (verdict := self._of_certainty(column)) is not None:
                role = "covariate" if column.verdict_like else "score"
                self._set([column.name], role, f"how sure {verdict.name!r} is")
                self.roles.certainty[column.name] = verdict.name
            elif self._says_group(column):
                role, why = self._group(column)
                self._set([column.name], role, why)

    def _of_certainty(self, column: Evidence) -> Evidence | None:
        """The verdict that a column's numbers say the certainty of: gpt4o, of gpt4o_conf."""
        of_label = column.leaf[-1:] == ["score"] and len(column.leaf) > 1 and column.is_decimal
        if not column.numeric or not (column.says(CONFIDENT) or of_label):
            return None
        stem = [w for w in column.leaf if w not in CONFIDENT | {"score", "level", "value"}]
        if of_label and not column.says(CONFIDENT):
            same = [c for c in self.columns.values() if c.leaf == stem and c.verdict_like]
            return same[0] if same and not same[0].numeric else None
        verdicts = [
            c
            for c in self.columns.values()
            if c is not column
            and c.verdict_like
            and not c.says(CONFIDENT, COVARIATE)
            and c.parts[:-1] == column.parts[:-1]
            and self.decided.get(c.name, _NONE).role in ("", "judge")
        ]
        if stem:
            return next((c for c in verdicts if {*stem} <= {*c.leaf}), None)
        named = [c for c in verdicts if self._is_machine(c)]
        return named[0] if len(named) == 1 else None

    def _says_group(self, column: Evidence) -> bool:
        """Whether a name says a number about the output or a group of outputs, and no verdict."""
        groups = {"scores", "feedback", "eval", "annotation", "annotations", "evaluation"}
        if column.parents & groups or self._says_what_machines_say(column):
            return False
        if self._is_model(column) and not column.says(COVARIATE - {"time-taken"}):
            return False
        if column.ends(DONE) and column.says(HUMAN) and column.binary:
            return True
        if column.says(HUMAN) or column.says({"judge", "verdict", "grader", "rater"}):
            return False
        if column.leaf[:1] and column.leaf[0] in FLAG:
            return (
                not (column.speaks or column.says(MACHINE, JUDGE))
                and not set(column.leaf[1:]) & {*GOOD_LABELS, *BAD_LABELS, *WEAK, *CRITERIA}
                and not column.is_bad_news
            )
        aimed = column.leaf[:1] == ["target"] and column.ends({"grade", "mark", "level"})
        if aimed or column.low in FLAGGED or (len(column.leaf) == 1 and column.says(FLAGGED)):
            return True
        if column.is_bad_news and column.verdict_like and column.binary:
            return False
        if not column.many and good_label(column.labels) is not None and not column.binary:
            return False  # qa_team says resolved and unresolved
        if column.figures:
            return column.says(COVARIATE) and not column.ends(
                CRITERIA, {"score", "rating", "grade"}
            )
        return not column.sentences and column.ends(SLICE) and not column.unique

    def _says_what_machines_say(self, column: Evidence) -> bool:
        """Whether all of a column's words are labels of a machine's verdicts: category beside gpt-4o."""
        return (
            column.verdict_like
            and len(column.labels) > 1
            and not (column.binary or column.numeric)
            and any(
                set(column.labels) <= set(c.labels) and self._is_machine(c)
                for c in self.columns.values()
                if c is not column and c.verdict_like and not c.ends(SYSTEM)
            )
        )

    def _group(self, column: Evidence) -> tuple[str, str]:
        if column.figures and not (column.binary and column.leaf[0] in FLAG):
            return "covariate", "the name says a measure"
        return "slice", "the name says a group"

    # --- 6: a row per verdict

    def _long(self) -> None:
        if self.stated.judge is not None or self.stated.answer is not None:
            self._long_as_said()
            return
        if self.stated.judges is not None and set(self.stated.judges) <= set(self.columns):
            return
        said = [self.columns[n] for n in self.stated.human if n in self.columns]
        raters = [c for c in (*said, *self.free) if self._may_name_raters(c)]
        raters.sort(key=_names_users)
        if len([c for c in self.columns.values() if self._is_model(c) and c.verdict_like]) > 1:
            return
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

    def _of_codes(self, codes: Positions) -> Evidence:
        """Column without a name of rows that are alike where their codes are."""
        return Evidence("", self.n, tuple(map(str, range(int(codes.max()) + 1))), codes)

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
            people = [k for k, text in enumerate(column.texts) if _KINDS[0] & set(_split(text))]
            machines = [k for k, text in enumerate(column.texts) if _KINDS[1] & set(_split(text))]
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
        models = [k for k, text in enumerate(rater.texts) if stems(_split(text), MODELS)]
        most = max((int(rater.counts[k]) for k in models), default=0)
        others = [
            text
            for k, text in enumerate(rater.texts)
            if k not in models
            and rater.counts[k] < 0.6 * most
            and {w.rstrip("0123456789") for w in _split(text)}.isdisjoint(JUDGE | HUMAN)
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

    def _is_machine(self, column: Evidence) -> bool:
        """Whether a column is called like the verdict of a model."""
        named = self._is_model(column) or (
            self._is_judge_word(column) and column.leaf != ["winner"]
        )
        return (named or column.says(PREDICTED)) and not column.says(HUMAN)

    def _single_raters(self, rater: Evidence, answer: Evidence) -> None:
        """Name who answered where each output has one rater, and a judge's verdict stands beside."""
        self._set([rater.name], "slice", "who answered: one rater an output")
        if answer.name not in self.decided and self._are_people(rater):
            self._set([answer.name], "human", f"given by people, named in {rater.name!r}")

    def _are_people(self, rater: Evidence) -> bool | None:
        """Whether raters are people, by the name of their column or their own; None if that is open."""
        if rater.name in self.stated.human or not PEOPLE_ONLY.isdisjoint(rater.words):
            return True
        if stems(_split(" ".join(rater.texts[:50])), MODELS):
            return False
        words = [set(_split(text.lower())) for text in rater.texts[:50]]
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
        named = named or " ".join(column.leaf) in ("annotated by", "labeled by", "rated by")
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

    def _shares(self, column: Evidence) -> bool:
        return any(c is not column and c.verdict_like and share(c, column) for c in self.free)

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

    # --- 7: identity

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
        unique = [n for n in ranked if self.columns[n].unique and not _reads(self.columns[n])]
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
                and not _reads(column)
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
        for first in repeated:
            for second in (*repeated, *(c for c in self._named("text") if c.asks)):
                if second is not first and len(second.texts) > 4 and each_once([first, second]):
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
            or self.decided.get(c.name, _NONE).role in ("swap", "trial", "system")
        ]
        partners = [c for c in partners if c.filled == self.n and 1 < len(c.texts) <= 12]
        for column in self._may_be_ids():
            for parts in (*([c] for c in partners), partners):
                if parts and column not in parts and self._crosses([column], parts):
                    return column
        return None

    def _may_be_ids(self) -> list[Evidence]:
        """Columns under names that say nothing, whose values may be what several rows are about."""
        open_whys = ("words to show", "a group", _NO_GRADE, "")
        return [
            c
            for c in self.columns.values()
            if self.decided.get(c.name, _NONE).why.partition(":")[0] in open_whys
            and c.name not in self.open_names
            and c.filled == self.n
            and 5 <= len(c.texts) <= self.n / 1.5
            and not (c.numeric and (c.is_decimal or c.verdict_like))
            and not (c.verdict_like and self._shares(c))
            and not _reads(c)
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
        return _differs_within(item, part, most=36)

    def _by_prompt_and(self, ids: list[Evidence], *, ask: bool = False) -> None:
        if not ids:
            return
        systems = self._named("system") or [
            c
            for c in self.free
            if (c.ends(SYSTEM) or _says_system(c))
            and c.filled == self.n
            and 1 < len(c.texts) < self.n
            and not c.verdict_like_numbers
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
            if not column.unique or _reads(column) or column.says(COVARIATE):
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
            and not (c.is_decimal or c.speaks or c.binary or _reads(c))
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
                and not (column.says(HUMAN) or _is_called_rater(column))
                and not column.ends(SYSTEM, SLICE)
                and (not column.verdict_like or column.words[-1:] == ["id"])
            ):
                many = 40 * len(column.texts) >= self.n and not self._named("prompt")
                many &= not _says_who(column) and all(settles(column, text) for text in inputs)
                many &= _may_name_prompts(column) or not self.roles.item
                role = "prompt" if many and column.filled == self.n else "slice"
                why = "ids that repeat" if role == "prompt" else _hang_together(column)
                self._set([column.name], role, why)

    # --- a form's answers: a row for each person, a column for each question

    def _questions_side_by_side(self) -> None:
        """Add the question what columns are whose names are questions: of a form that people filled in."""
        if self.stated.judges is not None or self.roles.layout != "wide":
            return
        columns = [c for c in self._verdicts() if _is_question(c.name)]
        groups = [g for g in _sharing(columns) if len(g) > 2]
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

    # --- 8: systems side by side: v3_judge v4_judge v3_human v4_human

    def _side_by_side(self) -> None:
        if self.stated.judges is not None:
            return
        votes = self._verdicts()
        if self.stated.systems:
            self._sybeginsas_said(votes)
            return
        if self._named("system") or any(map(self._may_be_system, self.free)):
            return  # rows of systems: judge_ax, judge_bx are two judges
        halves = {c.name: pair for c in votes if (pair := _halves(c.name)) is not None}
        for entry, other in ((0, 1), (1, 0)):
            grid = {n: (p[entry], p[other]) for n, p in halves.items()}
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
            people = {e for e in who if not HUMAN.isdisjoint(_split(e))}
            outside = [c for c in votes if c.name not in grid]
            if who == people and any(map(self._is_model, outside)):
                continue  # judges who speak of no system: human_ann, human_bo are two people
            settled = all(
                not JUDGE.isdisjoint(_split(e)) or stems(_split(e), MODELS) or e in people
                for e in who
            )
            odd = any(
                not (JUDGE | HUMAN | PEOPLE | TRIAL).isdisjoint(
                    w.rstrip("0123456789") for w in _split(s)
                )
                or (entry == 1 and (len(s) == 1 or s.isdigit()))
                or s.lower() in _KINDS_OF_VERDICT
                for s in systems
            )
            if (
                settled
                and not odd
                and (people or not any(stems(_split(s), MODELS) for s in systems))
            ):
                self._grid_or_judges(grid, sorted(systems), by_people=bool(people))
                return

    def _sybeginsas_said(self, votes: Sequence[Evidence]) -> None:
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
        versions = _all_setups(systems)
        several = len({who for _, who in grid.values()}) > 1
        if by_people or texts:
            self.roles.grid = grid
            self._take_grid()
        elif any(map(_names_setups, outside)):
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
            human = not HUMAN.isdisjoint(_split(who))
            self._set([name], "human" if human else "judge", f"{who} on what {system} put out")
        for column in self._named("item"):
            self._set([column.name], "prompt", "the systems side by side answer it")
        for column in self._named("prompt"):
            if column.name not in self.roles.item:
                self._set([column.name], "text", "words to read")

    # --- 10, 12: people

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
        numbered = [c for c in self.free if self._is_numbered_person(c) and c.verdict_like]
        firsts = [
            c
            for c in self.free
            if c.verdict_like
            and len(c.leaf) <= 2
            and not FIRST_NAMES.isdisjoint(c.leaf)
            and not (self._is_model(c) or c.says(MACHINE))  # qwen-max
        ]
        firsts += [
            c
            for c in self.free
            if c.verdict_like and c not in firsts and any(_differ_in_a_word(c, f) for f in firsts)
        ]
        self._of_named_people()
        others = [c for c in judged if c not in numbered and c not in firsts]
        if others:
            self._set([c.name for c in numbered], "human", "numbered people beside named judges")
            if len(firsts) > 0:
                self._set([c.name for c in firsts], "human", "first names beside named judges")
        self._outcome_of_people()

    def _people_on_a_part(self) -> None:
        """Name labels on a part of the rows that only people can have given.

        So it is where machines say the same labels on all rows, and a column of who answered or of
        people's comments is filled on the same rows, or the name says a person.
        """
        for column in self.free:
            if not (column.verdict_like or column.is_score) or self._is_machine(column):
                continue
            titled = _is_titled(column)
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
            named = _is_called_rater(other) and not other.verdict_like_numbers
            named &= not stems(_split(" ".join(other.texts[:50])), MODELS)
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
            names = sorted(set().union(*(_forms(c) for c in (column, *people))))
            own = _codes_among(column, names)[column.codes]
            votes = np.stack([_codes_among(c, names)[c.codes] for c in people])
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
        if not _is_called_rater(column) or stems(_split(" ".join(column.texts[:50])), MODELS):
            return False
        if not 1 < len(column.texts) < self.n or len(column.texts) > max(12, self.n // 3):
            return False
        if column.numeric:
            return self._numbers_people(column)
        others = [c for c in self.columns.values() if c is not column and c.verdict_like]
        said = any(share(c, column) for c in others if not _names_setups(c))
        return column.verdict_like and not (column.speaks or column.binary or said)

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
        return all(k * np.sqrt(n) <= 4 for k, n in _agreements(column, grades))

    def _unlike_human(self, column: Evidence) -> None:
        settled = self._named("judge") or [c for c in self._verdicts() if c is not column]
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

    def _is_human_name(self, column: Evidence) -> bool:
        people = {word.removesuffix("s") for word in column.parents}
        if column.ends(DONE) and column.binary:
            return False
        thumbs = bool(column.labels) and set(column.labels) <= {"\U0001f44d", "\U0001f44e"}
        if thumbs and not self._is_model(column) and not column.says(JUDGE):
            return True
        if column.verdict_like and self._has_reviewer(column):
            return True
        lists = any(text.startswith("[") for text in column.texts[:20])
        beside = {f"{column.name}.users", f"{column.name}.user"} & {*self.columns}
        if column.verdict_like and beside and not lists:
            return True  # who gave each answer stands beside them
        if column.low in HUMAN_NAMES or column.says(HUMAN) or not people.isdisjoint(HUMAN):
            machine = self._is_model(column) or column.says(MACHINE)
            if machine and not column.says({"human", "gold", "expert"}):
                return False
            return (
                (column.verdict_like or column.is_score or not column.unique)
                and not column.sentences
                and not column.says({"time"})
                and not (column.says(REASON) and not column.ends(HUMAN) and not column.verdict_like)
            )
        if "annotation" in people and column.verdict_like and self._is_sparse(column):
            return not self._is_model(column)
        return (
            column.says({"user", "annotation", "customer"})
            and column.says(
                {"score", "rating", "label", "annotation", "feedback", "vote", "satisfied"}
            )
            and column.verdict_like
            and not self._is_model(column)
        )

    def _has_reviewer(self, column: Evidence) -> bool:
        """Whether a column of the same first words names who gave it: QA Verdict, QA Reviewer."""
        stem, above = column.leaf[:-1], column.parts[:-1]
        if not (stem or above) or self._is_model(column) or self._is_judge_word(column):
            return False
        if not column.ends(WEAK | WEAK_HUMAN):
            return False
        return any(
            c is not column
            and c.leaf[:-1] == stem
            and c.parts[:-1] == above
            and c.ends(REVIEWER)
            and not c.numeric
            and not c.speaks
            for c in self.columns.values()
        )

    def _is_numbered_person(self, column: Evidence) -> bool:
        words = column.leaf
        glued = (
            bool(words)
            and re.fullmatch(r"[a-z]+\d+", words[-1])
            and re.sub(r"\d+", "", words[-1]) in PEOPLE
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

    # --- 11: judges by name

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
            automatic = column.says({"auto", "automatic", "automated"}) and column.ends(WEAK)
            automatic |= column.ends(PREDICTED) and self._shares_with_any(column)
            machine = column.says(MACHINE) and not column.ends(SYSTEM, SLICE, COVARIATE)
            automatic |= machine and column.verdict_like and any(share(column, c) for c in people)
            if column.ends(SYSTEM) and self._says_what_people_say(column, people):
                self._set([column.name], "judge", "a machine's: it says what people say")
                continue
            verdicts = column.speaks or column.binary or column.numeric
            system = column.ends(SYSTEM) and not (verdicts or _says_machines_verdict(column))
            if not system and (self._is_model(column) or self._is_judge_word(column) or automatic):
                self._named_judge(column, people)
        self._checks()

    def _checks(self) -> None:
        """Take what programs check by rules for judges, where judges or people stand beside."""
        others = [c for c in self._named("judge", "human") if c.verdict_like]
        for column in self.free:
            if not _is_check(column) or self._of_certainty(column) is not None:
                continue
            if column.is_score and others and column.is_decimal:
                self._set([column.name], "score", "the name says a check by rules")
            elif (column.binary or column.speaks) and any(len(c.labels) <= 3 for c in others):
                self._set([column.name], "judge", "the name says a check by rules")

    def _id_beside_judges(self, column: Evidence) -> None:
        if column.unique:
            self._set([column.name], "ignored", "a second id: one value a row")
        elif not self._may_be_system(column):
            self._set([column.name], "slice", "ids that repeat")

    def _says_what_people_say(self, column: Evidence, people: Sequence[Evidence]) -> bool:
        """Whether a column that is called like a system holds the words of people's verdicts."""
        words = column.verdict_like and not column.numeric and not _names_setups(column)
        return words and not self._names_sides(column) and any(share(column, c) for c in people)

    def _shares_with_any(self, column: Evidence) -> bool:
        """Whether words of a verdict are among those of another column of verdicts."""
        return (
            column.verdict_like
            and not _names_setups(column)
            and any(
                c is not column and c.verdict_like and not c.ends(SYSTEM) and share(c, column)
                for c in self.columns.values()
            )
        )

    def _named_judge(self, column: Evidence, people: Sequence[Evidence]) -> None:
        """Decide on a column that is called like a judge."""
        in_battles = column.leaf == ["winner"] and self.roles.layout == "pairwise"
        if in_battles and column.verdict_like and "judge" in self.columns:
            self._who_gave(column)
        elif column.verdict_like and self._voted(column, people):
            self.named_judges = True
            self._set([column.name], "judge", self._why_judge(column))
        elif column.is_score and not column.says({"time"}):
            self._set([column.name], "score", self._why_judge(column))
        elif column.verdict_like:
            close = self._agreement_with(column, [*people, *self._verdicts()])
            if close > 0.3:
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
            if len(judges) > 2 and not said and _is_majority(column, judges):
                self._set([column.name], "ignored", "what most of the other judges say")

    # --- 9: criteria, and columns that may be systems

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
                and set(_split(question)).isdisjoint({*TRIAL, *SWAP, *HUMAN})
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

    def _criterion(self, column: Evidence) -> str:
        if column.says(HUMAN):
            return ""
        words = [w for w in column.leaf if w in CRITERIA]
        if not words and len(column.parts) > 1 and column.ends(_KINDS_OF_VERDICT):
            others = HUMAN | PEOPLE | FIRST_NAMES | JUDGE | _GROUPS_OF_VERDICTS
            stem = [w.removesuffix("s") for w in column.parts[-2] if not w.isdigit()]
            stem = [w for w in stem if w.rstrip("0123456789") not in others]
            words = [] if stems(stem, MODELS) else stem  # grades.style.passed
        return " ".join(words)

    def _ticked(self, votes: Sequence[Evidence]) -> dict[str, str]:
        """Columns of ticks under models' names, where what was asked stands there, and no answer."""
        said_of = JUDGE | _KINDS_OF_VERDICT | HUMAN
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
            if (m := ended.match(c.name)) and stems(_split(m.group(1)), MODELS)
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

    # --- a column of models: who judged, or whose output was judged

    def _answers_beside(self, column: Evidence) -> list[Evidence]:
        """Columns that may hold what a column of models said, or what was said of them."""
        votes = [c for c in (*self._verdicts(), *self._named("judge")) if not c.says(COVARIATE)]
        scores = [c for c in self.free if c.is_score and c.ends({"score", "rating", "grade"})]
        answers = [c for c in (*votes, *scores) if c is not column and not c.ends(SYSTEM)]
        graded = [c for c in answers if c.ends({"score", "rating", "grade"})]
        return graded if len(graded) == 1 else answers

    def _may_have_judged(self, column: Evidence) -> Evidence | None:
        """Id that a column of models crosses where the models may be the judges, too."""
        if column.name in self.decided or column.name in self.open_names or column.numeric:
            return None
        candidates = [c for c in (*self.free, *self._named("judge", "human")) if c is not column]
        settled = [
            c for c in candidates if self._is_model(c) or self._is_judge_word(c) or c.says(HUMAN)
        ]
        outputs = [c for c in self._named("text") if c.answers]
        models = stems(_split(" ".join(column.texts[:20])), MODELS) or column.low == "model"
        answers = self._answers_beside(column)
        if not models or outputs or settled or len(answers) != 1 or answers[0].ends(VOTES):
            return None
        ids = item_columns([c.name for c in self.columns.values() if not c.unique])
        return next(
            (c for n in ids if (c := self.columns[n]) is not column and each_once([c, column])),
            None,
        )

    def _may_be_system(self, column: Evidence) -> bool:
        """Whether a column is called like a system, and holds a few of them."""
        few = column.says({"version", "release"}) and 1 < len(column.texts) <= 6
        return (
            (column.ends(SYSTEM) or _says_system(column))
            and not (column.numeric and not few)
            and not column.constant
            and 0 < len(column.texts) <= max(2, self.n // 3)
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
            values_are_models = stems(_split(" ".join(column.texts[:20])), MODELS)
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
                        _both(answered("judge", column.name), answered("answer", answer.name)),
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

    # --- 13: what nobody named

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
            other = next((c for c in same if _recodes(c, column)), None)
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
        return all(k * np.sqrt(n) <= 3 for k, n in _agreements(column, others))

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
            named = column.ends(_KINDS_OF_VERDICT, WEAK, WEAK_HUMAN)
            if named and (column.speaks or (column.binary and not column.binary_flag)):
                self._ask_if_judge(column)
            else:
                self._set([column.name], *self._beside_votes(column))
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
        if not _may_measure(column) or column.ends(CRITERIA, GRADED, WEAK, WEAK_HUMAN):
            return False
        if self._is_judge_word(column) or self._is_model(column) or column.says(MACHINE):
            return False
        grades = [c.numbers for c in settled if c.numeric and not c.binary]
        if sum(int((~np.isnan(own)).sum()) for own in grades) < _SURELY_RECODED:
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
            self._set([column.name], *self._beside_votes(column))

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
        unproven = _may_measure(column) and not (
            column.ends(CRITERIA, GRADED) or column.says(MACHINE)
        )
        others = [
            c for c in (*self._named("judge"), *self._verdicts()) if c is not column and c.numeric
        ]
        least = (
            3 if others else 2
        )  # of z, by which chance shows agreement in 1 of 700 tables, or of 40
        unproven &= all(k <= 0.3 or k * np.sqrt(n) < least for k, n in _agreements(column, people))
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
        if any(_differ_in_a_word(column, c) for c in self._named("judge")):
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
        plain = all(_may_measure(c) and not c.ends(CRITERIA, GRADED, WEAK) for c in pair)
        kappa, n = agreement(*pair) if plain else (1.0, 1)
        return plain and kappa * np.sqrt(n) < 2

    def _is_id_or_group(self, column: Evidence) -> bool:
        """Whether words that are no verdicts are ids by their name, or a form's."""
        verdicts = column.speaks or column.binary or column.numeric or column.ends(WEAK)
        form = any(map(_is_question, self.open_names))
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

    def _agreement_with(self, column: Evidence, settled: Sequence[Evidence]) -> float:
        picked = [agreement(column, c) for c in settled]
        strong = [k for k, n in picked if k * np.sqrt(n) > 4]
        return float(np.median(strong)) if 2 * len(strong) > len(picked) and strong else 0.0

    def _same_question(self, column: Evidence, settled: Sequence[Evidence], close: float) -> bool:
        two = len(column.labels) == 2 and any(len(c.labels) == 2 for c in settled)
        return close > 0.5 and two

    def _may_be_grades(self, column: Evidence, close: float) -> bool:
        """Whether a few whole numbers under an unknown name may be somebody's grades of the outputs."""
        several = column.verdict_like_numbers and len(column.labels) > 2
        return several and (close > 0.3 or self._is_sparse(column))

    def _is_sparse(self, column: Evidence) -> bool:
        others = [c for c in self.columns.values() if c is not column and c.verdict_like]
        return column.answered < 0.6 * self.n and any(c.answered >= 0.9 * self.n for c in others)

    def _is_sparse_beside_scores(self, column: Evidence) -> bool:
        scores = self._named("score")
        return column.filled < 0.6 * self.n and any(c.filled >= 0.9 * self.n for c in scores)

    def _who_gave(self, column: Evidence) -> None:
        said = [self.columns[name] for name in self.open_names if name != column.name]
        if column.numeric and column.ends(GRADED) and column.answered >= _SURELY_RECODED:
            said += self._named("judge")  # a tool's score of 1 for PASS
        again = next((c for c in said if c.verdict_like and _recodes(c, column)), None)
        if again is not None:
            self._set([column.name], "ignored", f"the same as {again.name!r}, in other words")
            return
        others = self._named("judge") or (self._named("score") if column.is_score else [])
        judges = [*(c.name for c in others), column.name]
        measure = [answered("covariate", column.name)] if _may_measure(column) else []
        self._ask(
            f"Who gave column {column.name!r} ({column.answered} of {self.n} rows): a person, or one more "
            f"judge?{' Or is it a measure?' if measure else ''}",
            [column.name],
            [
                answered("human", column.name),
                answered("judges", *judges),
                *measure,
                answered("ignore", column.name),
            ],
        )

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

    def _ask_if_judge(self, column: Evidence) -> None:
        prompts = [c for c in self._named("prompt", "item") if not c.unique and c.filled == self.n]
        if not column.numeric and prompts and _differs_within(prompts[0], column):
            self._ask_system_or_judge(column)
            return
        judges = [*(c.name for c in self._named("judge")), column.name]
        person = [] if self._named("human") else [answered("human", column.name)]
        self._ask(
            f"Is column {column.name!r} a judge?"
            if not person
            else f"Is column {column.name!r} a judge, or what a person said?",
            [column.name],
            [
                answered("judges", *judges),
                *person,
                answered("covariate" if _may_measure(column) else "slice", column.name),
            ],
        )

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
            named = column.ends(CRITERIA, GRADED) or any(w.endswith("score") for w in column.leaf)
            named = named or self._is_judge_word(column) or (unit and column.is_bad_news)
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
            elif named or not settled or (unit and close > 0.3 and self._named("score")):
                why = "numbers of a judge, by its name" if named else "numbers of a judge"
                self._set([column.name], "score", why)
            elif close > 0.5 or (
                self._named("score") and (close > 0.3 or self._is_sparse_beside_scores(column))
            ):
                self._who_gave(column)
            elif column.low in ("da", "direct assessment") and self._named("score"):
                self._who_gave(column)  # numbers of people, beside metrics of translation
            else:
                why = f"{_NO_GRADE}: a measure, unless {option('human')} or {option('judges')} says so"
                self._set([column.name], "covariate", why)

    def _is_fine(self, column: Evidence) -> bool:
        """Whether numbers on nearly all rows have thousandths, as only a machine's do."""
        fine = sum(len(text.partition(".")[2]) > 2 for text in column.texts)
        return 10 * column.filled >= 9 * self.n and 2 * fine > len(column.texts) > 20

    def _may_be_persons(self, column: Evidence, close: float, *, machine: bool) -> bool:
        """Whether numbers under an unknown name may be a person's: sparse, or close to what people said."""
        people = bool(self._named("human"))
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
        if self.roles.layout not in ("wide", "long") or good_label(labels) is None:
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
        groups = _sharing(self._named("human"))
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
                own = _both(own, answered("judges", *fits))
            answers.append(_both(own, rest))
        for name in names:
            self.decided.pop(name, None)
        self._ask(
            f"Which holds the labels that judges are to match: {' or '.join(map(repr, names))}? They have no "
            "label in common.",
            names,
            answers,
        )

    # --- 14: runs of one judge

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
            elif model and stems(_split(model.group(1)), MODELS):
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

    # --- 15: a group nobody named that crosses the prompts exactly

    def _crossed(self) -> None:
        """Add the question what a group under an unknown name is that makes the rows of one id differ."""
        if self.roles.layout != "wide" or self.roles.repeats or self.stated.repeats:
            return
        partners = [c for c in self._named("system", "trial") if c.filled == self.n]
        ids = [c for c in self._named("prompt", "item") if not c.unique and c.filled == self.n]
        ids += [
            c
            for c in self._named("slice")
            if self.decided[c.name].why.startswith(_NO_PROMPT) and c.filled == self.n
        ]
        open_whys = ("a group", "a number beside the answers", _NO_GRADE, _NO_PROMPT)
        groups = [
            c
            for c in self._named("slice", "covariate")
            if (self.decided[c.name].why.partition(":")[0] in open_whys or c.ends(SYSTEM))
            and self.decided[c.name].why != "as you say"
            and not c.ends(SLICE, COVARIATE)
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
        if len(parts) == 1:
            first = parts[0]
            answers = [answered(what, first.name) for what in ("trial", "slice")]
            question = (
                f"Rows of one {column.name!r} differ in {first.name!r}: which repetition is it?"
            )
        else:
            first, last = sorted(parts, key=lambda c: not _names_setups(c))
            names = f"{first.name!r} and {last.name!r}"
            answers = [
                _both(answered("system", a.name), answered("trial", b.name))
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
            if _names_setups(column):
                self.decided.pop(column.name, None)
                self._ask_system_or_judge(column)
                return

    def _ask_system_or_judge(self, column: Evidence) -> None:
        """Add the question whether a column says whose output was judged, or who judged it."""
        answers = [answered(what, column.name) for what in ("system", "trial", "slice")]
        scores, judges = self._named("score"), self._named("judge")
        question = f"Does {column.name!r} say whose output was judged"
        named = any(
            self.decided[c.name].why.startswith("the name says") for c in (*scores, *judges)
        )
        few = len(judges) + len(scores) <= 2 and len(judges) <= 1
        if few and (judges or scores) and not named and not self._named("human"):
            question += ", or who judged it"
            said = answered("answer", (judges or scores)[0].name)
            answers.insert(1, _both(answered("judge", column.name), said))
        self._ask(f"{question}?", [column.name], answers)


def repeated_blocks(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Blocks of columns that are the same but for their first: {first: {name without number: column}}."""
    names = list(names)
    counted = {n: 0 for n in names if f"{n}.1" in names}
    for name in counted:
        while f"{name}.{counted[name] + 1}" in names:
            counted[name] += 1
    if not counted or len(set(counted.values())) > 1:
        return {}
    blocks = {}
    for k in range(next(iter(counted.values())) + 1):
        block = {base: f"{base}.{k}" if k else base for base in counted}
        at = [names.index(name) for name in block.values()]
        if at != list(range(at[0], at[0] + len(at))) or not at[0]:
            return {}
        blocks[names[at[0] - 1]] = {"output": names[at[0] - 1], **block}
    ours = {name for of in blocks.values() for name in of.values()}
    return blocks if len(ours) == len(blocks) * (len(counted) + 1) else {}


def _is_majority(column: Evidence, judges: Sequence[Evidence]) -> bool:
    """Whether a column repeats the one label of most judges, where they differ on 10 rows or more."""
    names = sorted(set().union(*(_forms(c) for c in (column, *judges))))
    if len(names) > 12:
        return False
    for rows in (slice(_SOME), slice(None)):  # the first rows show that most columns are none
        votes = np.stack([_codes_among(c, names)[c.codes[rows]] for c in judges])
        own = _codes_among(column, names)[column.codes[rows]]
        counts = np.stack([(votes == k).sum(0) for k in range(len(names))])
        most = counts.max(0)
        alone = (counts == most).sum(0) == 1
        clear = alone & (own >= 0)
        if not (own == counts.argmax(0))[clear].all():
            return False
    split = clear & (most < (votes >= 0).sum(0))
    computed = clear.sum() >= 0.9 * alone.sum()  # of all rows, as no person is
    return bool(computed and split.sum() >= 10)


def _says_winner(column: Evidence, names: set[str]) -> bool:
    """Whether a column says one of two or more names on most rows, and ties on the others."""
    labels = set(column.labels)
    return len(labels & names) > 1 and labels <= names | _TIES


def _same_scale(column: Evidence, score: Evidence) -> bool:
    """Whether numbers lie where a score's lie, spread as wide, and are written with as many decimals."""
    low, high = float(np.nanmin(score.numbers)), float(np.nanmax(score.numbers))
    own_low, own_high = float(np.nanmin(column.numbers)), float(np.nanmax(column.numbers))
    span = high - low
    near = low - span / 4 <= own_low and own_high <= high + span / 4
    return bool(span > 0 and near and own_high - own_low >= span / 3) and (
        column.is_decimal == score.is_decimal
    )


def _differ_in_a_word(first: Evidence, second: Evidence) -> bool:
    """Whether two names differ in one of two words, as likert (Anna) and likert (Zoe), and share labels."""
    a, b = first.leaf, second.leaf
    return (
        len(a) == len(b) == 2 and sum(x == y for x, y in zip(a, b, strict=True)) == 1
    ) and share(first, second)


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


def _differs_within(item: Evidence, column: Evidence, most: int = 12) -> bool:
    """Whether the rows of each item differ in a column, as by chance they do in less than 1 of 100 tables."""
    if not 1 < len(column.texts) <= most or not each_once([item, column]):
        return False
    if len(item.texts) * len(column.texts) == len(item.codes):
        return True
    pairs = int((item.counts * (item.counts - 1) // 2).sum())
    alike = float(((column.counts / column.counts.sum()) ** 2).sum())
    return bool((1 - alike) ** pairs < 0.01)


_ORDERS = (
    ("ab", "ba"),
    ("12", "21"),
    ("forward", "reverse"),
    ("forward", "reversed"),
    ("fwd", "rev"),
    ("original", "swapped"),
    ("normal", "swapped"),
    ("unswapped", "swapped"),
)
"""Ends of the names of columns that hold verdicts on pairs shown in one order and in the other."""

_SURELY_RECODED = 20  # rows on which a number that says PASS in another way surely does no more


def _recodes(first: Evidence, second: Evidence) -> bool:
    """Whether two columns say the same in other words: pass and fail, 1 and 0, on all of 10 rows or more."""
    width = len(second.texts)
    if not len(first.texts) == width > 1 or share(first, second):
        return False
    pairs = first.codes * (width + 1) + second.codes
    if len(np.unique(pairs[:_SOME])) > width + 1:
        return False
    filled = first.codes >= 0
    if filled.sum() < 10 or not np.array_equal(filled, second.codes >= 0):
        return False
    return len(np.unique(pairs[filled])) == width


def _says_machines_verdict(column: Evidence) -> bool:
    """Whether a name says a machine and a verdict, in whatever order: model_decision, decision_modele."""
    verdicts = WEAK - {"answer", "result", "outcome", "status", "ergebnis"}
    return column.verdict_like and column.says(MACHINE) and column.says(verdicts | {"label"})


_REMARKS = _words(
    "comment comments note notes remark remarks kommentar kommentare anmerkung bemerkung comentario "
    "comentarios observacion observaciones commentaire remarque commento opmerking"
)
"""What people's words beside their verdict are called; machines give reasons."""

_WHO_JUDGED = _words(
    "judge worker workerid rater annotator grader evaluator labeler labeller coder reviewer voter user "
    "scorer turker marker reader assessor"
)
"""What a column of who judged is called in a table of a row for each verdict."""

_OF_IDS = _words("id ids uuid guid uid no nr num number key hash sha ref")
"""What stands behind the word that says what is numbered: pr_number."""


_OF_ITEMS = _words(
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
    return f"{_NO_PROMPT}: {option('cluster', column.name)} if its outputs are alike"


def _is_apart_from(column: Evidence, others: Sequence[Evidence]) -> bool:
    """Whether a column says what no other of its group says, and agrees with none of them."""
    rest = [c for c in others if c is not column]
    own = _forms(column) - set().union(*map(_forms, rest))
    return bool(own) and all(k * np.sqrt(n) < 2 for k, n in _agreements(column, rest))


def _names_users(column: Evidence) -> bool:
    """Whether a column is called like the ids of users, who rarely judge."""
    words = {w for w in column.leaf if w not in _OF_IDS | {"name"}}
    return bool(words) and words <= {"user", "users", "userid"}


def _is_titled(column: Evidence) -> bool:
    """Whether a name is a person's with a title: Fr. Wagner."""
    return _TITLED.fullmatch(column.name.strip()) is not None


def _is_good_or_bad(column: Evidence) -> bool:
    """Whether a column says one word for good and one for bad, and not yes and no, as a flag may."""
    words = column.labels
    two = len(words) == 2 and not (column.binary or column.numeric)
    return two and good_label(words) is not None


def _is_check(column: Evidence) -> bool:
    """Whether a name says what a program checks by rules: regex_ok, valid_json, state_check."""
    named = column.says(CHECKS) or _CHECKED.fullmatch(" ".join(column.leaf)) is not None
    return named and not column.says(HUMAN, OF_PEOPLE)


def _is_called_rater(column: Evidence) -> bool:
    """Whether a column is called like who labelled a row, and nothing else: annotator id, reviewed by."""
    words = [w for w in column.leaf if w not in _OF_IDS]
    people = (REVIEWER | PEOPLE_ONLY | RATERS) - {"user", "users", "human", "by"}
    by = len(words) == 2 and words[1] == "by" and not DONE.isdisjoint(words)
    return by or (len(words) == 1 and words[0] in people)


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


def _is_question(name: str) -> bool:
    """Whether a column's name is a question that a form asked: 'Is the second answer correct?'."""
    return bool(re.search(r"[?？؟]", name)) and (len(name.split()) > 3 or len(name) > 24)


def _counts_up(column: Evidence) -> bool:
    """Whether the texts are 1 2 3 or 0 1 2, without a gap."""
    numbers = sorted(as_number(text) or 0 for text in column.texts) if column.numeric else []
    return bool(numbers) and numbers[0] in (0, 1) and all(b - a == 1 for a, b in pairwise(numbers))


def _agreements(column: Evidence, others: Sequence[Evidence]) -> list[tuple[float, int]]:
    return [agreement(column, c) for c in others]


def _may_measure(column: Evidence) -> bool:
    """Whether a column of numbers may be a measure of the output: it is not 0 and 1 alone."""
    return column.numeric and not column.binary


def _sharing(columns: Sequence[Evidence]) -> list[list[Evidence]]:
    """Columns in groups: any two that have a label in common stand in one."""
    groups: list[list[Evidence]] = []
    for column in columns:
        mine = [g for g in groups if any(share(column, c) for c in g)]
        groups = [g for g in groups if g not in mine]
        groups.append([*(c for g in mine for c in g), column])
    return groups


def _good_together(first: Evidence, second: Evidence) -> bool:
    """Whether two columns of a good and a bad label each mostly say good on the same rows."""
    goods = []
    for column in (first, second):
        good = good_label(column.labels)
        own = np.array([float(folded(t) == good) for t in column.texts] + [np.nan])
        goods.append(np.where(column.codes < 0, np.nan, own[column.codes]))
    both = ~(np.isnan(goods[0]) | np.isnan(goods[1]))
    return bool(both.any()) and bool((goods[0][both] == goods[1][both]).mean() > 0.5)


def _equal(first: Evidence, second: Evidence) -> bool:
    a = np.array([*first.texts, ""], object)[first.codes]
    b = np.array([*second.texts, ""], object)[second.codes]
    return bool((a == b).all())


def _of_a_side(column: Evidence) -> bool:
    """Whether a column is called like what a side of a pair put out: response_a, right_answer."""
    sides = {side for pair in _SIDES for side in pair}
    rest = [word for word in column.leaf if word not in sides]
    return 0 < len(rest) < len(column.leaf) and rest[-1] in SAID


_CHOSEN = _words("winner win won vote choice chosen pref preference preferred pick better best")
_TURNED_WORDS = _words("swapped reversed flipped swap reverse flip rev turned mirrored")
"""Words that tell the name of verdicts in the other order from that of the first."""


def _with_sides_exchanged(column: Evidence) -> Evidence:
    """Verdicts with the first and the second answer exchanged."""
    return replace(column, name="", texts=tuple(other_side(t) or t for t in column.texts))


def _reads(column: Evidence) -> bool:
    return column.sentences


_ARMS = _words(
    "baseline base control treatment candidate challenger champion prod production staging canary tuned "
    "finetuned before after old new alt neu basis kontrolle antes despues avant apres"
)
"""What the arms of a test are called."""


def _says_system(column: Evidence) -> bool:
    """Whether a name says a system anywhere, and all values are such: agent_llm holds models."""
    return column.says(SYSTEM) and _names_setups(column)


def _names_setups(column: Evidence) -> bool:
    """Whether all values are models, versions or arms of a test."""
    return _all_setups(column.texts)


def _all_setups(texts: Sequence[str]) -> bool:
    return 1 < len(texts) <= 12 and all(
        stems(_split(text), MODELS)
        or re.search(r"(?:^|[-_ .a-z])v\d+(?:[._-]\d+)*$", text.lower()) is not None
        or (bool(words := _split(text)) and words[0] in _ARMS)
        or re.fullmatch(rf"(?:{'|'.join(sorted(SYSTEM))}|m)[-_ ]?(?:\d+|[a-e])", text.lower())
        for text in texts
    )


def _both(first: str, second: str) -> str:
    """Two answers as one."""
    return f"{first} {second}" if first.startswith("--") else f"{first}, {second}"


def _split(text: str) -> list[str]:
    return [w for w in re.split(r"[^a-z0-9]+", text.lower()) if w]


def _ticks(column: Evidence) -> bool:
    """Whether labels are marks such as ticks, as a person sets them."""
    return any(label and not any(map(str.isalnum, label)) for label in column.labels)


def _halves(name: str) -> tuple[str, str] | None:
    """The two halves of a name joined by one mark: v3_judge."""
    parts = re.split(r"[_. -]+", name)
    if len(parts) < 2:
        return None
    return "_".join(parts[:-1]), parts[-1]

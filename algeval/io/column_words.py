"""The words by which columns are called, and the labels they hold, in many languages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from algeval.data.names import folded
from algeval.io.layout import words_of

# --- The words of names. A column may be called so in any case, joined by _ - . / or in camelCase.


def plain_letters(text: str) -> str:
    """A word without its accents: prufer for prüfer."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


_UNSPACED = {
    "班组长": "lead",
    "规则": "rule",
    "主管": "supervisor",
    "组长": "lead",
    "方案": "variant",
    "版本": "version",
    "承認": "approval",
    "批准": "approval",
    "自動": "automatic",
    "自动": "automatic",
    "機械": "machine",
    "机器": "machine",
    "規則": "rule",
    "ルール": "rule",
    "バージョン": "version",
    "エンジニア": "engineer",
    "リーダー": "lead",
    "店長": "manager",
    "部長": "manager",
    "감독": "supervisor",
    "관리자": "manager",
    "상담사": "operator",
    "승인": "approval",
    "규칙": "rule",
    "버전": "version",
    "자동": "automatic",
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
    "ディレクター": "manager",
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
    "大模型": "llm",
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
"""Words of languages that write none apart."""
_LONGEST_FIRST = sorted(_UNSPACED, key=len, reverse=True)


_OTHER_LANGUAGES = {
    "engine": "motor moteur motore silnik moottori motoru",
    "version": "versione versie wersja versao verze versiyon versio версия fassung",
    "variant": "wariant varianta variantti",
    "system": "sistem systemet jarjestelma система",
    "verdict": "verdikt votum fazit befund rozhodnuti paatos afgorelse avgorelse resultat resultado "
    "risultato resultaat wynik tulos sonuc dictamen veredicto",
    "approval": "freigabe zulassung aprobacion aprovacao approbation approvazione goedkeuring "
    "zatwierdzenie godkannande hyvaksynta onay utlatande",
    "rating": "benotung wertung einschatzung einstufung voto arvosana betyg karakter puanlama "
    "valutazione calificacion valoracion",
    "score": "punktzahl puntos pontuacao pontos punten punkty poang pisteet puan балл баллы punteggio "
    "puntuacion nota",
    "comment": "anmerkung anmerkungen hinweis hinweise comentarios observacion commentaires osservazioni "
    "osservazione opmerking opmerkingen uwagi uwaga komentarz kommentti yorum poznamka",
    "reason": "razon uzasadnienie powod reden perustelu gerekce motivering",
    "question": "pytanie fraga sporgsmal kysymys soru richiesta otazka demande",
    "answer": "odpowiedz svar vastaus cevap yanit odpoved",
    "summary": "zusammenfassung resumen resume riassunto resumo samenvatting streszczenie tiivistelma ozet",
    "translation": "ubersetzung uebersetzung traduccion traduction traduzione traducao vertaling tlumaczenie "
    "oversattning oversaettelse kaannos ceviri перевод",
    "text": "texte texto testo tekst metin teksti",
    "date": "dato tarih paivamaara дата",
    "time": "uhrzeit zeitpunkt heure ora tijd tid saat время",
    "duration": "dauer duree duracion durata duracao duur",
    "latency": "latenz latencia latence latenza latentie antwortzeit antwortdauer viive",
    "cost": "coste koszt kostnad maliyet стоимость",
    "length": "lange laenge comprimento lengte dlugosc pituus uzunluk длина",
    "characters": "zeichen zeichenzahl caracteres caracteres caratteri tekens znaki merkit",
    "words": "worter woerter palabras mots parole palavras woorden slowa",
    "count": "anzahl cantidad quantita quantidade aantal liczba antal adet количество",
    "pages": "seiten paginas pagine strony sidor",
    "category": "kategoria kategoriler rubrik rubro ressort abteilung bereich rubrica rubrique "
    "категория",
    "topic": "thema tema sujet argomento assunto onderwerp temat aihe konu amne",
    "language": "langue lingua lengua jezyk taal sprak kieli dil язык",
    "region": "bundesland provincia pais pays paese kraj kanton comune commune municipio",
    "channel": "kanal canal canale kanaal kanava канал",
    "priority": "prioritat prioridad priorite priorita prioriteit priorytet oncelik приоритет",
    "id": "folio expediente pratica codigo codice vorgang aktenzeichen sprawa kennzeichen artikelnr",
    "check": "kontrolle verificacion comprobacion controllo verifica verificacao weryfikacja sprawdzenie "
    "granskning tarkistus kontrol проверка prufung pruefung uberprufung controle prufregel",
    "rule": "regel regla regle regola regra reguła saanto kural",
    "usable": "brauchbar verwendbar utilizable utilisable utilizzabile aproveitavel utilizavel bruikbaar "
    "uzyteczny anvandbar kayttokelpoinen kullanilabilir",
    "correct": "korrekt korrekte poprawnie poprawny dogru riktig oikein верно",
    "automatic": "autom automatique automatico automatica automatisk automatyczny automatyczna "
    "automatisches automatische maschinell otomatik автоматический автоматическая",
    "lawyer": "juriste jurista giurista jurist juristin adwokat prawnik hukukcu avukat",
    "doctor": "lekarz laakari laege lege doktora medecin medico medica",
    "editor": "redactie redaktorin redaksjon toimittaja",
    "teacher": "maestro maestra lehrkraft opettaja laerer ogretmen nauczyciel nauczycielka larare",
    "expert": "fachbereich fachabteilung fachmann fachfrau perito perita asiantuntija odbornik",
    "manager": "fachleitung teamleitung gestor gestora gerente dirigente direttore directeur directrice "
    "direktor",
    "adjuster": "sachbearbeitung",
    "operator": "atendente operatore operateur operatrice operador operadora bediener",
    "supervisor": "jefe jefa responsable responsabile chef vorgesetzter vorgesetzte kierownik teamleiter "
    "teamleiterin coordinador coordinadora capo",
    "model": "modelu modelem",
    "customer": "klient asiakas musteri клиент",
}
"""English words, and how they are called in other languages, in plain letters."""
ENGLISH = {own: word for word, others in _OTHER_LANGUAGES.items() for own in others.split()}
_LAST_PARTS = (
    "prufung",
    "pruefung",
    "check",
    "bewertung",
    "urteil",
    "freigabe",
    "entscheidung",
    "kosten",
    "dauer",
    "kommentar",
    "begrundung",
    "antwort",
    "frage",
    "sprache",
    "kategorie",
    "modell",
    "nummer",
    "zeichen",
    "datum",
    "kontrolle",
    "wertung",
    "vraag",
    "antwoord",
    "controle",
    "oordeel",
)
"""Last parts of words that German, Dutch and English write as one: faktencheck, regelprufung."""


def word_in_english(word: str) -> list[str]:
    """A word of a name in English, where it is known; a compound is parted before its last part."""
    if word in ENGLISH or word in FINAL:
        return [ENGLISH.get(word, word)]
    last = next((x for x in _LAST_PARTS if word.endswith(x) and len(word) > len(x) + 2), None)
    if last is not None:
        return [word.removesuffix(last), ENGLISH.get(last, last)]
    begins = [word[:-k] for k in (1, 2) if len(word) - k >= 6 and word[:-k] in ENGLISH]
    return [ENGLISH[begins[0]] if begins else word]  # kierownika


def in_english(name: str) -> str:
    """Name with known words of Chinese and Japanese in English, apart; model_name_or_path is model."""
    name = re.sub(r"(?i)_name_or_path$", "", name)
    if not name.isascii():
        name = unicodedata.normalize("NFC", name)
        for own in _LONGEST_FIRST:
            name = name.replace(own, f" {_UNSPACED[own]} ")
        name = re.sub(r"(?<=[A-Za-z0-9])(?=[\u3040-\u9fff\uac00-\ud7af])", " ", name)  # AI審査
    return name


def words_in(text: str) -> frozenset[str]:
    """Words of a text, in plain letters."""
    return frozenset(plain_letters(text).split())


HUMAN = words_in(
    "marker operator "
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
FINAL = words_in(
    "gold golden truth groundtruth adjudicated adjudication adjudicator adjud expert sme gt consensus "
    "arbiter arbitrated konsens consenso endurteil endnote gesamturteil agreed reconciled "
    "final fin finale finales endgultig definitive definitivo definitiva adj resolved specialist"
)
"""Called so beside what several people said, a column holds what came of it."""


def is_adjudicated(name: str) -> bool:
    """Whether a name of people's labels says that they settle what others of them said."""
    words = words_of(plain_letters(in_english(name)))
    return not FINAL.isdisjoint(words)


PEOPLE = words_in(
    "annotator rater worker expert reviewer coder labeler labeller mod moderator reader grader marker "
    "turker agent ann annot rad qa evaluator juror reviewer assessor crowdworker examiner corrector rev"
)
"""Called so with a number behind: people beside named judges."""
OF_PEOPLE = PEOPLE - words_in("qa ann evaluator grader agent") | words_in(
    "tl customer teamlead md phd rn guest caller viewer partner associate assoc attending resident "
    "senior rep staff director principal"
)
"""Called so, labels on a part of the rows that a machine gives on all are people's."""
FIRST_NAMES = words_in(
    "agnieszka ahmed aisha aleksandra alessandro alex ali alice ama amina amy ana andreas andrei andrew "
    "anita anjali anke anna arjun astrid ayse ben beth bill birgit bjorn bob brian camille carlos "
    "carmen carol chen chiara chidi chris christian claire daniel dave david deepa deniz dewi diego "
    "dmitri dylan elena ella emily emma emre erik eve fatima felix finn florian francesca gary giulia "
    "grace greg hana hannah hans haruto hassan heike helen hiro hugo hui ines ingrid irina isabel ivan "
    "jack james jan jane jean jennifer jens jessica jin jiwoo joao joe john jonas jorge jose juan julia "
    "jun karen kate katie katrin ken kenji kevin klaus krzysztof kwame kyle lars laura lauren layla lea "
    "lena leon lerato li liam linda linh lisa liz lorenzo luca lucas lucia lucy luis lukas magda marco "
    "maria marie mark markus marta martin mary matt matteo max meera meg megan mehmet mei mia michael "
    "miguel ming minho monika moritz mykola nadia naoko natalia neha ngozi nick nina noah noor olena "
    "olga olivia omar pablo paolo pat paul pawel pedro peter petra pierre piotr priya priyanka rachel "
    "rahul raj ravi robert rohan rosa ruth ryan sabine sam sandra sanjay sara sarah sato scott sergei "
    "siti sofia sofie sophie soyeon stefan steve sue susan takashi thabo thomas tiago tim tobias tom "
    "tomasz tyler ursula uwe vikram wei xin yan youssef yui yuki yusuf zeynep zoe"
)
WEAK_HUMAN = words_in("correct label labels annotation reviewed approved accepted iscorrect")
WEAK = words_in(
    "pick choice "
    "stars "
    "approval usable publishable shippable signoff vote call "
    "verdict outcome final result decision rating score grade judgment judgement answer qa check review "
    "status assessment evaluation marking determination ruling conclusion entscheidung urteil bewertung "
    "beurteilung ergebnis jugement avis dictamen fallo veredicto calificacion valoracion giudizio esito "
    "decisione valutazione parecer decisao julgamento avaliacao oordeel beoordeling "
    "решение оценка вердикт заключение القرار الحكم التقييم التصنيف تصنيف decyzja ocena werdykt karar "
    "degerlendirme beslut bedomning"
)
MODELS = words_in(
    "gpt chatgpt o1 o3 o4 claude sonnet haiku opus gemini gemma palm llama mistral mixtral qwen qwq "
    "deepseek phi grok cohere command nova falcon olmo tulu granite nemotron kimi glm internlm "
    "skywork armorm prometheus shieldgemma llamaguard perspective wildguard yi vicuna judgelm pairrm "
    "bard alpaca wizardlm zephyr openchat davinci omni jamba codestral ministral pixtral flan t5 "
    "roberta deberta detoxify openai anthropic ernie doubao hunyuan glm"
)
METRICS = words_in(
    "kiwi cometkiwi strongreject "
    "bleu comet rouge bertscore chrf meteor levenshtein f1 rougel ter bleurt xcomet metricx similarity "
    "wer cer cosine distance perplexity entailment bm tfidf gemba cider spice ndcg mrr bartscore metric geval"
)
JUDGE = words_in(
    "judge grader evaluator llm autorater classifier clf verifier scorer critic reward guard "
    "winner vote eval detector checker autograder autoeval ai ki ia juez jueza juge richter juiz giudice"
)
ID = words_in(
    "jira link url "
    "id ids uuid guid uid url filename file path hash idx index row ticket case doc document sample "
    "record protocolo protocol key nr no accession hit qid pid docid kennung nummer numero dossier "
    "aktenzeichen"
)
PROMPT = words_in(
    "prompt question query problem task session conversation thread user scenario cluster patient "
    "dialog dialogue pair topicid request source essay segment study qid"
)
PROMPTED = words_in(
    "prompt question query input instruction instructions context contexts message vignette problem "
    "frage pregunta consulta anfrage eingabe pergunta domanda vraag вопрос запрос"
)
SAID = words_in(
    "response answer output completion reply generation generated summary transcript translation "
    "predicted prediction hypothesis antwort respuesta resposta risposta antwoord reponse ответ ausgabe text "
    "solution patch diff candidate"
)
SHOWN = (
    PROMPTED
    | SAID
    | words_in("comment reference expected text snippet content body title source passage")
)
REASON = words_in(
    "because "
    "reason reasoning explanation rationale justification feedback comments comment critique cot "
    "thoughts why analysis notes note begruendung begründung grund motivo kommentar comentario "
    "justificación remarks motif raison commentaire remarque observaciones toelichting motivazione "
    "commento justificativa motivacion uitleg bemerkung begrundung justificacion explicacion spiegazione "
    "expl rsn explicacao причина обоснование комментарий سبب السبب التعليق تعليق ملاحظات"
)
COVARIATE = words_in(
    "found "
    "calls ctr cvr bounce dwell revenue "
    "pages page "
    "tokens token latency ms sec secs seconds duration elapsed runtime time-taken cost usd eur price "
    "length len chars characters words wordcount n num count counts temperature temp top_p topp "
    "difficulty tests total totals turn turns steps step retries attempts depth size age speed memory "
    "bytes rank "
    "clicks impressions views likes shares upvotes alter edad age eta idade leeftijd kosten cout costo "
    "custo duree duracion durata duracao longueur longitud lunghezza "
    "mm cm km kg mg ml thickness weight height width volume bpm "
    "perplexity strikes years days hours minutes retrieved lines added removed loc dauer laenge kosten"
)
SYSTEM = words_in(
    "ver v "
    "ranker retriever build stack rewriter "
    "system sys app model variant arm agent config experiment checkpoint policy bot engine release "
    "version ab candidate deployment pipeline provider generator systemname taker sistema "
    "systeme modelo modele "
    "modell modello variante agente assistent assistente asistente"
)
TRIAL = words_in(
    "try "
    "trial epoch run repeat replicate rep seed iteration attempt replica resample pass-no repetition "
    "wiederholung"
)
SWAP = words_in("swapped switched order position flipped reversed shown swap orientation")
SLICE = words_in(
    "topic domain category language locale lang tier priority region source subject segment channel "
    "product team type split env environment dataset intent platform plan status aspect specialty area "
    "country market queue department level group cohort device severity kategorie sprache categoria "
    "idioma finish modality genre field subset section course class tag tags bucket"
)
FLAG = words_in("is has was contains uses had needs did")
DONE = words_in(
    "sent delivered posted "
    "annotated labeled labelled reviewed verified checked rated audited escalated assigned evaluated "
    "scored graded required needed requested available skipped validated processed scanned exported"
)
"""Ends of names that say what was done, not what was found: human_reviewed."""
FLAGGED = words_in(
    "cached truncated streamed retried escalated anony anonymous bookmarked starred archived pinned "
    "favorited"
)
CRITERIA = words_in(
    "coverage "
    "accuracy tone completeness helpfulness helpful faithfulness faithful relevance relevancy precision "
    "recall coherence fluency grounded groundedness correctness safety clarity style conciseness concise "
    "harmless harmlessness honesty factuality toxicity quality overall adequacy engagement depth "
    "originality grammar empathy politeness professionalism readability usefulness consistency "
    "creativity organization structure factual informativeness naturalness format formatting "
    "instruction-following adherence resolution greeting compliance greeting"
)
"""Questions that a rubric asks."""
CHECKS = words_in(
    "rule rules lint heuristic checker "
    "prufung pruefung regelprufung "
    "regex regexp compiles compiled compile parses parsed parseable lint linter lints schema syntax "
    "unittest unittests tests fuzzy keyword exact builds"
)
"""What programs find out by rules, without judgement: regex_ok, compiles, tests_passed."""
GRADED = words_in(
    "score scores rating grade probability prob confidence conf certainty reward konfidenz puntaje "
    "preference probabilidade probabilidad probabilita confianza confianca fiducia wahrscheinlichkeit "
    "puntuación punkte logit logprob"
)
"""Called so, numbers are a judge's."""
BAD = words_in(
    "hallucin toxic unsafe violat error harm bias leak refus jailbreak spam flag fail inject "
    "offens hate abus pii risk sever urgen defect incorrect wrong fraud threat insult obscen nsfw "
    "misinf malic"
)
"""Parts of words by which a yes is bad news."""
TIME = words_in("timestamp date datetime created updated tstamp at datum fecha zeit hora when")
REVIEWER = words_in(
    "reviewer annotator rater labeler labeller by editor auditor reviewedby assessor"
)
"""Called so, a column names who gave the verdict beside it."""
MACHINE = words_in(
    "ai llm ki ia model modele modell modelo modello bot auto automatic automated automatisch machine "
    "algorithm algorithme algoritmo algorithmus classifier llmjudge maschine maquina "
    "модель модели модел النموذج نموذج الآلي yapay maskin"
)
"""Called so, a verdict is a machine's, whoever else is named."""
WHO = words_in(
    "user userid customer client account tenant org organization company team member author owner "
    "employee operator person device host session sessionid conversation thread threadid dialog dialogue "
    "chat call visit visitor email ip pr pull mr commit branch repo ticket issue run runid job batch "
    "build channel room group path file filename filepath url repository cliente "
    "usuario utente kunde kunden kundin kundennummer nutzer benutzer "
    "utilisateur gebruiker klant sesion sessione sitzung gesprek gesprach conversacion conversazione"
)
"""Called so, an id says who asked, where or when: rows that share it may hang together, of one prompt they
are not."""
RATERS = words_in(
    "evaluator coder grader scorer marker prufer pruefer bewerter annotateur anotador evaluador revisor "
    "relecteur evaluateur annotatore valutatore revisore avaliador anotadora evaluadora beoordelaar"
)
"""Called so and nothing else, a column of names or numbers says who answered."""
PREDICTED = words_in("prediction predicted pred model auto automatic machine automated")
"""Called so, a verdict beside those of raters is a model's."""
PEOPLE_ONLY = words_in(
    "annotator annotators worker workers turker labeler labeller crowdworker user users reviewer "
    "expert human workerid voter coder participant respondent"
)
"""Called so, a column names people."""
CONFIDENT = words_in(
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
GOOD_LABELS = words_in(
    "match matched green grun gruen vert verde usable publishable keep ship \u25ce conforme conform "
    "pass passed correct true yes y 1 good safe acceptable accept accepted approved approve ok "
    "okay success successful c supported grounded relevant helpful compliant right valid resolved "
    "faithful appropriate satisfactory allow allowed clean benign ja si sí oui sim richtig korrekt "
    "да верно правильно 合格 正しい 正确 正確 はい 是 "
    "bestanden correcto vrai gut met positive-pass factual consistent complete aprobado aprobada "
    "goed juist voldoende tak poprawne prawda dogru evet riktig godkand 通过 合规 准确 적합 정답 예 "
    "aprovado aceptado aceptable reussi réussi valide accepte accepté superato promosso angenommen "
    "\U0001f44d \u2705 \u2713 \u2714 \u25cb \u3007 \u25ef \u2b55 thumbs_up thumbsup"
)
BAD_LABELS = words_in(
    "flag flagged "
    "mismatch mismatched red rot rouge rojo rosso vermelho yellow gelb jaune amarillo giallo amarelo orange "
    "unusable rewrite redo rework fix discard drop "
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
NEUTRAL_BAD = (
    "needs revision",
    "partially correct",
    "partially",
    "not relevant",
    "not helpful",
    "not met",
)
HIGH_IS_GOOD = words_in("quality accuracy helpfulness relevance confidence")
# labels that say a verdict whatever the column is called; yes, true, 1 and high may be flags too
VERDICT_WORDS = words_in(
    "\U0001f44d \U0001f44e \u2705 \u274c \u2713 \u2717 \u2714 \u2718 \u25cb \u3007 \u25ef \xd7 \u2715 "
    "pass passed fail failed correct incorrect correct. safe unsafe acceptable unacceptable "
    "accept reject accepted rejected approve approved supported unsupported hallucinated factual"
)
MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"


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

"""What a column of a results table shows by its name and cells, and what two have in common."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from algeval.data.names import folded
from algeval.data.scores import mid_ranks
from algeval.errors import DataError
from algeval.io.answers import MISSING as BLANK
from algeval.io.answers import (
    NUMBERED,
    Positions,
    as_number,
    commas_in,
    has_failed,
    plain,
    tidy,
    without_commas,
)
from algeval.io.layout import words_of
from algeval.io.tables import Table

# --- The words of names. A column may be called so in any case, joined by _ - . / or in camelCase.


def plain_letters(text: str) -> str:
    """A word without its accents: prufer for prüfer."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


_IN_HAN_KANA_HANGUL = (
    "adjudicated: 仲裁 裁定; age: 年齢 年龄; annotation: 标注; annotator: アノテーター 标注人; "
    "answer: 답변 回答; approval: 承認 批准 승인; automatic: 自動 自动 자동; "
    "category: カテゴリ 类别 类型 分類; cer: 字错率; "
    "confidence: 신뢰도 확신도 确信度 確信度 置信度 信頼度 自信度; created: 创建时间; "
    "date: 評価日 날짜 日期 日付 日時; doctor: 의사 医生; doubao: 豆包; editor: 编辑; "
    "engine: 引擎 エンジン; engineer: エンジニア; ernie: 文心; expert: 评审专家 전문가 専門家 专家; "
    "final: 最終 最终 終審 终审; glm: 智谱; human: 人手 人間 人工 人类 人力 사람; hunyuan: 混元; "
    "id: 번호 番号 编号 序号 連番; input: 输入 入力; judge: 评判 裁判 评审; language: 语言 言語; "
    "latency: 响应时间 応答時間 处理时间 所要時間 耗时; lawyer: 弁護士; lead: 班组长 组长 リーダー; "
    "length: 文字数 长度 字数; llm: 大模型; machine: 機械 机器; manager: 店長 部長 관리자 ディレクター; "
    "model: モデル 모델 模型; moderator: モデレーター 审核员 版主; notes: 备注 備考 비고; "
    "nurse: 간호사 护士; operator: 상담사; output: 出力 输出; probability: 概率 確率; "
    "question: 質問文 질문 質問 提问 問題 问题; claude: 클로드 クロード; "
    "gemini: 제미나이; qwen: 通义千问 千问; repeat: 반복 反復 繰り返し 重复; rater: 평가자; "
    "rating: 평가 評価 评价; reason: 评分理由 根拠 理由 原因; response: 응답 回复 回覆 返答 応答; "
    "review: 复核 审核 審査; reviewer: レビュー担当 レビュアー 复核人 审核人 검수자; "
    "rule: 规则 規則 ルール 규칙; score: スコア 점수 评分 打分 得分 採点; source: 原文; "
    "specialist: 专员 専門医; supervisor: 主管 감독 上司 上级; system: システム 系统 시스템; time: 时间; "
    "translation: 译文 訳文; user: ユーザー 用户; variant: 方案; verdict: 판정 判定 判断 判決 结论; "
    "version: 版本 バージョン 버전; wer: 词错率"
)
"""English words, and how they are called in languages that write none apart."""
_UNSPACED = {
    own: english
    for english, _, owns in (entry.partition(": ") for entry in _IN_HAN_KANA_HANGUL.split("; "))
    for own in owns.split()
}
_LONGEST_FIRST = sorted(_UNSPACED, key=len, reverse=True)


_PERSON_IN_HAN = re.compile(
    "[\u3400-\u9fff]{1,6}?[者員员師师医]"
    "(?<!患者|読者|作者|著者|筆者|记者|記者|会员|會員|成员|成員|全員)(?<!利用者|使用者|消費者|参加者)"
)
"""Words for people who do something: 翻訳者, who translates."""
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
    "rule": "regel regla reglas regle regles regola regole regeln regra reguła saanto kural",
    "satisfaction": "zufriedenheit satisfaccion satisfacao soddisfazione tevredenheid memnuniyet",
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
    "linguist": "traductor traductora traducteur traductrice tradutor tradutora ubersetzer ubersetzerin "
    "vertaler traduttore traduttrice translator",
    "clerk": "griffier",
    "shown": "mostrada mostrado mostrata angezeigt gezeigt affiche affichee getoond exibida exibido",
    "first": "primero primera primeiro primeira premier premiere prima primo zuerst erst eerst eerste",
    "rater": "evaluateur evaluatrice correcteur correctrice bewertende beoordelende valutatore valutatrice",
    "customer": "klient asiakas musteri клиент",
}
"""English words, and how they are called in other languages, in plain letters."""
ENGLISH = {own: word for word, others in _OTHER_LANGUAGES.items() for own in others.split()}
_LAST = (
    "prufung pruefung check bewertung urteil freigabe entscheidung kosten dauer kommentar begrundung "
    "antwort frage sprache kategorie modell nummer zeichen datum kontrolle wertung vraag antwoord "
    "controle oordeel zufriedenheit"
)
_LAST_PARTS = tuple(_LAST.split())
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
    name = re.sub(r"(?i)\bn[°º](?=\W|$)", "no", re.sub(r"(?i)_name_or_path$", "", name))
    if not name.isascii():
        name = unicodedata.normalize("NFC", name)
        for own in _LONGEST_FIRST:
            if len(own) > 2:
                name = name.replace(own, f" {_UNSPACED[own]} ")
        name = _PERSON_IN_HAN.sub(" reviewer ", name)
        for own in _LONGEST_FIRST:
            name = name.replace(own, f" {_UNSPACED[own]} ")
        name = re.sub(r"(?<=[A-Za-z0-9])(?=[\u3040-\u9fff\uac00-\ud7af])", " ", name)  # AI審査
    return name


def words_in(text: str) -> frozenset[str]:
    """Words of a text, in plain letters."""
    return frozenset(plain_letters(text).split())


HUMAN = words_in(
    "qrel qrels "
    "mturk turkers "
    "marker operator confirmed proven biopsy histology human humans gold golden expert experts sme "
    "reviewer annotator annotators truth groundtruth adjudicated adjudication adjudicator manual manually "
    "gt clinician physician radiologist doctor dr prof professor editor editors maintainer supervisor "
    "supervisora lead manager teacher teamleitung leitung mqm hand humaine revisión revisor revisora "
    "mensch menschlich experte gutachter humano humana experto anotador humain annotateur thumbs prufer "
    "pruefer prüferin gutachterin bewerter bewerterin experten relecteur relectrice arbitrage medecin "
    "medico medica especialista auditor auditora curador umano umana umanos people person persons personne "
    "pessoa humains humanos esperto revisore mens menselijk beoordelaar deskundige avaliador avaliadora "
    "evaluador evaluadora anotadora moderadora moderateur verite verdad verita waarheid medewerker "
    "mitarbeiter mitarbeiterin empleado collaborateur czlowiek ekspert insan uzman manniska moderator "
    "moderators moderatrice moderatorin moderador nurse nurses surgeon pathologist pharmacist dentist "
    "therapist psychologist veterinarian midwife paramedic lawyer attorney paralegal linguist proofreader "
    "referee arbiter arbitrator arbitre arbitro schiedsrichter specialist curator analyst officer "
    "inspector redacteur redactrice redactor redactora redattore redator redacao redaktion pfleger "
    "pflegerin pflegekraft krankenschwester krankenpfleger facharzt facharztin infirmier infirmiere "
    "enfermero enfermera enfermeiro enfermeira infermiere infermiera verpleegkundige lehrer lehrerin "
    "profesor profesora professeur enseignant enseignante insegnante docente abogado abogada avocat "
    "avocate anwalt anwaltin avvocato advogado advogada corrector correctora correcteur correctrice "
    "correttore sachbearbeiter sachbearbeiterin fachkraft moderatore experta dev dba annot annots crowd "
    "lektorat adviser advisor conseiller conseillere berater beraterin consejero consejera asesor asesora "
    "consulente examiner examinador examinadora examinateur esaminatore periodista jornalista giornalista "
    "journaliste correttrice listener listeners participant respondent recruiter adjuster underwriter "
    "engineer developer superviseur superviseuse archivist panelist panellist panelists peer instructor "
    "factchecker librarian journalist scientist student inspecteur inspektor модератор врач медсестра "
    "редактор рецензент проверяющий аннотатор преподаватель юрист المراجع مراجع المراجعة الخبير خبير "
    "المدقق مدقق المشرف مشرف الطبيب طبيب الممرضة المحرر moderatorka lekarz lekarka pielegniarka redaktor "
    "recenzent lakare sjukskoterska doktor hemsire hakem эксперт асессор разметчик человек fachexpertin "
    "fachexperte redakteur redakteurin lektor lektorin korrektor arzt arztin"
)
REFERENCES = words_in("target expected reference references key ideal")
"""Called so, a column holds the right answers, or what they are compared with; it names no person."""
HUMAN_NAMES = frozenset(
    {
        "human",
        "gold",
        "truth",
        "gold label",
        "true label",
        "ground truth",
        "y true",
        "truth label",
        "crowd label",
        "crowd majority",
    }
)
FINAL = words_in(
    "النهائي gold golden truth groundtruth adjudicated adjudication adjudicator adjud expert sme gt "
    "consensus arbiter arbitrated konsens consenso endurteil endnote gesamturteil agreed reconciled "
    "confirmed proven biopsy histology final fin finale finales endgultig definitive definitivo definitiva "
    "adj resolved specialist"
)
"""Called so beside what several people said, a column holds what came of it."""


def is_adjudicated(name: str) -> bool:
    """Whether a name of people's labels says that they settle what others of them said."""
    words = words_of(plain_letters(in_english(name)))
    return not FINAL.isdisjoint(words)


PEOPLE = words_in(
    "annotator rater worker expert reviewer coder labeler labeller mod moderator reader grader marker "
    "turker agent ann annot rad qa evaluator juror assessor crowdworker examiner corrector rev"
)
"""Called so with a number behind: people beside named judges."""
OF_PEOPLE = PEOPLE - words_in("qa ann evaluator grader agent") | words_in(
    "tl ta team desk clerk redteamer customer teamlead md phd rn guest caller viewer partner associate "
    "assoc attending resident senior rep staff director principal"
)
"""Called so, labels on a part of the rows that a machine gives on all are people's."""
FIRST_NAMES = words_in(
    "aaron abby abdul abigail adam adrian adriana agata agnes agnieszka ahmad ahmed aiko ainhoa aisha "
    "akira albert alberto alejandra alejandro aleksandra alena alessandro alessia alex alexandra "
    "alexandre alexis alfonso alfredo ali alice alicia alina alison allison alvaro ama amanda amara "
    "amelia amelie amina amir amit amy ana anastasia andre andrea andreas andrei andres andrew angela "
    "angelika anika anil anita anja anjali anke anna anne annette annie annika anthony antje anton "
    "antonia antonio anya aoife arash ariana arjun arnaud arno arthur arturo ashley astrid audrey aurelie "
    "aylin ayse ayumi barbara bart bastian beatrice beatriz becky ben benedikt benjamin benoit berit "
    "bernd bernhard beth bettina bianca bill birgit bjarne bjorn blanca bob bogdan boris brandon brenda "
    "brian bruno caio camille carl carla carlo carlos carmela carmen carol caroline carsten catarina "
    "caterina catherine cecile cecilia celine cem cesar chantal charles charlie charlotte chen cheng "
    "chiara chidi chloe chris christa christel christelle christian christina christine christoph "
    "christophe cindy claire clara claudia colin connor cornelia cristina cyril damian dana daniel "
    "daniela daniele danielle danuta daria dario dasha dave david davide deborah deepa delphine denise "
    "deniz dennis derek dewi diana diego dieter dimitri dimitris dirk dmitri dominik dominique doris "
    "dorota dorothea douglas duncan dylan eduardo edward edyta egor ekaterina elena elisa elisabeth "
    "elisabetta elise elizabeth elke ella ellen elodie eloise emanuele emil emilia emilie emilio emily "
    "emine emma emmanuel emre enrico enrique erica erik erika ernesto esra esteban esther eszter ethan "
    "eugenia eva eve evelyn ewa fabian fabien fabio fabrice farid fatima federica federico felipe felix "
    "fernanda fernando filip finn fiona florian francesca francesco francisca francisco franck francois "
    "francoise franz fred freddy frederic frederik friederike fumiko gabriel gabriela gabriele gabriella "
    "gareth gary genevieve geoff georg george gerard gerd gerhard gerry giacomo gianni gilles gina "
    "giorgio giovanna giovanni gisela giulia giulio giuseppe gonzalo gordon gorka grace greg gregor "
    "gregory greta guido guilherme guillaume guillermo gunter gustavo hakan hana hanna hannah hanne hans "
    "harald harry haruka haruto hassan hector heidi heike heiko heinz helen helena helene helga helmut "
    "hendrik henrik henry herbert hilde hiro holger hugo hui ibrahim ignacio igor iker ilaria ilse imran "
    "inaki ines inga inge ingo ingrid inigo irene irina isaac isabel isabell isabella isabelle isla "
    "ismail itziar ivan ivana iwona izabela jack jaime jakob jakub jamal james jamie jan jana jane janet "
    "janina janine jaroslav jason javier jean jeff jeffrey jelena jennifer jenny jens jeremy jerome "
    "jesper jessica jill jim jin jing jiwoo joachim joan joana joanna joao jochen joe joel johan johanna "
    "johannes john jokin jolanta jonas jonathan joost jordi jorg jorge jose josef josefina joseph josh "
    "joshua josie juan juana judit judith julia juliana julie julien juliette jun jurgen justin justine "
    "justyna kaori karel karen kari karin karina karl karolina kasia katarina katarzyna kate katharina "
    "katherine kathleen kathrin kathy katie katja katrin kazuki keiko keith kelly ken kenji kenneth "
    "kerstin kevin khalid kimberly kiran kirsten klara klaus konrad konstantin kristian kristin kristina "
    "krystyna krzysztof kumar kurt kwame kyle larissa larry lars laszlo laura lauren laurent layla lea "
    "leah lena leon leonardo leonie leonor leonora lerato li liam lidia lilian lilly lina linda linh "
    "linus lionel lisa liz loic lorenzo louis louise luca lucas lucia luciana lucy ludovic luigi luis "
    "luisa luise lukas lukasz lutz lydia lynn magali magda magdalena magnus maja malgorzata malik malin "
    "manfred manon manuel manuela marc marcel marcela marcello marcin marco marcos marcus mareike "
    "margaret margarita margot maria mariam mariana marianne marie marija mario marion marius marjan mark "
    "markus marlene marlies marta martin martina martine mary masha massimo mateo mateus mathieu mathilde "
    "matt matteo matthew matthias matthieu maurice maurizio mauro max maximilian meera meg megan mehmet "
    "mei melanie melissa merve mia michael michal michel michele micheline michelle miguel mihai mika "
    "mikael mike mikhail mikko milena ming minho miriam mirjam mirko mohamed mohammed moises monica "
    "monika monique moritz muhammad murat muriel mustafa mykola nadia nadine nadja nancy naoko natalia "
    "natalie natasha nathalie nathan neha nele nelson ngozi niamh nicholas nick nico nicola nicolas "
    "nicole niels nikita nikola nikolai nils nina noah nobuko noemi noor nora norbert nuno odile oleg "
    "oleksandr olena olga oliver olivia olivier omar orla oscar oskar otto pablo paolo pascal pat "
    "patricia patricio patrick patrik paul paula paulina pauline pavel pawel pedro penelope perrine peter "
    "petr petra phil philip philipp philippe phuong pierre piet pieter piotr pooja priya priyanka rachel "
    "rafael rafal raffaele rahul rainer raj ralf ramon ramona raphael raquel raul ravi rebecca rebekka "
    "reiko reinhard renata renate rene ricardo riccardo richard rita robert roberta roberto rocio rodrigo "
    "roger rohan roland rolf romain ronald rosa roxana ruben rudolf rupert ruth ryan sabina sabine "
    "sabrina sakura salma salvatore sam samantha samira samuel sandra sanjay sanne sara sarah sasha "
    "saskia sato satoshi scott sean sebastian selin selma serge sergei sergey sergio severine shannon "
    "sharon shreya sigrid silke silvia silvie simon simona simone siobhan siti slawomir sofia sofie sonia "
    "sonja sonya sophie soren soyeon stacy stanislav stefan stefania stefanie stefano steffen steffi "
    "stelios stephan stephane stephanie stephen steve steven stuart sue sunil sunita susan susana susanna "
    "susanne suzanne sven svenja svetlana sylvain sylvia sylvie szymon takashi tamara tanja tatiana "
    "tatjana taylor ted terry tessa thabo thea theo theresa thierry thomas thorsten tiago tiina tilo tim "
    "timo tina tobias todd tom tomas tomasz tommaso tomoko tony torsten tracy trevor tuan tugba tyler ulf "
    "ulrich ulrike ursula ute uwe valentin valentina valeria valerie vanessa veronica veronika veronique "
    "victor vikram viktor viktoria vincent vincenzo virginie vladimir volker wanda wei wendy werner wibke "
    "wiebke wiktor william winfried wojciech wolfgang xavier xin yan yann yannick yasmin yasmine yolanda "
    "yosef youssef yui yuki yuko yulia yuri yusuf yves yvonne zbigniew zeynep zoe zofia zuzanna"
)
WEAK_HUMAN = words_in("correct label labels annotation reviewed approved accepted iscorrect")
WEAK = words_in(
    "pick choice stars approval usable publishable shippable signoff vote call verdict outcome final "
    "resolution disposition moderation "
    "result decision rating score grade judgment judgement answer qa check review status assessment "
    "evaluation marking determination ruling conclusion entscheidung urteil bewertung beurteilung ergebnis "
    "jugement avis dictamen fallo veredicto calificacion valoracion giudizio esito decisione valutazione "
    "parecer decisao julgamento avaliacao oordeel beoordeling решение оценка вердикт заключение القرار "
    "الحكم التقييم التصنيف تصنيف decyzja ocena werdykt karar degerlendirme beslut bedomning"
)
MODELS = words_in(
    "bert gpt chatgpt o1 o3 o4 claude sonnet haiku opus gemini gemma palm llama mistral mixtral qwen qwq "
    "deepseek phi grok cohere command nova falcon olmo tulu granite nemotron kimi glm internlm skywork "
    "armorm prometheus shieldgemma llamaguard perspective wildguard yi vicuna judgelm pairrm bard alpaca "
    "wizardlm zephyr openchat davinci omni jamba codestral ministral pixtral flan t5 roberta deberta "
    "distilbert logreg xgb cnn nli "
    "detoxify oai openai anthropic ernie doubao hunyuan vlm mllm lmm svm xgboost "
    "lightgbm catboost fasttext lstm erater factcc summac alignscore minicheck"
)
METRICS = words_in(
    "qe kiwi cometkiwi strongreject bleu comet rouge bertscore chrf meteor levenshtein f1 rougel ter bleurt "
    "xcomet metricx similarity wer cer cosine distance perplexity entailment bm tfidf gemba cider spice "
    "ndcg mrr bartscore metric geval"
)
KINDS_OF_VERDICT = words_in("label score value passed pass result grade verdict rating success")
JUDGE = words_in(
    "judge grader evaluator llm autorater classifier clf verifier scorer critic reward guard winner vote "
    "eval detector checker autograder autoeval ai ki ia juez jueza juge richter juiz giudice gemba umbrela"
)
ID = words_in(
    "pmid doi isbn asin sku nct arxiv "
    "battle duel matchup sk pk "
    "jira link url id ids uuid guid uid filename file path hash idx index row ticket case doc document "
    "sample record protocolo protocol key nr no accession hit qid pid docid kennung nummer numero dossier "
    "aktenzeichen"
)
PROMPT = words_in(
    "質問 问题 問題 提问 질문 pytanie soru "
    "prompt question query problem task session conversation thread user scenario cluster patient dialog "
    "dialogue pair topicid request source essay segment study qid"
)
PROMPTED = words_in(
    "inputs "
    "prompt question query input brief instruction instructions context contexts message vignette problem "
    "frage pregunta consulta anfrage eingabe pergunta domanda vraag вопрос запрос pytanie soru fraga 質問 "
    "问题 問題 提问 질문"
)
SAID = words_in(
    "response answer output completion reply generation generated summary transcript translation predicted "
    "prediction hypothesis antwort respuesta resposta risposta antwoord reponse ответ ausgabe text "
    "solution patch diff candidate"
)
SHOWN = (
    PROMPTED
    | SAID
    | words_in("comment reference expected text snippet content body title source passage")
)
REASON = words_in(
    "because explain remark remarks memo cmt cmnt reason reasoning explanation rationale justification "
    "feedback comments comment critique cot thoughts why analysis notes note begruendung begründung grund "
    "motivo kommentar comentario justificación motif raison commentaire remarque observaciones toelichting "
    "motivazione commento justificativa motivacion uitleg bemerkung begrundung justificacion explicacion "
    "spiegazione expl rsn explicacao причина обоснование комментарий سبب السبب التعليق تعليق ملاحظات"
)
COVARIATE = words_in(
    "found calls ctr cvr bounce dwell revenue pages page tokens token latency ms sec secs seconds duration "
    "elapsed runtime time-taken cost usd eur price length len chars characters words wordcount n num count "
    "counts temperature temp top_p topp difficulty tests total totals turn turns steps step retries "
    "attempts depth size age speed memory bytes rank clicks impressions views likes shares upvotes alter "
    "edad eta idade leeftijd kosten cout costo custo duree duracion durata duracao longueur longitud "
    "lunghezza mm cm km kg mg thickness weight height width volume bpm perplexity strikes years days "
    "hours minutes retrieved lines added removed loc dauer laenge errors warnings exceptions"
)
SYSTEM = words_in(
    "ckpt ver v ranker retriever build stack rewriter system sys app model variant arm agent config "
    "experiment checkpoint policy bot engine release version ab candidate deployment pipeline provider "
    "generator systemname taker sistema systeme modelo modele modell modello variante agente assistent "
    "assistente asistente algorithm algoritmo algorithme algorithmus"
)
TRIAL = words_in(
    "try trial epoch run repeat replicate rep seed iteration attempt replica resample pass-no repetition "
    "wiederholung intento tentativa tentativo versuch durchlauf essai poging"
)
SWAP = words_in(
    "swapped switched order position flipped reversed shown swap orientation posicao posicion posizione "
    "reihenfolge ordem orden ordine ordre"
)
SLICE = words_in(
    "shard topic domain category language locale lang tier priority region source subject segment channel "
    "product team type split env environment dataset intent platform plan status aspect specialty area "
    "country market queue department level group cohort device severity kategorie sprache categoria idioma "
    "finish modality genre field subset section course class tag tags bucket"
)
FLAG = words_in("is has was contains uses had needs did")
DONE = words_in(
    "sent delivered posted annotated labeled labelled reviewed verified checked rated audited escalated "
    "assigned evaluated scored graded required needed requested available skipped validated processed "
    "scanned exported"
)
"""Ends of names that say what was done, not what was found: human_reviewed."""
FLAGGED = words_in(
    "cached truncated streamed retried escalated anony anonymous bookmarked starred archived pinned "
    "favorited"
)
CRITERIA = words_in(
    "coverage accuracy tone completeness helpfulness helpful faithfulness faithful relevance relevancy "
    "precision recall coherence fluency grounded groundedness correctness safety clarity style conciseness "
    "concise harmless harmlessness honesty factuality toxicity quality overall adequacy engagement depth "
    "originality grammar empathy politeness professionalism readability usefulness consistency creativity "
    "organization structure factual informativeness naturalness format formatting instruction-following "
    "adherence resolution greeting compliance"
)
"""Questions that a rubric asks."""
CHECKS = words_in(
    "regras reglas regles regeln regole regels "
    "rule rules lint heuristic checker prufung pruefung regelprufung regex regexp compiles compiled "
    "compile parses parsed parseable linter lints schema syntax unittest unittests tests fuzzy keyword "
    "exact builds ci pytest junit"
)
"""What programs find out by rules, without judgement: regex_ok, compiles, tests_passed."""
GRADED = words_in(
    "score scores rating grade probability prob confidence conf certainty reward konfidenz puntaje "
    "preference probabilidade probabilidad probabilita confianza confianca fiducia wahrscheinlichkeit "
    "puntuación punkte logit logprob"
)
"""Called so, numbers are a judge's."""
BAD = words_in(
    "hallucin toxic unsafe violat error harm bias leak refus jailbreak spam flag fail inject offens hate "
    "abus pii risk sever urgen defect incorrect wrong fraud threat insult obscen nsfw misinf malic"
)
"""Parts of words by which a yes is bad news."""
TIME = words_in("timestamp date datetime created updated tstamp at datum fecha zeit hora when")
REVIEWER = words_in(
    "reviewer annotator rater labeler labeller by editor auditor reviewedby assessor"
)
"""Called so, a column names who gave the verdict beside it."""
MACHINE = words_in(
    "sim simulated ai llm ki ia model modele modell modelo modello bot auto automatic automated "
    "automatisch machine algorithm algorithme algoritmo algorithmus classifier llmjudge maschine maquina "
    "модель модели модел النموذج نموذج الآلي yapay maskin"
)
"""Called so, a verdict is a machine's, whoever else is named."""
WHO = words_in(
    "user userid customer client account requester tenant org organization company team member author "
    "owner employee operator person device host session sessionid conversation thread threadid dialog "
    "dialogue chat call visit visitor email ip pr pull mr commit branch repo ticket issue run runid job "
    "batch build channel room group path file filename filepath url repository cliente usuario utente "
    "kunde kunden kundin kundennummer nutzer benutzer utilisateur gebruiker klant sesion sessione sitzung "
    "gesprek gesprach conversacion conversazione"
)
"""Called so, an id says who asked, where or when: rows that share it may hang together, of one prompt they
are not."""
RATERS = words_in(
    "evaluator coder grader scorer marker prufer pruefer bewerter annotateur anotador evaluador revisor "
    "oceniający recenzent bedömare 評価者 评价人 평가자 "
    "relecteur evaluateur annotatore valutatore revisore avaliador anotadora evaluadora beoordelaar"
)
"""Called so and nothing else, a column of names or numbers says who answered."""
PREDICTED = words_in(
    "hat prefilled prelabel preannotation prediction predicted pred model auto automatic machine automated"
)
"""Called so, a verdict beside those of raters is a model's."""
PEOPLE_ONLY = words_in(
    "annotator annotators worker workers turker labeler labeller crowdworker user users reviewer expert "
    "human workerid voter coder participant respondent"
)
"""Called so, a column names people."""
CONFIDENT = words_in(
    "sure sureness confidence confident certainty certain conf sicher sicherheit konfidenz gewissheit "
    "probability prob probabilidad probabilidade probabilite probabilita wahrscheinlichkeit confiance "
    "confianza confianca fiducia certeza certezza certitude zekerheid logprob logprobs уверенность الثقة "
    "ثقة guven pewnosc sakerhet"
)
"""Called so, numbers beside a verdict say how sure it is."""
_MISSING = "- -- ? k.a. k.a n/a n.v.t. na nan none null missing unlabeled unlabelled nat"
MISSING = tuple(_MISSING.split())
"""Cells that mean no verdict, beside those that are missing in any table."""
_WAITING = (
    "pending todo tbd unreviewed unrated unchecked unoffered offen ausstehend pendiente to_do "
    "to_be_done not_reviewed not_yet_reviewed not_rated not_yet not_checked not_assessed not_labeled "
    "not_labelled not_annotated awaiting_review in_review to_review noch_offen pendente "
    "nicht_geprüft sin_revisar en_attente à_faire non_vérifié in_attesa da_rivedere 待审 待审核 未审核 "
    "待复核 未复核 待标注 未标注 待定 未評価 未確認 確認待ち 未レビュー 대기 미검토"
)
WAITING = frozenset(words.replace("_", " ") for words in _WAITING.split())
"""Beside verdicts alone, a cell says so where nobody has answered yet."""
GOOD_LABELS = words_in(
    "publish bien seguro segura sicher sûr sicuro sicura veilig "
    "correcta correto correta corretto corretta esatto esatta juste exact exacte vraie adecuado adecuada "
    "adequado adequada valido valida válido válida plausible plausibel plausibile satisfaisant "
    "satisfaisante satisfatorio satisfactorio zufriedenstellend brauchbar utilisable daumen_hoch "
    "equivalent useful harmless match "
    "matched green grun gruen vert verde usable publishable keep ship \u25ce conforme conform "
    "pass passed correct true yes y 1 good safe acceptable accept accepted approved approve ok "
    "okay success successful c supported grounded relevant helpful compliant right valid resolved "
    "faithful appropriate satisfactory allow allowed clean benign ja si sí oui sim richtig korrekt "
    "да верно правильно 合格 正しい 正确 正確 はい 是 "
    "bestanden correcto vrai gut met positive-pass factual consistent complete aprobado aprobada "
    "goed juist voldoende tak poprawne prawda dogru evet riktig godkand 通过 合规 准确 적합 정답 예 "
    "对 對 aprovado aceptado aceptable reussi réussi valide accepte accepté superato promosso angenommen "
    "\U0001f44d \u2705 \u2713 \u2714 \u25cb \u3007 \u25ef \u2b55 thumbs_up thumbsup"
)
BAD_LABELS = words_in(
    "inseguro insegura unsicher insicuro onveilig "
    "mal incorrecta incorreto incorreta scorretto scorretta errato errata sbagliato sbagliata fausse inexact "
    "inexacte parcial parziale partiel partielle teilweise inadecuado inadecuada inadequado inadequada "
    "invalido inválido inválida implausible unplausibel nicht_plausibel non_plausibile insatisfaisant "
    "insatisfaisante unzureichend unbrauchbar inutilisable daumen_runter "
    "different flag flagged "
    "mismatch mismatched red rot rouge rojo rosso vermelho yellow gelb jaune amarillo giallo amarelo orange "
    "unusable rewrite redo rework fix discard drop decline declined "
    "fail failed failure incorrect false no n 0 bad unsafe unacceptable reject rejected i unsupported "
    "ungrounded irrelevant low wrong invalid partial p neutral mixed unhelpful noncompliant "
    "unresolved unfaithful inappropriate unsatisfactory block blocked remove removed harmful nein "
    "non falsch inkorrekt incorrecto faux schlecht unmet inconsistent incomplete borderline "
    "nonfactual toxic hallucinated hallucination nok não nao 不合格 誤り 错误 錯誤 いいえ 否 "
    "violates violating violation violative fout onjuist onvoldoende nie niepoprawne bledne falsz "
    "n.ok n.o.k. n.i.o. n.i.o yanlis hayir fel underkand 未通过 不通过 不合规 违规 不准确 부적합 오답 아니오 "
    "错 錯 нет неверно неправильно durchgefallen suspenso reprobado reprovado rechazado echoue échoué échec "
    "refusé respinto bocciato abgelehnt nicht_bestanden "
    "\U0001f44e \u274c \u2717 \u2718 \xd7 \u2715 \u2716 \u25b3 ng nok thumbs_down thumbsdown"
)
OPPOSITES = (
    ("pass", "fail"),
    ("good", "bad"),
    ("yes", "no"),
    ("ja", "nein"),
    ("oui", "non"),
    ("right", "wrong"),
    ("correct", "wrong"),
    ("richtig", "falsch"),
    ("safe", "unsafe"),
)
"""Good and bad labels that are each other's contrary."""
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
    "\U0001f44d \U0001f44e \u2705 \u274c \u2713 \u2717 \u2714 \u2718 \u25cb \u3007 \u25ef \xd7 \u2715 pass "
    "passed fail failed correct incorrect correct. safe unsafe acceptable unacceptable accept reject "
    "accepted rejected approve approved decline declined supported unsupported hallucinated factual"
)
VERDICTS = frozenset({*GOOD_LABELS, *BAD_LABELS, *NEUTRAL_BAD, *VERDICT_WORDS})
"""All words that say a verdict."""
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


SAYS_NO = ("no", "false", "0", "n", "low")
"""Answers of two that say that something is not so."""

_PAIRS = ({"yes", "no"}, {"true", "false"}, {"0", "1"}, {"high", "low"}, {"y", "n"})


def is_binary(labels: Iterable[str]) -> bool:
    """Whether labels are yes and no, true and false, 0 and 1, high and low."""
    forms = {folded(label) for label in labels}
    return 0 < len(forms) <= 2 and any(forms <= pair for pair in _PAIRS)


_COMPACT_DATE = re.compile(r"20[0-4]\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")
_RATED = re.compile(
    r"(?:score|rating|grade|verdict|note|puntuaci[oó]n)\s*[:=]\s*(.+)", re.IGNORECASE
)
_GRADE_IN_WORDS = re.compile(r"(\d{1,2})\s?(?:[:=.)–-]|\s)\s*[(\"']?[^\W\d_]{2,}.*", re.DOTALL)
_OUT_OF = re.compile(r"(-?\d+(?:\.\d+)?)\s*/\s*(\d+)")
_UNSPACED_LETTERS = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")  # Thai, kana, Han
_FIGURES = re.compile(r"[-+$\u20ac\u00a3]?\s?\d[\d.,]*\s?[%\u20ac$]?")
_DATE = re.compile(
    r"\d{4}([-/.])\d{1,2}\1\d{1,2}([T ]\d{1,2}:\d{2}.*)?|\d{1,2}([-./])\d{1,2}\3\d{2,4}(,? .*)?"
    r"|\d{4} ?[年년] ?\d{1,2} ?[月월] ?\d{1,2} ?[日일号]?( ?\d{1,2} ?[:時时시].*)?"
    rf"|(?:[a-z]{{3,9}},? )?{MONTH} \d{{1,2}},? .*\d{{4}}.*"
    rf"|(?:[a-z]{{3,9}},? )?\d{{1,2}}[ -]{MONTH}[ -]\d{{2,4}}.*",
    re.IGNORECASE,
)
"""Dates as they are written around the world, with the time of day or without."""
LOOKED_AT = 2000  # so many distinct cells are looked at to tell texts, times and numbers
MOST_VERDICTS = 12  # labels of a column of verdicts
AT_FIRST = 200  # distinct cells that are looked at to see that there are more
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
    percent: bool = False  # 87% is read as 87
    of_others: bool = False  # its few labels are among those of another column of verdicts
    named: frozenset[str] | None = frozenset()  # folded texts that mean themselves; None: all do
    answers_by_forms: dict[frozenset[str], bool] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls,
        table: Table,
        name: str,
        named: frozenset[str] | None = frozenset(),
        *,
        parted: bool = False,
    ) -> Evidence:
        """Evidence of a column of a table; `parted`: by commas, so that 1,2 may be a list in quotes."""
        try:
            column = table.column(name)
        except DataError:  # lists or objects
            return cls(name, table.n_rows, codes=np.full(table.n_rows, -1), nested=True)
        texts, changed = _texts_of(column.values, named), False
        if not _VERSIONED.isdisjoint(words_of(name)):  # 2026.10 is not 2026.1
            texts = [t and plain(value) for t, value in zip(texts, column.values, strict=True)]
        percent = _are_percentages(texts)
        if percent:
            texts, changed = [t and t.rstrip("% ") for t in texts], True
        commas = _commas(texts)
        if commas == "list":
            commas = "" if parted else "decimal"
        if commas and commas != "either":
            points = iter(_with_points(filter(None, texts), decimal=commas == "decimal"))
            texts, changed = [t and next(points) for t in texts], True
        rated = _all_rated(texts)
        if rated and len({r[1] for r in rated if r is not None} - {""}) <= 1:
            texts, changed = [None if r is None else r[0] for r in rated], True
        if (graded := _grades_in_words(texts)) is not None:
            texts, changed = graded, True
        kept = dict.fromkeys(t for t in texts if t is not None)
        codes = column.codes
        if len(kept) < len(texts):  # else each its own, as most columns' are
            distinct = dict(zip(kept, range(len(kept)), strict=True))
            codes = column.look_up([-1 if t is None else distinct[t] for t in texts])
        how = (False, changed, commas, percent)
        return cls(name, table.n_rows, tuple(kept), codes, *how, named=named)

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
        words = words_of(plain_letters(in_english(self.name)).replace(":", " "))
        return self._whole([w for w in (re.sub(r"[^\w#+]", "", word) for word in words) if w])

    @staticmethod
    def _whole(words: list[str]) -> list[str]:
        """Words of which two that camelCase parts are one again, DeepSeek and chrF, people without case."""
        words = [_without_case(part) for word in words for part in word_in_english(word)]
        pairs = [a + b for a, b in pairwise(words)]
        for k in reversed(range(len(pairs))):
            if pairs[k] in MODELS or pairs[k] in METRICS or pairs[k] in ("signoff", "runtag"):
                words = [*words[:k], pairs[k], *words[k + 2 :]]
        return words

    @cached_property
    def parts(self) -> list[list[str]]:
        """Words of each part of a dotted name, the leaf last."""
        aside = r"\((?:\w+=[^()]*|\w+/[\w/]+)\)"
        name = (
            re.sub(aside, "", self.name) or self.name
        )  # f1(mode=strict) is f1, and good? (Y/N) good?
        dotted = re.split(r"[.:](?=[^\s\d])", plain_letters(in_english(name)))
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
        if self.named is None or len(pairs) > 200:
            return {}
        broken = {t: n for t, n in pairs if has_failed(t) and folded(t) not in self.named}
        if not broken:
            return {}
        rest = {folded(t) for t, _ in pairs} - {folded(t) for t in broken}
        return broken if 1 < len(rest) <= 12 else {}

    @cached_property
    def none_is_label(self) -> bool:
        """Whether 'none', so spelled, is one of several kinds: none, spam, harassment."""
        if "none" not in self.texts or len(self.texts) > LOOKED_AT:
            return False
        others = {folded(t) for t in self.texts if t not in self.failures} - set(MISSING)
        verdicts = {*GOOD_LABELS, *BAD_LABELS, *VERDICT_WORDS}
        return len(others) > 1 and not any(
            o in verdicts or as_number(o) is not None for o in others
        )

    @property
    def absent(self) -> frozenset[str]:
        """Folded cells that mean no verdict."""
        if self.named is None:
            return frozenset()
        kept = self.named | {"none"} if self.none_is_label else self.named
        return (frozenset(MISSING) | self.waiting) - kept

    @cached_property
    def waiting(self) -> frozenset[str]:
        """Folded cells that say that nobody has answered yet, where all others are verdicts."""
        waiting, rest = self.parted_by_waiting
        grades = all((x := as_number(form)) is not None and 0 <= x <= 10 for form in rest)
        return waiting if rest and (rest <= VERDICTS or grades) else frozenset()

    @property
    def parted_by_waiting(self) -> tuple[frozenset[str], frozenset[str]]:
        """Folded cells that may say that nobody has answered yet, and the other labels."""
        named = stems(self.words, MODELS) or self.says(JUDGE, MACHINE)
        if len(self.texts) > AT_FIRST or named:  # pending may be a judge's own verdict
            return frozenset(), frozenset()
        forms = frozenset(map(folded, self.texts))
        broken = {folded(t) for t in self.failures}
        waiting = frozenset(form for form in forms if form.replace("_", " ") in WAITING)
        return waiting, forms - waiting - set(MISSING) - broken

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
        some = self.texts[:AT_FIRST] if len(self.texts) > AT_FIRST else ()
        return len({folded(text) for text in some} - set(MISSING)) > MOST_VERDICTS

    @cached_property
    def _by_beginning(self) -> dict[str, list[str]]:
        """Labels by their first two letters."""
        parts = defaultdict(list)
        for text in self.texts:
            parts[text[:2]].append(text)
        return parts

    def shares_any(self, forms: frozenset[str]) -> bool:
        """Whether one of some folded labels is among its own, of which no list is kept."""
        if forms not in self.answers_by_forms:
            wanted = forms - self.absent
            cases = [(form, form.upper()) for form in wanted]
            first = {form[:1] for own in cases for form in own}
            two = {a[:1] + b[1:2] for own in cases for a in own for b in own}
            self.answers_by_forms[forms] = any(  # folding keeps plain letters in front
                any(folded(text) in wanted for text in texts)
                for begins, texts in self._by_beginning.items()
                if begins in two
                or not begins.isascii()
                or (begins[0] in first and not begins[1:].isalnum())
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
    def of_pair(self) -> re.Match[str] | None:
        """Match of a name of one of the two systems of a pair: model_a, sistema B."""
        return re.fullmatch(PAIR, self.name.strip().lower()) or re.fullmatch(PAIR, self.low)

    @property
    def mostly_numbers(self) -> bool:
        """Whether half of the cells or more are numbers, beside 2-3 or a remark."""
        pairs = zip(self.texts, self.counts.tolist(), strict=True)
        return self.numeric or 2 * sum(n for t, n in pairs if as_number(t) is not None) >= max(
            1, self.filled
        )

    @property
    def figures(self) -> bool:
        """Whether every label is a number, perhaps with commas, a currency or a percent sign."""
        return self.numeric or (
            bool(self._some) and all(_FIGURES.fullmatch(label) for label in self._some)
        )

    @cached_property
    def _some(self) -> list[str]:
        if self.many:
            some = map(folded, self.texts[:: max(1, len(self.texts) // LOOKED_AT)])
            return [form for form in some if form not in self.absent]
        labels = list(self.labels)
        return labels[:: max(1, len(labels) // LOOKED_AT)]

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
            few = 2 * n <= max(self.answered, 2) or n <= 3 or self.n_rows <= 8 or self.of_others
            return n <= 11 and few and self._on_small_scale
        few = 2 * n <= self.answered or n <= 2 or (self.n_rows <= 8 and n <= 4) or self.of_others
        return n <= MOST_VERDICTS and few and self._short

    @cached_property
    def _on_small_scale(self) -> bool:
        """Whether the labels are whole numbers of a small scale."""
        return all(x == int(x) and -10 <= x <= 10 for x in map(float, self._some))

    @cached_property
    def _short(self) -> bool:
        """Whether the labels are short, and no JSON."""
        of_json = all(label.startswith(("{", "[{")) for label in self._some)
        return not of_json and max(map(len, self._some)) <= 40

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
            t
            for t in self.texts[:: max(1, len(self.texts) // LOOKED_AT)]
            if folded(t) not in MISSING
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
        if some and all(_COMPACT_DATE.fullmatch(t) for t in some) and len(self.texts) > 1:
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


_PROFESSIONS = re.compile(
    r"\w{2,}(?:olog|onom|iatr|therap|urg)ists?|\w{3,}(?:ologe|ologin|ologue|ologo|ologa|icians?|ographers?)"
)
"""Ends of words for people who know: cardiologist, psychiatrist."""


def _without_case(word: str) -> str:
    """A word for people without an ending of case, модератор for модератора; 'expert' for a cardiologist."""
    if word in HUMAN or len(word) < 7:
        return word
    if _PROFESSIONS.fullmatch(word):
        return "expert"
    begins = [word[:-k] for k in (1, 2) if len(word) - k >= 6 and word[:-k] in HUMAN]
    return begins[0] if begins else word


def _texts_of(
    values: Sequence[object], named: frozenset[str] | None = frozenset()
) -> list[str | None]:
    """Texts of distinct cells; most need no look, as they neither mean nothing nor are decimals."""
    if set(map(type, values)) != {str}:
        return [_text(value, named) for value in values]
    stripped: Iterable[str] = map(str.strip, values)  # type: ignore[arg-type]
    return [
        t if t and t[0] not in "nN#<-\\" and "." not in t else _text(t, named) for t in stripped
    ]


def _text(value: object, named: frozenset[str] | None = frozenset()) -> str | None:
    text = tidy(value)
    if text is None or named is None or (named and folded(text) in named):
        return text
    blank = text[:1] in "nN" or text.isspace()  # as NaT may be
    return None if text in BLANK or (blank and folded(text) in ("nat", "")) else text


_PERCENT = re.compile(r"[-+]?\d+(?:[.,]\d+)? ?%")


def _are_percentages(texts: Sequence[str | None]) -> bool:
    """Whether all cells that mean something are percentages, as 87% and 12,5 %."""
    first = next((t for t in texts if t and t[0].isdigit()), "")
    if not first.endswith("%"):
        return False
    return all(_PERCENT.fullmatch(t) for t in texts if t and not _means_nothing(t))


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


def settle_commas(columns: Iterable[Evidence]) -> None:
    """Take 1,234 for a decimal where another column has plainly decimal commas, for a thousand elsewhere."""
    decimal = any(c.commas == "decimal" for c in columns)
    for column in columns:
        if column.commas == "either":
            column.settle_commas(decimal=decimal)


def _grades_in_words(texts: Sequence[str | None]) -> list[str | None] | None:
    """Numbers of grades such as '8: accept, good paper' or '3 good', each said in one way, None of others."""
    some = {*filter(None, texts)}
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
        or re.fullmatch(PAIR, name.strip().lower())
    ):
        return False
    about = bool({"model", "llm", "ai", "auto", "bot"} & set(words)) and len(words) > 1
    return stems(words, MODELS) or bool({"prediction", "predicted", "pred"} & set(words)) or about


def names_a_verdict(name: str) -> bool:
    """Whether a column is called like what a model or a person said."""
    return names_a_verdict_of_a_model(name) or names_a_verdict_of_a_person(name)


def names_a_verdict_of_a_person(name: str) -> bool:
    """Whether a column is called like what a person said: human_winner, expert_label, gold."""
    column = Evidence(name, 0)
    aside = TIME | REASON | COVARIATE | PROMPT | ID | REVIEWER | {"name", "email", "version"}
    if not column.leaf or column.ends(aside - HUMAN) or column.leaf[-1] in ("id", "at"):
        return False
    if stems(column.leaf, MODELS):
        return False
    words = {word.rstrip("0123456789") for word in column.leaf}
    rated = words & {"user", "customer"} and words & (GRADED | WEAK | WEAK_HUMAN | {"feedback"})
    alone = len(column.leaf) == 1 and column.leaf[0] in HUMAN & REVIEWER
    first = len(column.leaf) <= 2 and not FIRST_NAMES.isdisjoint(words)
    return not alone and (bool(words & HUMAN) or column.low in HUMAN_NAMES or bool(rated) or first)


def names_more(name: str) -> bool:
    """Whether a column beside verdicts is called like one that matters: a system, a group, a measure."""
    column = Evidence(name, 0)
    return names_a_verdict(name) or column.ends(SYSTEM, SLICE, COVARIATE)


# --- What two columns have in common.


def share(first: Evidence, second: Evidence) -> bool:
    """Whether two columns have a label in common; true is 1, false is 0; 0 and 1 are no grades of 1 to 5."""
    if any(c.many for c in (first, second)) and _apart(first, second):
        return False
    forms = forms_of(first), forms_of(second)
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
    spelled = forms_of(few) | {word for word, form in _SAME.items() if form in forms_of(few)}
    return not many.shares_any(frozenset(spelled))


def forms_of(column: Evidence) -> set[str]:
    """Labels of a column, true and false as 1 and 0."""
    return {_SAME.get(label, label) for label in column.labels}


def agreement(first: Evidence, second: Evidence) -> tuple[float, int]:
    """Kappa of labels, the correlation of ranks of more than two numbers, or phi where no label is shared.

    Of words and many numbers: the correlation ratio of ranks.

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
            return _ranks_differ(number.numbers[both], word.codes[both]), n
        if len(number.labels) > 2 and len(word.labels) == 2:
            truth = codes_among(word, sorted(forms_of(word)))[word.codes].astype(float)
            return abs(_ranks_agree(number.numbers, np.where(truth < 0, np.nan, truth))), n
    names = sorted(forms_of(first) | forms_of(second))
    if len(names) > 60:
        return 0.0, n
    x, y = codes_among(first, names)[a], codes_among(second, names)[b]
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


def codes_among(column: Evidence, names: Sequence[str]) -> Positions:
    """Position among names of each of a column's texts, -1 of others."""
    lookup = {name: k for k, name in enumerate(names)}
    picked = []
    for text in column.texts:
        form = folded(text)
        settled = text not in column.failures and form not in column.absent
        picked.append(lookup.get(NUMBERED.get(form, form), -1) if settled else -1)
    return np.array([*picked, -1], np.int64)


def _ranks_agree(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    settled = ~(np.isnan(x) | np.isnan(y))
    if settled.sum() < 5:
        return 0.0
    a, b = mid_ranks(x[settled]), mid_ranks(y[settled])
    if a.std() == 0 or b.std() == 0:
        return 0.0
    return float(np.corrcoef(a, b)[0, 1])


def _ranks_differ(numbers: NDArray[np.float64], groups: Positions) -> float:
    """Square root of the share of ranks' variance between groups, less what chance puts there."""
    kept = ~np.isnan(numbers)
    ranks, groups = mid_ranks(numbers[kept]), np.unique(groups[kept], return_inverse=True)[1]
    n, k = len(ranks), int(groups.max(initial=-1)) + 1
    if n <= k or k < 2 or ranks.std() == 0:
        return 0.0
    means = np.bincount(groups, ranks) / np.bincount(groups)
    within = float(((ranks - means[groups]) ** 2).sum() / ((ranks - ranks.mean()) ** 2).sum())
    return float(np.sqrt(max(0.0, 1 - within * (n - 1) / (n - k))))


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
PAIR = (
    r"(model|system|sys|assistant|generator|bot|player|engine)(?:[_ ]?(?:a|b|1|2)|[_ ](?:l|r|left|right))"
    r"(?:[_ ](?:id|name))?"
)
"""What the two systems of a pair are called."""

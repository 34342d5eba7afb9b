const reasons = {
  reasons:
    "Pourquoi la question est restée sans réponse, ou ce qui manque à la réponse\u202f; `null` si rien n’a été cherché pour elle.",
  "reasons.code":
    "`no_passage` (rien trouvé), `unknown_words` (mots d’aucune page), `missing_words` (mots absents du passage retenu), `quantity` (le passage ne donne rien du type demandé), `unheaded` (aucun titre ne nomme ce qui est demandé), `uncited` (rien n’a pu être cité) ou `far` (aucun passage assez proche).",
  "reasons.words": "Les mots en cause, comme ils ont été écrits.",
  "reasons.kind": "Type de ce qui manque\u202f; `null` pour une autre raison.",
}

export const assistantFields: Record<string, Record<string, string>> = {
  Project: {
    id: "Identifiant du projet, de 8 à 64 lettres minuscules et chiffres.",
    name: "Nom du projet, tel que la console l’affiche.",
    site: "URL du site ; ses pages peuvent toujours interroger l’assistant.",
    origins: "Autres sites déclarés, d’où l’on peut aussi interroger l’assistant et envoyer des formulaires.",
    language: "Langue de la documentation et des réponses.",
    assistant_enabled: "Faux pour refuser toutes les questions (403 `assistant_disabled`).",
    answers:
      "`written` : rédigées par le modèle de langage du service, s’il en a un ; `extractive` : citées de la documentation, sans qu’aucun modèle distant ne soit interrogé.",
    answer_threshold:
      "Ce qu’il faut de certitude pour citer un passage en réponse\u00a0: `prudent`, `balanced` (équilibré) ou `talkative` (bavard). En dessous, le passage est seulement proposé. Un modèle qui rédige juge lui-même.",
    kind_word:
      "Comment l’assistant nomme le site\u00a0: `documentation`, `site`, ou un nom avec son article, dans la langue du projet, comme `le guide du locataire`.",
    no_answer_more:
      "Phrase ajoutée quand l’assistant ne répond pas, en Markdown simple, 300 caractères au plus\u202f; `null` pour aucune.",
    team_page_listed:
      "Vrai pour que les moteurs de recherche puissent montrer la page des réponses écrites par l’équipe, `/q/<projet>`.",
    mcp_enabled:
      "Vrai pour que des programmes posent des questions et lisent les pages par le Model Context Protocol, à `/mcp/<projet>`.",
    llms_enabled: "Vrai pour publier `/llms/<projet>/llms.txt` et `llms-full.txt`.",
    editions:
      "Versions ou langues de la documentation, 20 au plus, la première par défaut\u00a0: une question reçoit les passages de celle de sa page. La règle la plus longue l’emporte\u202f; une page qui n’en suit aucune vaut pour toutes.",
    "editions.name": "Nom court, par exemple `v2` ou `fr`.",
    "editions.label": "Libellé montré aux visiteurs, par exemple `Version 2`.",
    "editions.rule":
      "Début de chemin (`/v2/`), nom de domaine (`en.exemple.fr`), ou les deux (`docs.exemple.fr/v2/`).",
    edition_fallback:
      "Vrai pour chercher dans la première version ce que celle de la page ne dit pas\u202f; la réponse le signale.",
    per_minute: "Questions par minute pour ce projet ; `null` suit le réglage du service.",
    per_visitor_day: "Questions par visiteur et par jour ; `null` suit le réglage du service.",
    per_day: "Questions par jour pour ce projet ; `null` suit le réglage du service.",
    every_hours: "Nombre d’heures entre deux lectures automatiques ; `null` pour aucune.",
    indexed_at: "Date de la dernière lecture réussie ; `null` tant que la documentation n’est pas lue.",
    created_at: "Date d’ajout du projet.",
  },
  Feed: {
    id: "Identifiant de la source.",
    kind: "Type\u00a0: un dossier, un site dont le plan est cherché, un plan de site, un fichier llms.txt, des pages désignées, des liens à suivre (`crawl`), un dépôt Git (`git`) ou des fichiers envoyés. Un dossier s’ajoute en ligne de commande.",
    address:
      "Dossier, ou URL du dépôt (`https://…/docs.git#branche:dossier`), du site, du plan de site, du fichier llms.txt ou du dossier où se trouvent aussi les fichiers envoyés. Sans URL, `uploads`\u00a0: Guichet les sert lui-même.",
    base_url:
      "Pour un dossier ou un dépôt, l’URL sous laquelle ses pages sont publiées\u202f; pour un dépôt, celle du site sans autre indication.",
    url_style: "Pour un dossier ou un dépôt, la façon dont les noms de fichiers deviennent des URL.",
    generator: "Pour un dossier ou un dépôt, le générateur de site imposé, ou `auto`.",
    generator_found:
      "Pour un dossier, le générateur reconnu à la dernière lecture ; `null` si aucun ne l’a été.",
    include:
      "Motifs\u00a0: seules les pages dont le chemin correspond sont lues, toutes sans motif. `*` vaut dans un segment, `**` à travers.",
    exclude: "Motifs\u00a0: les pages dont le chemin correspond ne sont pas lues.",
    documents:
      "Si les documents que les pages désignent par un lien (PDF, DOCX, ODT) sont lus aussi, 500 au plus. Ceux que la liste nomme elle-même le sont toujours.",
    crawl:
      "Pour des liens à suivre, jusqu’où\u202f; `null` pour tout autre type. `robots.txt`, `nofollow` et `noindex` sont respectés\u202f; les suites d’URL sans fin (calendriers, filtres combinés, sessions) sont reconnues à leur forme.",
    "crawl.depth": "Liens depuis la première page, 20 au plus\u202f; 10 sans autre indication.",
    "crawl.pages": "Pages lues au plus, 20\u00a0000 au plus\u202f; 2\u00a0000 sans autre indication.",
    "crawl.parameters":
      "Paramètres d’URL qui distinguent une page d’une autre, 10 au plus. Les autres sont retirés des URL.",
    pages: "Pour des pages désignées, leurs URL, 1\u00a0000 au plus.",
    headers:
      "En-têtes que le site demande, `Cookie` par exemple\u00a0: 10 au plus, envoyés au nom de domaine de `address` seulement, en https. Leurs valeurs sont chiffrées et jamais montrées\u202f; à l’écriture, la liste remplace la précédente, et sans elle rien ne change. Ce qui est lu ainsi pourra être cité à tout visiteur.",
    "headers.name":
      "Nom de l’en-tête. Refusés\u00a0: ceux que Guichet ou HTTP écrivent (`content-*`, `host`, `user-agent`…).",
    "headers.value":
      "Valeur, en ASCII sur une ligne. Absente, celle qui est enregistrée sous ce nom est gardée.",
    token:
      "Jeton qui permet de lire un dépôt Git, seul ou sous la forme `nom:jeton`. Chiffré et jamais montré\u00a0: il devient l’en-tête `authorization` de la source, qu’une liste `headers` vide retire.",
    last_read_at: "Date de la dernière lecture.",
  },
  Files: {
    files: "De 1 à 100 fichiers. Un ZIP vaut pour les documents qu’il contient.",
    "files.name":
      "Nom avec son extension, précédé de ses dossiers\u00a0: `guide/installation.md`. Un fichier du même nom est remplacé.",
    "files.content": "Contenu en base64\u202f; le corps entier compte 16\u00a0Mo au plus.",
  },
  File: {
    id: "Identifiant du fichier, gardé quand un autre prend son nom.",
    name: "Nom, précédé de ses dossiers.",
    url: "URL des passages cités\u00a0: sous celle de la source, ou chez Guichet, en pièce jointe.",
    bytes: "Taille en octets.",
    media_type: "Type, jugé par le contenu.",
    created_at: "Date d’envoi.",
  },
  UploadedFiles: {
    items: "Fichiers gardés.",
    others: "Nombre de fichiers des ZIP qui ne sont pas des documents, et ne sont pas gardés.",
    left_out:
      "Fichiers des ZIP qui n’ont pas été gardés, 200 au plus\u202f; ceux qui ne sont pas des documents viennent en dernier.",
    "left_out.name": "Nom du fichier, précédé de celui de son ZIP.",
    "left_out.reason": "Raison, en français.",
  },
  IndexRun: {
    force: "Vrai pour lire même si plus de la moitié des documents devaient disparaître.",
    state: "En attente, en cours, terminée ou interrompue.",
    started_at: "Début de la lecture.",
    ended_at: "Fin de la lecture.",
    phase: "Étape en cours : lecture des pages, construction de l’index ou calcul des vecteurs.",
    done: "Nombre d’éléments traités dans cette étape.",
    total: "Nombre d’éléments à traiter, quand il est connu.",
    outcome: "Bilan de la lecture, ou ce qui l’a empêchée.",
    "outcome.documents": "Nombre de pages dans l’index.",
    "outcome.passages": "Nombre de passages dans l’index.",
    "outcome.unchanged": "Nombre de pages inchangées.",
    "outcome.removed": "Nombre de pages disparues.",
    "outcome.seconds": "Durée, en secondes.",
    "outcome.skipped": "Nombre de pages laissées de côté.",
    "outcome.failed":
      "Nombre de pages qui n’ont pas pu être lues cette fois\u00a0: leur dernière version est gardée.",
    "outcome.pages": "Nombre de pages que la lecture a essayées.",
    "outcome.vectorFailure": "Pourquoi seuls les mots cherchent les passages (texte technique).",
    "outcome.refused": "Sources qui n’ont pas pu être lues.",
    "outcome.refused.reason": "La même chose avec les détails techniques, en anglais.",
    "outcome.refused.feedId": "Identifiant de la source.",
    "outcome.trouble": "Ce qui a empêché la lecture entière.",
    "outcome.trouble.reason": "La même chose avec les détails techniques, en anglais.",
  },
  Document: {
    id: "Identifiant de la page.",
    kind: "Type de la page si elle passe après les autres dans les réponses, sauf quand la question la demande\u00a0: `news` (actualités, notes de version), `legal` (mentions légales, conditions) ou `reference` (référence d’une API, README)\u202f; `null` pour toute autre page.",
    format:
      "Format d’un document lu avec les pages\u00a0: `pdf`, `docx`, `odt` ou `openapi`\u202f; `null` pour une page. L’URL d’une source dans un PDF mène à sa page (`#page=3`).",
  },
  Page: {
    id: "Identifiant de la page ; `null` si elle a été laissée de côté.",
    page: "Nom de la page dans sa source.",
    reason:
      "Raison pour laquelle la page entière a été laissée de côté, sous forme de code ; `null` si elle a été lue.",
    detail: "Précision sur cette raison, en français, ou en anglais selon `Accept-Language`.",
    text: "Ce qui a été lu, section par section.",
    "text.headings": "Titres de la section, du plus haut au sien.",
    "text.anchor": "Ancre de la section.",
    "text.markdown": "Texte de la section, en Markdown.",
    truncated: "Vrai si le texte lu continue après `text`.",
    left_out: "Parties de la page qui n’ont pas été lues.",
    "left_out.reason": "Raison, sous forme de code.",
    "left_out.why": "La même raison, en français, ou en anglais selon `Accept-Language`.",
    "left_out.text": "Premiers mots de la partie.",
  },
  LeftOutPage: {
    feed: "Identifiant de la source.",
    page: "Nom de la page dans cette source.",
    reason: "Raison, sous forme de code.",
    detail: "Détail technique, s’il y en a un.",
  },
  Synonyms: {
    id: "Identifiant du groupe.",
    words: "De 2 à 10 mots ou expressions courtes de même sens, de 60 caractères au plus chacun.",
    created_at: "Date d’ajout du groupe.",
  },
  Answer: {
    id: "Identifiant de la réponse.",
    question: "Question telle qu’elle a été posée.",
    page: "Chemin de la page d’où elle a été posée, s’il est connu.",
    status: "`answered` ou `no_answer`.",
    answer: "Réponse donnée, en Markdown.",
    ...reasons,
    useful: "Avis du visiteur ; `null` s’il n’en a pas donné.",
    reason: "Raison donnée avec un avis défavorable.",
    opened:
      "Numéros des passages proposés sous la réponse, ou à sa place, que le visiteur a ouverts ; vide s’il n’en a ouvert aucun.",
    conversation:
      "Identifiant de la première réponse de la conversation ; `null` si la question n’en suit aucune autre.",
    chosen_answer: "Identifiant de celle de vos réponses qui a été donnée ; `null` pour toute autre.",
    confidence:
      "Probabilité estimée, de 0 à 1, que ce qui a été trouvé réponde\u202f; `null` si rien n’a été jugé.",
    via: "Par quoi elle a été posée\u00a0: `mcp` pour un programme, `null` pour un visiteur.",
    asked_at: "Date de la question.",
  },
  AnswerStatistics: {
    asked: "Nombre de questions posées.",
    answered: "Nombre de questions qui ont reçu une réponse.",
    useful: "Nombre d’avis favorables.",
    useless: "Nombre d’avis défavorables.",
    opened:
      "Nombre de questions dont le visiteur a ouvert un passage proposé sous la réponse, ou à sa place.",
    days: "Les mêmes nombres, jour par jour.",
    "days.day": "Jour, dans le fuseau horaire du service.",
    "days.asked": "Questions posées ce jour-là.",
    "days.answered": "Questions répondues ce jour-là.",
    unanswered:
      "Questions sans réponse, groupées par sens, les plus fréquentes d’abord ; 100 groupes au plus.",
    "unanswered.question": "Question qui représente le groupe.",
    "unanswered.state": "`open`, `treated` ou `off_topic`.",
  },
  Trial: {
    question: "Question à essayer ; elle n’est ni comptée ni conservée.",
    page: "Chemin de la page où elle est posée, commençant par `/`, de 512 caractères au plus.",
    edition: "Nom de la version interrogée, à la place de celle de la page.",
    status: "`answered` ou `no_answer`.",
    answer: "Réponse que recevrait un visiteur.",
    ...reasons,
    answerable: "Vrai si les passages trouvés suffisent à répondre.",
    confidence: "Degré de confiance de cette décision.",
    passages: "Passages trouvés, le meilleur d’abord.",
    "passages.url": "URL du passage.",
    "passages.score": "Score total du passage.",
  },
  ChosenAnswer: {
    id: "Identifiant de votre réponse.",
    questions: "Façons de poser la même question.",
    answer:
      "Votre réponse, en Markdown simple ; `[^n]` renvoie à la source de rang n, et une source sans repère est citée à la fin.",
    sources:
      "Passages ou pages de l’index sur lesquels la réponse s’appuie\u202f; sans eux, la réponse cite la page des réponses de l’équipe, qui la montre.",
    "sources.url": "URL du passage.",
    "sources.title": "Titre de la page.",
    "sources.found": "Vrai si l’index contient encore ce passage.",
    given: "Faux tant qu’aucune de ses sources n’est dans l’index : elle est alors mise de côté.",
    created_at: "Date d’ajout.",
    changed_at: "Date de la dernière modification.",
  },
  Gap: {
    id: "Identifiant de la plus récente des réponses concernées.",
    question: "Question, sous sa forme la plus fréquente.",
    state: "`open`, `treated` ou `off_topic` ; redevient `open` si elle est posée après avoir été traitée.",
    nearest: "Pages les plus proches ; aucune pour ce dont la documentation ne parle pas.",
  },
  GapMails: { operators: "Identifiants des personnes qui reçoivent l’e-mail de la semaine." },
  EvaluationQuestion: {
    id: "Identifiant de la question d’évaluation.",
    question: "Question à poser après chaque lecture.",
    page: "URL ou chemin d’une page que la réponse doit citer.",
    text: "Texte que la réponse doit contenir.",
    created_at: "Date d’ajout.",
  },
  EvaluationRun: {
    id: "Identifiant de l’évaluation.",
    started_at: "Début de l’évaluation.",
    ended_at: "Fin de l’évaluation ; `null` tant qu’elle est en cours.",
    total: "Nombre de questions posées.",
    passed: "Nombre de réponses conformes à ce qui est attendu.",
    lost: "Réponses conformes perdues depuis l’évaluation de référence.",
    accepted: "Vrai si vous acceptez ces pertes.",
    results: "Résultat de chaque question.",
    "results.question": "Identifiant de la question d’évaluation.",
    "results.outcome": "Conforme, sans réponse, autre page ou autre texte.",
  },
  StartedEvaluation: { id: "Identifiant de l’évaluation commencée." },
}

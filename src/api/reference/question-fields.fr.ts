/** The sentences of `fields` for chosen answers, gaps and the evaluation set. */
export const questionFields: Record<string, Record<string, string>> = {
  ChosenAnswer: {
    id: "Identifiant de la réponse choisie.",
    questions: "De 1 à 10 formulations d’une même question.",
    answer:
      "Réponse en Markdown simple, de 5 000 caractères au plus ; `[^n]` renvoie à la n-ième source, et une source sans repère est citée à la fin.",
    sources: "De 1 à 10 passages ou pages de l’index ; on les envoie sous forme d’adresses.",
    "sources.url": "Adresse du passage.",
    "sources.title": "Titre de la page ; `null` si elle n’est plus dans l’index.",
    "sources.section": "Section de la page, ou `null`.",
    "sources.found": "Vrai si le passage est dans l’index.",
    given: "Faux tant qu’aucune de ses sources n’est dans l’index : l’assistant répond alors lui-même.",
    created_at: "Date de création.",
    changed_at: "Date de la dernière modification.",
  },
  Gap: {
    id: "Identifiant de la dernière de ces réponses.",
    question: "Formulation la plus fréquente.",
    others: "Autres formulations.",
    times: "Nombre de fois où elle a été posée.",
    last_at: "Date de la dernière fois.",
    state:
      "`open`, `treated` (traitée) ou `off_topic` (hors sujet) ; une question traitée redevient `open` si elle est posée à nouveau.",
    nearest: "Pages qui s’en approchaient ; vide pour ce dont la documentation ne parle pas.",
    "nearest.title": "Titre de la page.",
    "nearest.section": "Section de la page, ou `null`.",
    "nearest.url": "Adresse de la page.",
  },
  GapMails: {
    operators: "Identifiants des personnes de l’espace qui reçoivent le message ; les autres sont ignorés.",
  },
  EvaluationQuestion: {
    id: "Identifiant de la question.",
    question: "Question dont la bonne réponse est connue.",
    page: "Adresse ou chemin de la page que la réponse doit citer.",
    text: "Texte que la réponse doit contenir ; il faut une page, un texte ou les deux.",
    created_at: "Date d’ajout.",
  },
  EvaluationRun: {
    id: "Identifiant de l’évaluation.",
    started_at: "Date de début.",
    ended_at: "Date de fin ; `null` tant qu’elle est en cours.",
    total: "Nombre de questions posées.",
    passed: "Nombre de réponses comme prévu.",
    lost: "De combien ce nombre a baissé, sur les questions communes, depuis l’évaluation à laquelle elle est comparée.",
    accepted: "Vrai si la baisse est voulue : les suivantes sont comparées à celle-ci.",
    results: "Résultat de chaque question.",
    "results.question": "Identifiant de la question.",
    "results.outcome":
      "`passed`, `unanswered` (sans réponse), `other_page` (cite une autre page) ou `other_text` (sans le texte prévu).",
  },
  StartedEvaluation: { id: "Identifiant de l’évaluation qui commence." },
}

/** French messages of the box where an operator tries a question. */
export const messages = {
  title: "Essayer une question",
  hint: "Comme un visiteur, sans que la question soit comptée ni gardée.",
  question: "Question",
  ask: "Poser la question",
  notIndexed: "Le projet n’a pas encore d’index\u00a0: ajoutez d’abord une source.",
  toIndexing: "Ouvrir la page Indexation",
  answered: "avec réponse",
  refused: "sans réponse",
  answer: "Réponse",
  sources: "Sources citées",
  why: "Pourquoi",
  whyAnswered: (confidence: string) =>
    `L’assistant a répondu\u00a0: il estime à ${confidence} la probabilité que la documentation réponde, et il en faut 50\u202f%.`,
  whyRefused: (confidence: string) =>
    `L’assistant n’a pas répondu\u00a0: il estime à ${confidence} seulement la probabilité que la documentation réponde, et il en faut 50\u202f%.`,
  whyNothing:
    "Les passages semblaient convenir, mais aucune phrase n’a pu être citée avec sa source\u00a0: l’assistant préfère alors ne pas répondre.",
  whyAsked: (confidence: string) =>
    `Les mots seuls donnaient ${confidence} de probabilité\u00a0: le sens des passages, ou le modèle de langage, a emporté la décision.`,
  window: "Part de la question retrouvée dans un même extrait",
  head: "Part de la question retrouvée dans les titres",
  unknown: "Mots de la question que la documentation n’emploie jamais",
  passages: "Passages trouvés, du meilleur au moins bon",
  noPassage: "Aucun passage ne partage un mot avec cette question.",
  cited: "cité",
  score: (score: string) => `score ${score}`,
}

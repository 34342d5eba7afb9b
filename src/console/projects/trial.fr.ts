export const words = {
  title: "Essayer une question",
  hint: "Comme un visiteur, sans que la question soit comptée ni gardée.",
  question: "Question",
  edition: "Version ou langue",
  ask: "Poser la question",
  notIndexed: "La documentation n’a pas encore été lue\u00a0: ajoutez d’abord une source à lire.",
  toIndexing: "Ouvrir la page Documentation",
  answered: "avec réponse",
  refused: "sans réponse",
  answer: "Réponse",
  sources: "Sources citées",
  why: "Pourquoi",
  whyAnswered: (confidence: string, least: string) =>
    `L’assistant a répondu\u00a0: il estime à ${confidence} la probabilité que la documentation réponde, et il en faut ${least}.`,
  whyRefused: (confidence: string, least: string) =>
    `L’assistant n’a pas répondu\u00a0: il estime à ${confidence} seulement la probabilité que la documentation réponde, et il en faut ${least}.`,
  whyNothing:
    "Les passages semblaient convenir, mais aucune phrase n’a pu être citée avec sa source\u00a0: l’assistant préfère alors ne pas répondre.",
  whyAsked: (confidence: string) =>
    `La probabilité estimée n’était que de ${confidence}\u00a0: le modèle de langage, qui juge lui-même les passages trouvés, a répondu.`,
  quotationJudged:
    "Il a jugé l’extrait qu’il citerait, par son sens et par ses mots. Les ressemblances vont d’ordinaire de 0,75 à 0,95\u00a0: seules leurs différences comptent.",
  nothingJudged: "Il n’y avait aucun passage à juger.",
  meaningOff:
    "Il a jugé les passages sur leurs mots seuls\u00a0: la recherche par le sens est désactivée (GUICHET_EMBEDDING=none).",
  meaningFollows:
    "Il a jugé les passages sur leurs mots seuls\u00a0: la recherche par le sens se prépare encore. Essayez à nouveau dans quelques minutes.",
  meaningBusy:
    "Il a jugé les passages sur leurs mots seuls\u00a0: le modèle du sens était occupé, ou la recherche n’a rien donné à citer. Essayez à nouveau.",
  otherModel:
    "Le sens a aidé à trouver les passages, mais les mots seuls ont décidé\u00a0: la décision sur le sens ne vaut que pour le modèle intégré, et s’il y a un extrait à citer.",
  meaning: "Ressemblance de sens entre la question et l’extrait",
  belonging: "Ressemblance de sens avec l’ensemble de la documentation",
  wordsHeld: "Mots de la question présents dans l’extrait",
  orMore: (words: number) => `${words} ou plus`,
  pageCoverage: "Part de la question que la page citée reprend",
  window: "Part de la question retrouvée dans un même extrait",
  head: "Part de la question retrouvée dans les titres",
  unknown: "Mots de la question que la documentation n’emploie jamais",
  details: (passages: number) =>
    passages === 0 ? "Ce qui a été jugé" : `Ce qui a été jugé, et les passages trouvés (${passages})`,
  passages: "Passages trouvés, du meilleur au moins bon",
  noPassage: "Aucun passage ne partage un mot avec cette question.",
  cited: "cité",
  score: (score: string, words: string) => `score ${score} (mots ${words})`,
  scores: (score: string, words: string, meaning: string) =>
    `score ${score} (mots ${words}, sens ${meaning})`,
  chosen: "C’est l’une de vos réponses, qui est donnée pour la question",
  chosenLikeness: (likeness: string) =>
    `(ressemblance\u00a0: ${likeness}). La documentation n’a pas été consultée.`,
}

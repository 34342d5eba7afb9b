/** Texts within an answer. */
export const answerWords = {
  fr: {
    sources: "Sources",
    source: (n: number, title: string) => `Source ${n}\u00a0: ${title}`,
    code: "Code",
    table: "Tableau",
    copy: "Copier",
    copied: "Copié",
  },
  en: {
    sources: "Sources",
    source: (n: number, title: string) => `Source ${n}, ${title}`,
    code: "Code",
    table: "Table",
    copy: "Copy",
    copied: "Copied",
  },
}

export type AnswerWords = typeof answerWords.fr

/**
 * Texts of the widget itself. Texts from the server are shown as they come, and three of these give way to it:
 * `assistant`, `notice` and `searching` then name the site.
 */
export const widgetWords = {
  fr: {
    assistant: "Assistant",
    open: "Poser une question",
    close: "Fermer",
    intro: "Posez votre question en une phrase, avec vos mots.",
    question: "Votre question",
    send: "Envoyer",
    notice:
      "Les réponses sont produites automatiquement\u00a0: vérifiez les sources. N’indiquez aucune donnée personnelle.",
    tooShort: "Écrivez une question d’au moins 2 caractères.",
    searching: "Recherche…",
    ready: (sources: number) =>
      sources > 1
        ? `Réponse prête, ${sources} sources`
        : sources
          ? "Réponse prête, 1 source"
          : "Réponse prête",
    unanswered: "Aucune réponse trouvée",
    opinion: "Votre avis",
    useful: "Utile",
    useless: "Pas utile",
    thanks: "Merci pour votre avis.",
    offline: "L’envoi n’a pas abouti\u00a0: vérifiez votre connexion, puis réessayez.",
    unreadable: "La réponse est illisible. Réessayez dans quelques instants.",
    renew: "Nouvelle conversation",
    why: "Pourquoi\u202f?",
    reasons: {
      wrong: "Elle est fausse",
      incomplete: "Elle est incomplète",
      outdated: "Elle n’est plus à jour",
      other: "Autre raison",
    },
  },
  en: {
    assistant: "Assistant",
    open: "Ask a question",
    close: "Close",
    intro: "Ask your question in one sentence, in your own words.",
    question: "Your question",
    send: "Send",
    notice: "Answers are produced automatically, so check the sources. Do not enter personal data.",
    tooShort: "Write a question of at least 2 characters.",
    searching: "Searching…",
    ready: (sources: number) =>
      sources > 1 ? `Answer ready, ${sources} sources` : sources ? "Answer ready, 1 source" : "Answer ready",
    unanswered: "No answer found",
    opinion: "Your opinion",
    useful: "Helpful",
    useless: "Not helpful",
    thanks: "Thank you for your opinion.",
    offline: "Sending failed. Check your connection, then try again.",
    unreadable: "The answer cannot be read. Try again in a moment.",
    renew: "New conversation",
    why: "Reason",
    reasons: {
      wrong: "It is wrong",
      incomplete: "It is incomplete",
      outdated: "It is out of date",
      other: "Another reason",
    },
  },
}

export type WidgetWords = AnswerWords & typeof widgetWords.fr
export type Language = keyof typeof widgetWords

/** Texts of the form helper itself. */
export const formWords = {
  fr: {
    checking: "Un instant…",
    sending: "Envoi en cours…",
    sent: "Merci\u202f! Votre message a bien été envoyé.",
    offline: "L’envoi n’a pas abouti\u00a0: vérifiez votre connexion, puis réessayez. Rien n’est perdu.",
    unreadable: "Le service ne répond pas comme prévu. Réessayez dans quelques instants.",
  },
  en: {
    checking: "One moment…",
    sending: "Sending…",
    sent: "Thank you. Your response has been sent.",
    offline: "Sending failed. Check your connection, then try again. Nothing is lost.",
    unreadable: "The service does not reply as expected. Try again in a moment.",
  },
}

/** Texts of the contact form in the panel. */
export const contactWords = {
  fr: {
    title: "Nous écrire",
    cancel: "Annuler",
  },
  en: {
    title: "Write to us",
    cancel: "Cancel",
  },
}

/** Texts of the pages that may help, in place of an answer or beside it. */
export const relatedWords = {
  fr: {
    unansweredWithPages: (pages: number) =>
      `Aucune réponse trouvée, ${pages} ${pages > 1 ? "pages peuvent" : "page peut"} aider`,
    related: "Ces pages peuvent aider",
    other: "Ce n’est pas cela\u202f?",
    source: "Source\u00a0:",
  },
  en: {
    unansweredWithPages: (pages: number) =>
      `No answer found, ${pages} ${pages === 1 ? "page" : "pages"} may help`,
    related: "These pages may help",
    other: "Other passages",
    source: "Source:",
  },
}

/** Texts around an answer that is shown before a form is sent. */
export const offerWords = {
  fr: {
    isThis: "Est-ce la réponse\u202f?",
    elsewhere: "(nouvel onglet)",
    yes: "Oui, c’est la réponse",
    no: "Envoyer quand même",
    solved: "Tant mieux\u202f! Rien n’a été envoyé.",
  },
  en: {
    isThis: "This may be the answer",
    elsewhere: "(new tab)",
    yes: "Yes, that is the answer",
    no: "Send anyway",
    solved: "Good. Nothing was sent.",
  },
}

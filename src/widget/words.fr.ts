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

/** `source` in either language. */
function counted(sources: number): string {
  const ending = sources > 1 ? "s" : ""
  return sources > 0 ? `, ${sources} source${ending}` : ""
}

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
    notice: "Réponses automatiques\u00a0: vérifiez les sources.",
    tooShort: "Écrivez une question d’au moins 2 caractères.",
    searching: "Recherche…",
    ready: (sources: number) => `Réponse prête${counted(sources)}`,
    unanswered: "Aucune réponse trouvée",
    opinion: "Votre avis",
    useful: "Utile",
    useless: "Pas utile",
    offline: "L’envoi n’a pas abouti\u00a0: vérifiez votre connexion, puis réessayez.",
    unreadable: "La réponse est illisible. Réessayez dans quelques instants.",
    renew: "Nouvelle conversation",
  },
  en: {
    assistant: "Assistant",
    open: "Ask a question",
    close: "Close",
    intro: "Ask your question in one sentence, in your own words.",
    question: "Your question",
    send: "Send",
    notice: "Answers are automatic, so check the sources.",
    tooShort: "Write a question of at least 2 characters.",
    searching: "Searching…",
    ready: (sources: number) => `Answer ready${counted(sources)}`,
    unanswered: "No answer found",
    opinion: "Your opinion",
    useful: "Helpful",
    useless: "Not helpful",
    offline: "Sending failed. Check your connection, then try again.",
    unreadable: "The answer cannot be read. Try again in a moment.",
    renew: "New conversation",
  },
}

export type WidgetWords = AnswerWords & typeof widgetWords.fr & ReasonWords

/** Come with the settings; without them, the widget neither thanks for an opinion nor asks for its reason. */
export interface ReasonWords {
  thanks?: string
  why?: string
  reasons?: Record<string, string>
}

export type Language = keyof typeof widgetWords

/** Texts of the form helper itself. */
export const formWords = {
  fr: {
    checking: "Un instant…",
    sending: "Envoi en cours…",
    sent: "Merci\u202f! Votre message a bien été envoyé.",
    offline: "L’envoi n’a pas abouti\u00a0: vérifiez votre connexion, puis réessayez. Rien n’est perdu.",
    prevented:
      "L’envoi n’a pas abouti\u00a0: la connexion, une extension du navigateur ou cette page l’empêche. Réessayez, ou écrivez-nous autrement. Rien n’est perdu.",
    notSent: "Votre message n’a pas été envoyé\u00a0: corrigez les champs indiqués.",
    unreadableFile: (name: string) =>
      `«\u00a0${name}\u00a0» n’est plus lisible sur votre appareil\u00a0: choisissez-le de nouveau.`,
    unreadable: "Le service ne répond pas comme prévu. Réessayez dans quelques instants.",
  },
  en: {
    checking: "One moment…",
    sending: "Sending…",
    sent: "Thank you. Your response has been sent.",
    offline: "Sending failed. Check your connection, then try again. Nothing is lost.",
    prevented:
      "Sending failed. The connection, a browser extension or this page prevents it. Try again, or write to us another way. Nothing is lost.",
    notSent: "Your message was not sent. Correct the fields shown.",
    unreadableFile: (name: string) => `“${name}” can no longer be read on your device. Choose it again.`,
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

/** Texts of the passages that may help, in place of an answer or beside it. */
export const relatedWords = {
  fr: {
    unansweredWithPages: (pages: number) =>
      `Aucune réponse trouvée, ${pages} ${pages > 1 ? "pages peuvent" : "page peut"} aider`,
    related: "Peut-être ici",
    other: "Ce n’est pas cela\u202f?",
    source: "Source\u00a0:",
  },
  en: {
    unansweredWithPages: (pages: number) =>
      `No answer found, ${pages} ${pages === 1 ? "page" : "pages"} may help`,
    related: "Perhaps here",
    other: "Other passages",
    source: "Source:",
  },
}

/** Texts around an answer that is shown before a form is sent. */
export const offerWords = {
  fr: {
    notSent: "Votre message n’est pas encore envoyé",
    isThis: "Est-ce la réponse\u202f?",
    elsewhere: "(nouvel onglet)",
    yes: "Oui, c’est la réponse",
    no: "Envoyer mon message",
    solved: "Tant mieux\u202f! Rien n’a été envoyé.",
  },
  en: {
    notSent: "Your message is not sent",
    isThis: "This may be the answer",
    elsewhere: "(new tab)",
    yes: "Yes, this is the answer",
    no: "Send my message",
    solved: "Nothing was sent.",
  },
}

/** Texts of the search in the panel. */
export const searchWords = {
  fr: {
    search: "Rechercher une page",
    results: "Pages trouvées",
    none: "Aucune page trouvée",
    found: (pages: number) => `${pages} ${pages > 1 ? "pages trouvées" : "page trouvée"}`,
    ask: (text: string) => `Demander à l’assistant\u00a0: ${text}`,
    failed: "La recherche ne répond pas. Réessayez dans un instant.",
  },
  en: {
    search: "Search pages",
    results: "Pages found",
    none: "No page found",
    found: (pages: number) => `${pages} ${pages > 1 ? "pages" : "page"} found`,
    ask: (text: string) => `Ask the assistant › ${text}`,
    failed: "The search does not reply. Try again in a moment.",
  },
}

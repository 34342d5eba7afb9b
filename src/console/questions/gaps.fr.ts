export const words = {
  intro: (isEditor: boolean) =>
    `Les questions restées sans réponse, regroupées par ce qu’elles demandent.${isEditor ? " Écrivez la réponse vous-même, complétez la documentation, ou écartez ce qui ne la concerne pas." : ""}`,
  states: {
    open: "À traiter",
    treated: "Traitées",
    off_topic: "Hors sujet",
  },
  stateNav: "Questions sans réponse, par état",
  withCount: (name: string, count: number) => `${name} (${count.toLocaleString("fr")})`,
  none: {
    open: "Rien à traiter\u00a0: toutes les questions de la période ont eu une réponse, ou sont déjà traitées.",
    treated: "Aucune question n’est marquée comme traitée sur cette période.",
    off_topic: "Aucune question n’est marquée hors sujet sur cette période.",
  },
  near: "Proches de votre documentation",
  far: "Loin de votre documentation",
  farHint: "Aucune page ne s’en approchait quand elles ont été posées\u00a0: souvent, elles sont hors sujet.",
  last: (at: string) => `la dernière le ${at}`,
  nearest: "Au plus près\u00a0:",
  back: "posée à nouveau",
  backHint: "Quelqu’un l’a posée depuis que vous l’avez traitée, sans obtenir de réponse.",
  read: "documentation relue depuis",
  treat: "Traité",
  treatNamed: (question: string) => `Marquer comme traitée\u00a0: ${question}`,
  setOffTopic: "Hors sujet",
  offTopicNamed: (question: string) => `Marquer hors sujet\u00a0: ${question}`,
  reopen: "Remettre à traiter",
  reopenNamed: (question: string) => `Remettre à traiter\u00a0: ${question}`,
  retry: "Essayer à nouveau",
  retryNamed: (question: string) => `Essayer à nouveau\u00a0: ${question}`,
  retryAll: (count: number, maximum: number) =>
    count <= maximum
      ? "Essayer à nouveau toutes les questions à traiter"
      : `Essayer à nouveau les ${maximum} questions les plus posées`,
  retryHint:
    "Rien n’est compté ni gardé\u00a0: vous voyez seulement ce que l’assistant répondrait maintenant.",
  wouldAnswer: "aurait une réponse maintenant",
  wouldNot: "toujours sans réponse",
  retried: (answered: number, tried: number) =>
    answered === 0
      ? `${questionCount(tried)} ${tried < 2 ? "essayée" : "essayées"} à nouveau\u00a0: toujours sans réponse.`
      : `${answered.toLocaleString("fr")} sur ${questionCount(tried)} ${answered < 2 ? "aurait" : "auraient"} une réponse maintenant.`,
  treatAnswered: (count: number) =>
    count < 2 ? "Marquer cette question comme traitée" : `Marquer ces ${count} questions comme traitées`,
  seeAnswer: "Voir cette réponse",
  mails: "Recevoir un e-mail chaque semaine",
  mailsHint:
    "Le lundi matin, les personnes cochées reçoivent le bilan de la semaine («\u00a012 questions, 2 sans réponse, 3 messages\u00a0»), avec les questions sans réponse. Elles sont aussi prévenues quand l’évaluation baisse. Sans rien de nouveau, rien n’est envoyé.",
  noMail: "Aucun serveur d’e-mails n’est configuré\u00a0: rien n’est envoyé pour le moment.",
  marked: (state: "open" | "treated" | "off_topic", question: string, count: number) =>
    count < 2
      ? `«\u00a0${question}\u00a0» ${markedAs[state][0]}.`
      : `${questionCount(count)} ${markedAs[state][1]}.`,
  mailsSaved: "Les destinataires sont enregistrés.",
}

/** For one question, and for several. */
const markedAs = {
  open: ["est de nouveau à traiter", "sont de nouveau à traiter"],
  treated: ["est marquée comme traitée", "sont marquées comme traitées"],
  off_topic: ["est marquée hors sujet", "sont marquées hors sujet"],
} as const

function questionCount(count: number): string {
  return `${count.toLocaleString("fr")} ${count < 2 ? "question" : "questions"}`
}

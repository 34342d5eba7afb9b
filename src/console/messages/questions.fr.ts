import type { FeedbackReason } from "../../assistant/ask/feedback.ts"

/** French messages of the page about visitors' questions. */
export const messages = {
  title: "Questions",
  kept: (days: number) =>
    `Les questions et les réponses sont effacées après ${days.toLocaleString("fr")}\u00a0jours.`,
  none: "Aucune question sur cette période.",
  noneYet:
    "Dès que des visiteurs poseront des questions, vous verrez ici lesquelles, et ce qui manque à la documentation.",
  period: "Période",
  days: (days: number) => `${days}\u00a0derniers jours`,
  show: "Afficher",
  asked: "Questions posées",
  answered: "Avec réponse",
  useful: "Avis «\u00a0utile\u00a0»",
  useless: "Avis «\u00a0pas utile\u00a0»",
  overTime: "Part des questions avec réponse",
  chart: (from: string, to: string, share: string) =>
    `Courbe de la part des questions avec réponse, du ${from} au ${to}\u00a0: ${share} sur l’ensemble. Le tableau ci-dessous donne les chiffres.`,
  legend: (most: number) =>
    `Courbe\u00a0: la part avec réponse. Barres\u00a0: le nombre de questions, ${most.toLocaleString("fr")} pour la plus haute.`,
  table: "Les chiffres, période par période",
  day: "Période",
  share: "Part avec réponse",
  weekOf: (day: string) => `semaine du ${day}`,
  missing: "Ce qui manque à la documentation",
  missingHint: "Les questions restées sans réponse, regroupées par ce qu’elles demandent.",
  nothingMissing: "Toutes les questions de la période ont eu une réponse.",
  times: (times: number) => `${times.toLocaleString("fr")}\u00a0fois`,
  last: (at: string) => `la dernière fois le ${at}`,
  others: (count: number) =>
    count < 2 ? "Autre formulation" : `${count.toLocaleString("fr")} autres formulations`,
  list: "Questions posées",
  filter: "Montrer",
  filters: {
    all: "toutes les questions",
    no_answer: "celles sans réponse",
    answered: "celles avec réponse",
    useless: "celles dont la réponse n’a pas été utile",
    useful: "celles dont la réponse a été utile",
  },
  noAnswer: "sans réponse",
  courtesies: { greeting: "salut", thanks: "remerciement" },
  wasUseful: "utile",
  wasUseless: "pas utile",
  wasUselessBecause: {
    wrong: "pas utile\u00a0: fausse",
    incomplete: "pas utile\u00a0: incomplète",
    outdated: "pas utile\u00a0: plus à jour",
    other: "pas utile\u00a0: autre raison",
  } satisfies Record<FeedbackReason, string>,
  from: (page: string) => `depuis ${page}`,
  seeAnswer: "Voir la réponse",
  related: (count: number) => (count < 2 ? "La page proposée à la place" : "Les pages proposées à la place"),
  why: "Voir pourquoi",
  whyNamed: (question: string) => `Voir pourquoi\u00a0: ${question}`,
  whyHint:
    "«\u00a0Voir pourquoi\u00a0» pose la question à nouveau, seule, sans la compter ni la garder, et montre ce qui décide.",
  download: "Télécharger en CSV",
}

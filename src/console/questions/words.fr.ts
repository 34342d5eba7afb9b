import type { FeedbackReason } from "../../answering/ask/feedback.ts"
import { courtesies } from "../../wording/questions-csv.ts"

const openedPassage = { answered: "un autre passage que la réponse", no_answer: "un passage proposé" }

export const words = {
  kept: (days: number) =>
    `Les questions et les réponses sont effacées après ${days.toLocaleString("fr")}\u00a0jours.`,
  none: "Aucune question sur cette période.",
  noneYet:
    "Dès que des visiteurs poseront des questions, vous verrez ici lesquelles, et ce qui manque à la documentation.",
  period: "Période",
  days: (days: number) => `${days}\u00a0derniers jours`,
  asked: "Questions posées",
  answered: "Avec réponse",
  useful: "Avis «\u00a0utile\u00a0»",
  useless: "Avis «\u00a0pas utile\u00a0»",
  opened: "Passage proposé ouvert",
  overTime: "Évolution",
  chart: (from: string, to: string, share: string) =>
    `Questions avec et sans réponse, du ${from} au ${to}\u00a0: ${share} avec réponse sur l’ensemble.`,
  day: "Période",
  share: "de réponses",
  weekOf: (day: string) => `semaine du ${day}`,
  times: (times: number) => `${times.toLocaleString("fr")}\u00a0fois`,
  others: (count: number) =>
    count < 2 ? "Autre formulation" : `${count.toLocaleString("fr")} autres formulations`,
  tabs: "Questions du projet",
  tabNames: {
    questions: "Questions",
    gaps: "Ce qui manque",
    chosen: "Vos réponses",
    synonyms: "Synonymes",
    evaluation: "Évaluation",
  },
  page: "Page du site",
  allPages: "toutes les pages",
  before: (change: string, days: number) => `${change} par rapport aux ${days}\u00a0jours d’avant`,
  same: (days: number) => `comme les ${days}\u00a0jours d’avant`,
  points: (points: number) =>
    `${points > 0 ? "+" : "−"}${Math.abs(points).toLocaleString("fr")}\u00a0${Math.abs(points) < 2 ? "point" : "points"}`,
  frequent: "Les plus posées",
  noFrequent: "Aucune question n’a été posée plusieurs fois.",
  cited: "Les pages les plus citées",
  noCited: "Aucune réponse ne cite encore de page.",
  citedTimes: (answers: number) =>
    `${answers.toLocaleString("fr")}\u00a0${answers < 2 ? "réponse" : "réponses"}`,
  search: "Chercher dans les questions",
  find: "Chercher",
  noneFound: "Aucune question ne correspond.",
  cutShort:
    "La recherche s’est arrêtée avant la fin\u00a0: elle a déjà parcouru beaucoup de questions. Précisez-la, ou voyez la page suivante.",
  chosen: "votre réponse",
  conversation: (count: number) => `Conversation (${count.toLocaleString("fr")})`,
  conversationTitle: "Conversation",
  questionTitle: "Question",
  allQuestions: "Toutes les questions",
  write: "Écrire la réponse",
  writeNamed: (question: string) => `Écrire la réponse\u00a0: ${question}`,
  attach: "Rattacher à une réponse existante",
  attachNamed: (question: string) => `Rattacher à une réponse existante\u00a0: ${question}`,
  evaluate: "Évaluer",
  evaluateNamed: (question: string) => `Évaluer\u00a0: ${question}`,
  list: "Questions posées",
  filter: "Montrer",
  filters: {
    all: "toutes les questions",
    no_answer: "celles sans réponse",
    offered: "celles où un passage a été proposé, sans certitude",
    answered: "celles avec réponse",
    useless: "celles dont la réponse n’a pas été utile",
    useful: "celles dont la réponse a été utile",
    opened: "celles dont un passage proposé a été ouvert",
  },
  withAnswer: "avec réponse",
  noAnswer: "sans réponse",
  offered: "sans réponse sûre, passage proposé",
  byProgram: "par un programme (MCP)",
  courtesies,
  wasUseful: "utile",
  wasUseless: "pas utile",
  wasUselessBecause: {
    wrong: "pas utile\u00a0: fausse",
    incomplete: "pas utile\u00a0: incomplète",
    outdated: "pas utile\u00a0: plus à jour",
    other: "pas utile\u00a0: autre raison",
  } satisfies Record<FeedbackReason, string>,
  from: (page: string) => `depuis ${page}`,
  related: (count: number, isFirstOpen: boolean) =>
    count < 2
      ? "Le passage proposé à la place"
      : `Les passages proposés à la place${isFirstOpen ? ", dont le premier était ouvert" : ""}`,
  next: (count: number) =>
    count < 2 ? "Le passage proposé sous la réponse" : "Les passages proposés sous la réponse",
  wasOpened: { answered: "autre passage ouvert", no_answer: "passage proposé ouvert" },
  openedPlace: "ouvert",
  openedBy: (visitors: number, what: keyof typeof openedPassage) =>
    visitors < 2
      ? `Un visiteur qui a posé cette question a ouvert ${openedPassage[what]}.`
      : `${visitors.toLocaleString("fr")}\u00a0visiteurs qui ont posé cette question ont ouvert ${openedPassage[what]}.`,
  why: "Voir pourquoi",
  whyNamed: (question: string) => `Voir pourquoi\u00a0: ${question}`,
  whyHint:
    "«\u00a0Voir pourquoi\u00a0» pose la question à nouveau, seule, sans la compter ni la garder, et montre ce qui décide.",
  download: "Télécharger en CSV",
}

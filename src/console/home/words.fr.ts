import type { CheckName } from "../../ops/checks/check.ts"
import { counted } from "../../wording/counted.fr.ts"
import { words as settingsWords } from "../settings/words.fr.ts"

export const words = {
  title: "Vue d’ensemble",
  lastDays: (days: number) => `${days} derniers jours`,
  period: "Période",
  periods: (days: number) => `${days} jours`,
  /** Beside the figure of the period: the one of as many days before. */
  before: (days: number, figure: number) => `${days} jours d’avant\u00a0: ${number(figure)}`,
  change: (share: string) => ` (${share})`,
  questions: "Questions",
  answeredShare: "Avec réponse",
  noShare: "–",
  received: "Messages reçus",
  unread: (count: number) => counted(count, "non lu", "non lus"),
  deliveries: "Livraisons",
  testsIncluded: "Messages d’essai compris.",
  ofEndpoints: "Destinations de ce projet.",
  ofSharedEndpoints: "Certaines destinations reçoivent aussi les messages d’autres projets.",
  day: "Jour",
  questionsChart: (asked: number, share: string) =>
    `Questions par jour\u00a0: ${counted(asked, "question", "questions")}, ${share} avec réponse`,
  receivedChart: (count: number) => `Messages reçus par jour\u00a0: ${number(count)}`,
  deliveriesChart: (delivered: number, givenUp: number) =>
    `Livraisons par jour\u00a0: ${number(delivered)} réussies, ${number(givenUp)} abandonnées`,
  answered: "avec réponse",
  unanswered: "sans réponse",
  deliveredSeries: "réussies",
  givenUpSeries: "abandonnées",
  messagesSeries: "messages",
  noQuestion: "Aucune question pendant ces jours.",
  noMessage: "Aucun message pendant ces jours.",
  noDelivery: "Aucune livraison pendant ces jours.",
  noDeliveryEnded: "Aucune livraison n’a encore abouti.",
  failedAttempts: (count: number) => counted(count, "tentative échouée", "tentatives échouées"),
  gaps: "Ce qui manque",
  gapsHint: "Les dernières questions auxquelles la documentation n’a pas répondu.",
  noGapYet: "Les questions auxquelles la documentation ne répond pas seront listées ici.",
  noGap: "Aucune question n’attend de réponse.",
  allGaps: "Voir tout ce qui manque",
  attention: "À regarder",
  moreConcerns: (count: number) =>
    count < 2
      ? "Un autre point n’est pas montré ici."
      : `${number(count)} autres points ne sont pas montrés ici.`,
  nothing: "Rien ne demande votre attention.",
  endpointGivenUp: (name: string, count: string, exactly: number, answer: string | undefined) =>
    `${name}\u00a0: ${count}\u00a0${exactly < 2 ? "livraison abandonnée peut être rejouée" : "livraisons abandonnées peuvent être rejouées"}${stillFailing(answer)}.`,
  endpointCancelled: (name: string, count: string, exactly: number) =>
    `${name}\u00a0: ${count}\u00a0${exactly < 2 ? "livraison annulée peut être rejouée" : "livraisons annulées peuvent être rejouées"}.`,
  replay: "Rejouer",
  endpointFailing: (name: string, answer: string) =>
    `${name}\u00a0: aucun envoi ne réussit. Dernier résultat\u00a0: ${answer}.`,
  endpointFlaky: (name: string, count: number, isRetried: boolean) =>
    `${name}\u00a0: ${counted(count, "tentative a échoué", "tentatives ont échoué")} en 24\u00a0heures.${isRetried ? " Guichet réessaie." : ""}`,
  seeEndpoint: "Voir la destination",
  ofProject: (project: string, concern: string) => `${project}\u00a0: ${concern}`,
  readingFailed: "la dernière lecture de la documentation a échoué.",
  seeReading: "Voir la documentation",
  held: (count: number) => `${counted(count, "message à vérifier", "messages à vérifier")}.`,
  seeHeld: "Vérifier",
  setAside: (count: number) =>
    count < 2
      ? "l’une de vos réponses est mise de côté, parce que ses sources ont quitté l’index."
      : `${number(count)} de vos réponses sont mises de côté, parce que leurs sources ont quitté l’index.`,
  seeChosen: "Voir vos réponses",
  fell: (lost: number) =>
    lost < 2
      ? "une question de l’évaluation n’a plus la réponse prévue."
      : `${number(lost)} questions de l’évaluation n’ont plus la réponse prévue.`,
  seeEvaluation: "Voir l’évaluation",
  assistantOff: "l’assistant est désactivé.",
  seeSettings: "Voir les réglages",
  service: (check: CheckName, state: "warning" | "failed") =>
    `${settingsWords.health.parts[check]}\u00a0: ${settingsWords.health.states[state]}.`,
  seeHealth: "Voir l’état du service",
  projects: "Projets",
  project: "Projet",
  unreadColumn: "Non lus",
  allProjects: (count: number) => `Voir les ${number(count)} projets`,
  firstProject: "Créer votre premier projet",
  start: "Pour commencer",
  stepsDone: (done: number, of: number) => `${done} sur ${of}`,
  step: {
    documentation: "Lire la documentation du site",
    widget: "Voir la fenêtre sur le site",
    question: "Recevoir la première question",
    form: "Créer un premier formulaire",
    delivery: "Livrer un premier message à une application",
  },
  stepHint: {
    documentation: "Indiquez où la lire\u00a0: le site, son plan ou ses pages.",
    widget:
      "Copiez cette ligne dans les pages du site, ou envoyez-la à qui s’en occupe\u00a0: la fenêtre de l’assistant s’y ouvre.",
    question:
      "Posez-la vous-même depuis une page du site\u00a0: une question posée dans la console ne compte pas.",
    form: "Contact, devis, inscription\u00a0: à coller dans une page.",
    delivery:
      "Une destination reçoit chaque message, signé. Pour commencer, la boîte d’essai montre ce qui arrive.",
  },
  openSite: "Ouvrir le site",
  done: "fait",
  toDo: "à faire",
}

function number(value: number): string {
  return value.toLocaleString("fr")
}

function stillFailing(answer: string | undefined): string {
  return answer === undefined ? "" : `\u202f; aucun envoi ne réussit. Dernier résultat\u00a0: ${answer}`
}

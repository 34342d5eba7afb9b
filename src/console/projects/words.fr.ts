import type { ThresholdCounts } from "../../owners/gaps/count-by-threshold.ts"

const times = (count: number) => `${count.toLocaleString("fr")}\u00a0fois`
const lastQuestions = (count: number) =>
  count < 2 ? "À la dernière question" : `Aux ${count.toLocaleString("fr")} dernières questions`

export const words = {
  projects: "Projets",
  project: "Projet",
  problems: "À regarder",
  lastReading: "Dernière lecture",
  questions: (days: number) => `Questions en ${days}\u00a0jours`,
  ofQuestions: (asked: number, share: string) => `${asked.toLocaleString("fr")}, ${share} avec réponse`,
  none: "–",
  newProject: "Nouveau projet",
  noProject: "Un projet est un site\u00a0: son assistant, sa documentation et ses formulaires.",
  create: "Créer le projet",
  readSite: "Lire sa documentation tout de suite",
  readSiteHint: "Par le plan du site, s’il en a un. Sans cette case, vous indiquez vous-même où lire.",
  name: "Nom",
  nameHint:
    "Vos visiteurs le lisent dans les e-mails et sur les pages des formulaires. Vide\u00a0: le nom de domaine du site.",
  site: "Site",
  siteHint: "Par exemple https://www.exemple.fr. L’assistant y répondra.",
  origins: {
    label: "Autres sites déclarés",
    hint: "Un par ligne\u00a0: les autres sites ou ports d’où les questions et les formulaires sont acceptés.",
  },
  language: "Langue de la documentation",
  languages: { fr: "français", en: "anglais" },
  kind: {
    label: "Ce que lisent vos visiteurs",
    hint: "L’assistant parle ainsi de ce qu’il a lu\u00a0: «\u00a0Ce site ne répond pas à cette question.\u00a0»",
  },
  kinds: { site: "ce site", documentation: "la documentation" },
  ownKind: "un autre nom",
  kindWord: {
    label: "Autre nom, avec son article",
    hint: "Par exemple «\u00a0le guide du locataire\u00a0», dans la langue du projet.",
  },
  noAnswerMore: {
    label: "Phrase ajoutée quand l’assistant ne répond pas",
    hint: "Par exemple «\u00a0Appelez l’accueil au 01\u00a023\u00a045\u00a067\u00a089.\u00a0», 300 caractères au plus. Un lien s’écrit [texte](https://…).",
  },
  assistant: "Assistant",
  assistantIs: { on: "activé", off: "désactivé" },
  answers: "Réponses de l’assistant",
  answersHint:
    "Extraites mot pour mot, elles ne font rien envoyer au modèle de langage. Rédigées, elles demandent que le service en ait un.",
  answersAre: { written: "rédigées par le modèle", extractive: "extraites de la documentation" },
  threshold: "Certitude exigée pour répondre",
  thresholds: {
    prudent: "prudent\u00a0: se taire plutôt que se tromper",
    balanced: "équilibré",
    talkative: "bavard\u00a0: répondre plus souvent, et se tromper plus souvent",
  },
  thresholdHint:
    "En dessous, l’assistant dit que la documentation ne répond pas, et propose un passage\u00a0: «\u00a0Peut-être ici\u00a0».",
  thresholdWould: ({ judged, answered }: ThresholdCounts) =>
    `${lastQuestions(judged)}, il aurait répondu\u00a0: prudent ${times(answered.prudent)}, équilibré ${times(answered.balanced)}, bavard ${times(answered.talkative)}.`,
  thresholdOfModel:
    "Le modèle qui rédige juge lui-même s’il peut répondre\u00a0: ce choix ne vaut que si ce modèle est indisponible.",
  advanced: "Avancé",
  limits: "Limites",
  limitsHint: "Laissez vide pour suivre le réglage du service.",
  perMinute: "Questions par minute",
  perVisitorDay: "Questions par visiteur et par jour",
  perDay: "Questions par jour",
  follows: (value: string) => `Réglage du service\u00a0: ${value}.`,
  settings: "Réglages du projet",
  saved: "Les réglages du projet sont enregistrés.",
  identifier: "Identifiant du projet\u00a0:",
  notIndexed: "pas encore lu",
  remove: "Supprimer le projet",
  removeHint:
    "Sa documentation indexée, ses questions, ses formulaires et leurs messages reçus sont effacés pour toujours.",
  removeConfirm: "Supprimer ce projet et tout ce qui lui appartient\u202f?",
  removeTyped: "Pour confirmer, écrivez le nom du projet",
  removeMismatch: "Ce n’est pas le nom du projet\u00a0: rien n’a été supprimé.",
  removed: "Le projet est supprimé.",
}

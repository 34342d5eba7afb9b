/** French words of the pages about projects. */
export const words = {
  projects: "Projets",
  newProject: "Nouveau projet",
  noProject:
    "Un projet est un site\u00a0: son assistant, sa documentation indexée et ses formulaires. Créez le premier.",
  create: "Créer le projet",
  readSite: "Lire sa documentation tout de suite",
  readSiteHint: "Par le plan du site, s’il en a un. Sans cette case, vous indiquez vous-même où lire.",
  name: "Nom",
  nameHint:
    "Vos visiteurs le lisent dans les e-mails et sur les pages des formulaires. Vide\u00a0: le nom de domaine du site.",
  site: "Site",
  siteHint: "Par exemple https://docs.exemple.fr. L’assistant y répondra.",
  origins: "Autres sites déclarés",
  originsHint:
    "Un par ligne\u00a0: les autres sites ou ports d’où les questions et les formulaires sont acceptés.",
  language: "Langue de la documentation",
  languages: { fr: "français", en: "anglais" },
  assistant: "Assistant",
  assistantOn: "activé",
  assistantOff: "désactivé",
  answers: "Réponses de l’assistant",
  answersHint:
    "Extraites mot pour mot, elles ne font rien envoyer au modèle de langage. Rédigées, elles demandent que le service en ait un.",
  noModel:
    "Aucun modèle de langage n’est configuré sur ce service\u00a0: les réponses sont extraites mot pour mot de la documentation, et rien n’est envoyé à un modèle. Le choix ne compte que si le service en a un un jour.",
  answersWillBe: {
    written: "extraites de la documentation, tant que le service n’a pas de modèle",
    extractive: "extraites de la documentation, même avec un modèle",
  },
  answersAre: { written: "rédigées par le modèle", extractive: "extraites de la documentation" },
  identity: "Site",
  limits: "Limites",
  limitsHint: "Laissez vide pour suivre le réglage du service.",
  perMinute: "Questions par minute",
  perVisitorDay: "Questions par visiteur et par jour",
  perDay: "Questions par jour",
  follows: (value: string) => `Réglage du service\u00a0: ${value}.`,
  settings: "Réglages du projet",
  scheduled: "Le rythme des lectures est enregistré.",
  saved: "Les réglages du projet sont enregistrés.",
  identifier: "Identifiant du projet\u00a0:",
  notIndexed: "pas encore indexé",
  remove: "Supprimer le projet",
  removeHint:
    "Sa documentation indexée, ses questions, ses formulaires et leurs messages reçus sont effacés pour toujours.",
  removeConfirm: "Supprimer ce projet et tout ce qui lui appartient\u202f?",
  removeTyped: "Pour confirmer, écrivez le nom du projet",
  removeMismatch: "Ce n’est pas le nom du projet\u00a0: rien n’a été supprimé.",
  removed: "Le projet est supprimé.",
}

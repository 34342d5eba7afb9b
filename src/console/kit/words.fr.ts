/** French words that every page of the console shares. */
export const words = {
  fileSize: (bytes: number) =>
    bytes < 100_000
      ? `${Math.max(1, Math.round(bytes / 1024)).toLocaleString("fr")}\u00a0Ko`
      : `${(bytes / 1024 ** 2).toLocaleString("fr", { maximumFractionDigits: 1 })}\u00a0Mo`,
  headersLabel: "Un en-tête par ligne, «\u00a0Nom\u00a0: valeur\u00a0»",
  headersKept:
    "Les valeurs sont chiffrées et ne sont plus jamais affichées\u00a0: un nom sans valeur garde celle qui est enregistrée, une ligne enlevée la supprime.",
  console: "Guichet",
  skip: "Aller au contenu",
  navigationOf: (name: string) => `Navigation\u00a0: ${name}`,
  menu: "Menu",
  closeMenu: "Fermer le menu",
  project: "Projet",
  chooseProject: "Choisir un projet",
  allProjects: "Tous les projets",
  home: "Accueil",
  questions: "Questions",
  messages: "Messages",
  indexing: "Documentation",
  projectSettings: "Réglages",
  overview: "Vue d’ensemble",
  projects: "Projets",
  webhooks: "Webhooks",
  connect: "Brancher une application",
  settings: "Réglages généraux",
  workspace: "Espace",
  chooseWorkspace: "Passer à l’espace",
  allWorkspaces: "Tous les espaces",
  show: "Afficher",
  signOut: "Se déconnecter",
  save: "Enregistrer",
  cancel: "Annuler",
  copy: "Copier",
  copied: "Copié",
  languages: { js: "JavaScript", python: "Python", php: "PHP", curl: "curl" },
  optional: "facultatif",
  sentBefore:
    "Ce formulaire a déjà été envoyé\u00a0: rien n’a été fait une seconde fois. Revenez à la page précédente pour en voir l’effet.",
  changedMeanwhile:
    "Quelqu’un d’autre a changé ces réglages depuis que vous avez ouvert cette page\u00a0: rien n’est enregistré. Rouvrez la page pour voir ses changements, ou enregistrez de nouveau pour les remplacer par les vôtres.",
  wholeOrNothing: "Indiquez un nombre entier à partir de 1, ou laissez vide.",
  sinceWrong: "Choisissez un jour, par exemple 2026-11-20.",
  next: "Page suivante",
  rowActions: (row: string) => `Actions\u00a0: ${row}`,
  goOn: "Continuer",
  roles: { viewer: "lecture", editor: "modification", owner: "propriétaire" },
  refusedTitle: "Cette page ne peut pas être affichée",
  unknownPage: "Cette page n’existe pas, ou vous n’y avez pas accès.",
  elsewhereTitle: "Cette page est dans un autre espace",
  elsewhere: (other: string, shown: string) =>
    `Elle appartient à l’espace «\u00a0${other}\u00a0», et vous voyez l’espace «\u00a0${shown}\u00a0».`,
  goElsewhere: (other: string) => `Passer à l’espace «\u00a0${other}\u00a0»`,
  toHome: "Revenir à l’accueil de la console",
  notAllowed: (role: string) => `Votre rôle (${role}) ne permet pas cette action.`,
  otherSite: "Cette demande ne vient pas d’une page de la console\u00a0: rien n’a été changé.",
  oldPage:
    "Cette page datait d’une connexion précédente, ou montrait un autre espace\u00a0: rien n’a été changé. Vérifiez l’espace, puis envoyez de nouveau.",
  notEncrypted:
    "La console demande une URL en https://, ou http://localhost sur la machine elle-même. Rien n’a été transmis\u00a0: ouvrez la console par l’une de ces URL.",
  unreadable: "Ce formulaire est illisible ou trop grand\u00a0: rien n’a été changé.",
}

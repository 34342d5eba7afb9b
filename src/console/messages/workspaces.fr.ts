/** French messages about the workspaces of an operator. */
export const messages = {
  title: "Espaces",
  intro: (days: number, gapDays: number) =>
    `Chaque espace a ses propres projets, webhooks et opérateurs. Questions des ${days}\u00a0derniers jours, questions sans réponse des ${gapDays}\u00a0derniers jours. Un nombre mène à sa page dans l’espace.`,
  workspace: "Espace",
  shown: "affiché",
  unread: "Non lus",
  endpoints: "Destinations",
  gaps: "Sans réponse",
  questions: "Questions",
  answered: "Avec réponse",
  none: "–",
  failing: (count: number) => `${count}\u00a0en échec`,
  givenUp: (count: number) => `${count}\u00a0à rejouer`,
  atLeast: (count: number) => `${count.toLocaleString("fr")} ou plus`,
  shut: "Vous avez été déconnecté de cet espace\u00a0: reconnectez-vous pour y revenir.",
  newWorkspace: "Nouvel espace",
  /** Accessible name of a figure that leads to a workspace. */
  of: (figure: string, column: string, workspace: string) =>
    `${column}\u00a0: ${figure}, espace «\u00a0${workspace}\u00a0»`,
  ownForCustomer: "Ce projet est pour un autre client\u202f?",
  ownForCustomerWay: "Donnez-lui son propre espace",
  ownForCustomerWhy: "\u00a0: ses projets, ses messages et ses opérateurs y sont à part.",
}

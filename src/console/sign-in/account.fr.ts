/** French words of the pages of one’s own account. */
export const words = {
  sessions: "Vos connexions",
  thisBrowser: "ce navigateur",
  lastSeen: (date: string) => `utilisé le ${date}`,
  signedInSince: (date: string) => `, connecté depuis le ${date}`,
  endSession: "Déconnecter",
  endSessionOf: (device: string) => `Déconnecter ${device}`,
  endOthers: (count: number) =>
    count === 1 ? "Déconnecter l’autre navigateur" : `Déconnecter les ${count} autres navigateurs`,
  endOthersConfirm: "Déconnecter tous les autres navigateurs\u202f?",
  sessionEnded: "Ce navigateur est déconnecté.",
  othersEnded: "Tous les autres navigateurs sont déconnectés.",
}

/** French words of the pages of one’s own account. */
export const words = {
  end: "Supprimer votre compte",
  endHint:
    "Il quitte tous ses espaces, qui gardent leurs projets et leurs messages. Le seul propriétaire d’un espace nomme d’abord un autre propriétaire, ou supprime l’espace.",
  endConfirm: "Supprimer votre compte pour toujours\u202f?",
  twoFactor: "Connexion en deux étapes",
  twoFactorIntro:
    "Après le mot de passe, la connexion demande un code de votre téléphone\u00a0: qui connaît votre mot de passe n’entre pas sans lui.",
  twoFactorOn: "La connexion en deux étapes est active.",
  twoFactorOff: "Le mot de passe suffit pour se connecter.",
  twoFactorChange: "Régler la connexion en deux étapes",
  mustEnrol: (workspace: string) =>
    `L’espace «\u00a0${workspace}\u00a0» demande une deuxième étape à la connexion. Ajoutez-la pour continuer.`,
  addTotp: "Ajouter une application de codes",
  totpAdded: "L’application est ajoutée\u00a0: votre prochaine connexion lui demande un code.",
  totpRemoved: "L’application est retirée.",
  hasTotp: "Une application de codes est liée à votre compte.",
  removeTotp: "Retirer l’application de codes",
  scan: "Dans une application de codes (Aegis, 2FAS, Google Authenticator, …), ajoutez un compte avec cette image ou cette clé, puis donnez le code qu’elle montre.",
  qrAlt: "QR code de la clé à ajouter à l’application",
  secret: "Clé",
  totpCode: "Code à six chiffres",
  othersSignedOut: "Vos autres navigateurs seront déconnectés.",
  recoveryCodes: "Codes de secours",
  recoveryCodesOnce:
    "Rangez ces codes hors de votre téléphone\u00a0: ils ne sont affichés qu’une fois. Chacun remplace une fois la deuxième étape.",
  recoveryCodesRenewed: "Les anciens codes de secours ne servent plus.",
  codesLeft: (count: number) => `Codes de secours qui n’ont pas servi\u00a0: ${count}.`,
  renewCodes: "Créer d’autres codes de secours",
  presentPassword: "Mot de passe actuel",
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

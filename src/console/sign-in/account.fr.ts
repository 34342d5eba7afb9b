export const words = {
  end: "Supprimer votre compte",
  endHint:
    "Les projets et les messages restent. Si vous êtes le seul propriétaire, nommez-en d’abord un autre.",
  endConfirm: "Supprimer votre compte pour toujours\u202f?",
  twoFactor: "Connexion en deux étapes",
  twoFactorIntro:
    "Après le mot de passe, la connexion demande un code de votre téléphone\u00a0: qui connaît votre mot de passe n’entre pas sans lui.",
  twoFactorOn: "La connexion en deux étapes est active.",
  twoFactorOff: "Le mot de passe suffit pour se connecter.",
  twoFactorChange: "Régler la connexion en deux étapes",
  mustEnrol: (workspace: string) =>
    `«\u00a0${workspace}\u00a0» demande une deuxième étape à la connexion. Ajoutez-la pour continuer.`,
  addTotp: "Ajouter une application de codes",
  totpAdded: "L’application est ajoutée\u00a0: votre prochaine connexion demandera un code.",
  totpRemoved: "L’application est retirée.",
  hasTotp: "Une application de codes est liée à votre compte.",
  removeTotp: "Retirer l’application de codes",
  scan: "Dans une application de codes (Aegis, 2FAS, Google Authenticator, …), ajoutez un compte avec cette image ou cette clé, puis donnez le code qu’elle montre.",
  qrAlt: "Code QR de la clé à ajouter à l’application",
  secret: "Clé",
  totpCode: "Code à six chiffres",
  othersSignedOut: "Vos autres navigateurs seront déconnectés.",
  recoveryCodes: "Codes de secours",
  recoveryCodesOnce:
    "Rangez ces codes hors de votre téléphone\u00a0: ils ne sont affichés qu’une fois. Chacun remplace une fois la deuxième étape.",
  recoveryCodesRenewed: "Les anciens codes de secours ne sont plus valables.",
  codesLeft: (count: number) => `Codes de secours encore utilisables\u00a0: ${count}.`,
  renewCodes: "Créer d’autres codes de secours",
  identity: (provider: string) => `Connexion par ${provider}`,
  identityNone: (provider: string) =>
    `Aucune identité de ${provider} n’est associée à ce compte. Une fois associée, elle suffit pour vous connecter.`,
  identityKept: (provider: string) =>
    `Une identité de ${provider} est associée à ce compte et vous connecte.`,
  identityJoin: "Associer une identité",
  identityConfirm: (email: string) =>
    email === ""
      ? "Vous venez de prouver cette identité. Qui la détient pourra se connecter à votre compte."
      : `Vous venez de prouver l’identité de ${email}. Qui la détient pourra se connecter à votre compte.`,
  identityPart: "Dissocier l’identité",
  identityJoined: "L’identité est associée à votre compte.",
  identityParted: "L’identité n’est plus associée à votre compte.",
  passkeys: "Clés d’accès",
  passkeysIntro:
    "Une clé d’accès (passkey) est gardée par votre ordinateur, votre téléphone ou une clé de sécurité. Elle vous connecte sans mot de passe, par votre empreinte, votre visage ou un code, et ne peut pas être donnée à un autre site.",
  passkeysChange: "Régler les clés d’accès",
  passkeysCount: (count: number) => `Clés d’accès enregistrées\u00a0: ${count}.`,
  passkeysNeedName:
    "Les clés d’accès demandent que la console ait un nom de domaine (GUICHET_PUBLIC_URL), et non une adresse IP.",
  passkeysNeedScript: "Une clé d’accès ne s’ajoute qu’avec JavaScript, dans un navigateur récent.",
  passkey: "Clé d’accès",
  passkeyName: "Nom",
  passkeyNameHint: "Par exemple\u00a0: téléphone, ordinateur du bureau.",
  addPasskey: "Ajouter une clé d’accès",
  removePasskey: "Retirer une clé d’accès",
  passkeyAdded: "La clé d’accès est ajoutée.",
  passkeyRemoved: "La clé d’accès est retirée.",
  addedAt: (date: string) => `ajoutée le ${date}`,
  usedAt: (date: string) => `, utilisée le ${date}`,
  neverUsed: ", jamais utilisée",
  orPasskey: "Ou ajouter une clé d’accès",
  sessions: "Vos connexions",
  thisBrowser: "ce navigateur",
  lastSeen: (date: string) => `utilisé le ${date}`,
  signedInSince: (date: string) => `, connecté depuis le ${date}`,
  endSession: "Déconnecter",
  endSessionOf: (device: string) => `Déconnecter ${device}`,
  endOthers: "Déconnecter tous les autres navigateurs",
  passwordOrProvider:
    "Si vous n’avez pas de mot de passe, déconnectez-vous et reconnectez-vous par votre fournisseur d’identité\u00a0: dans les dix minutes qui suivent, ce champ peut rester vide.",
  sessionEnded: "Ce navigateur est déconnecté.",
  othersEnded: "Tous les autres navigateurs sont déconnectés.",
}

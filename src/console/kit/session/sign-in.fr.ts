export const words = {
  title: "Connexion",
  email: "Adresse e-mail",
  password: "Mot de passe",
  signIn: "Se connecter",
  expired: "Votre connexion a pris fin. Connectez-vous\u00a0: ce que vous aviez saisi n’est pas perdu.",
  pendingTitle: "Vous êtes de nouveau connecté",
  pending: "Ce que vous aviez saisi n’a pas encore été envoyé.",
  pendingGrave:
    "Attention\u00a0: ce que vous aviez demandé ne se défait pas. Vérifiez-le avant de l’envoyer, ou abandonnez-le.",
  /** Names of irreversible actions, by the last segment of their address. */
  graveActions: {
    removal: "une suppression",
    erasure: "un effacement",
    secret: "un nouveau secret de signature",
  } as Record<string, string>,
  pendingAction: (action: string) => `Vous aviez demandé\u00a0: ${action}.`,
  sendPending: "Envoyer maintenant",
  stray:
    "Ce qui avait été saisi avant la fin de la connexion concernait un espace qui n’est pas celui de votre compte\u00a0: rien n’a été envoyé. Le voici, pour le copier.",
  goOn: "Continuer",
  dropPending: "Abandonner cette saisie",
  signInBy: (provider: string) => `Se connecter avec ${provider}`,
  leavingTitle: "Déconnexion",
  leaving: "Vous êtes déconnecté d’ici. Votre fournisseur d’identité va vous déconnecter aussi.",
  signedOut: "Vous êtes déconnecté.",
  passwordChanged:
    "Votre mot de passe est changé, et vous êtes déconnecté sur tous vos appareils. Connectez-vous avec le nouveau.",
  accountEnded: "Votre compte est supprimé.",
  nowhere: "Ce compte n’a accès à rien pour le moment. Demandez une invitation à un propriétaire.",
  signInByPasskey: "Se connecter avec une clé d’accès",
  stepByPasskey: "Utiliser une clé d’accès",
  passkeyFailed: "Aucune clé d’accès n’a répondu. Réessayez, ou continuez autrement.",
  secondStepTitle: "Deuxième étape",
  code: "Code",
  codeHint: "Les six chiffres que montre votre application, ou un de vos codes de secours.",
  codeLost:
    "Sans votre téléphone ni vos codes de secours, demandez à la personne qui administre le serveur\u00a0: elle peut retirer cette étape.",
  forgotten: "Mot de passe oublié\u202f?",
  resetIntro:
    "Indiquez l’adresse e-mail de votre compte\u00a0: vous recevrez un lien pour choisir un autre mot de passe.",
  resetAsk: "Recevoir un lien",
  resetSent:
    "Si cette adresse e-mail a un compte, un lien vient d’y être envoyé. Il est utilisable une fois, pendant une heure. Cherchez aussi parmi les indésirables.",
  resetOf: (email: string) =>
    `Choisissez un nouveau mot de passe pour le compte ${email}. Vous serez déconnecté de tous vos appareils.`,
  newPassword: "Nouveau mot de passe",
  presentPassword: "Mot de passe actuel",
  resetSend: "Enregistrer le mot de passe",
  toSignIn: "Revenir à la connexion",
  noMail:
    "Ce serveur n’envoie pas d’e-mails\u00a0: demandez à quelqu’un un lien pour choisir un autre mot de passe.",
  noMailOwner: "Un propriétaire peut en créer un, dans les réglages, sous «\u00a0Opérateurs\u00a0».",
  noMailMachine:
    "La personne qui administre le serveur peut toujours choisir un autre mot de passe, par cette commande\u00a0:",
  noMailSetup:
    "Tant que personne n’est propriétaire du service, celle-ci donne un lien pour créer le premier compte\u00a0:",
  forgottenCommand: "guichet operator password EMAIL",
  firstTitle: "Premier démarrage",
  first: "Personne ne peut encore se connecter\u00a0: il n’y a ni compte ni mot de passe par défaut.",
  firstLink:
    "Pour créer le premier compte, ouvrez le lien que le service a écrit dans son journal à son démarrage. Il est utilisable une fois, pendant 30\u00a0minutes.",
  firstCommand: "S’il n’est plus valable, cette commande en donne un autre sur le serveur\u00a0:",
  firstShell: "Vous pouvez aussi créer le compte directement\u00a0:",
  setupLinkCommand: "guichet setup-link",
  operatorCommand: "guichet operator create EMAIL",
  setupTitle: "Créer le premier compte",
  setup: "Ce compte sera propriétaire\u00a0: il pourra tout régler et ajouter d’autres personnes.",
  passwordHint: "12\u00a0caractères au moins. Une suite de plusieurs mots convient bien.",
  create: "Créer le compte",
  invitationTitle: "Invitation",
  invitation: (workspace: string, role: string, email: string) =>
    `Vous êtes invité à rejoindre «\u00a0${workspace}\u00a0» (${role}), avec l’adresse e-mail ${email}.`,
  accept: "Accepter l’invitation",
  signedInAs: (email: string) =>
    `Vous êtes connecté avec l’adresse e-mail ${email}\u00a0: déconnectez-vous, puis ouvrez de nouveau ce lien.`,
  haveAccount: "Vous avez déjà un compte",
  signInToAccept: "Se connecter pour accepter",
  noAccount: "Vous n’avez pas de compte",
  accountMade:
    "Si cette adresse e-mail n’avait pas encore de compte, il vient d’être créé avec ce mot de passe. Connectez-vous pour accepter l’invitation.",
}

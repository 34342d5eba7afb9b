export const accountFields: Record<string, Record<string, string>> = {
  Token: {
    id: "Identifiant du jeton ; ce n’est pas le jeton lui-même.",
    name: "Nom qui aide à le reconnaître.",
    scopes: "Droits du jeton ; `all` s’ils ne sont pas précisés. Le droit d’écrire comprend celui de lire.",
    expires_at:
      "Moment à partir duquel le jeton n’ouvre plus rien, un jour seul comptant jusqu’à sa fin ; `null` s’il n’expire pas.",
    last_used_at: "Dernière utilisation ; `null` si le jeton n’a jamais servi.",
    token: "Le jeton `gch_…`, montré cette seule fois.",
  },
  Operator: {
    id: "Identifiant de la personne, ou de son invitation.",
    email: "Adresse e-mail de la personne.",
    role: "`viewer` consulte, `editor` modifie, `owner` gère aussi les personnes et les jetons.",
    state: "`active`, ou `invited` tant que l’invitation n’est pas acceptée.",
    created_at: "Date de l’ajout ou de l’invitation.",
    expires_at: "Fin de validité de l’invitation.",
    link: "Lien d’invitation à transmettre, montré cette seule fois et valable une fois pendant 7 jours.",
    second_factor: "Vrai si le mot de passe seul ne suffit pas à se connecter.",
    mailed: "Vrai si le lien part aussi par e-mail.",
  },
  PasswordLink: {
    link: "Lien à transmettre, montré cette seule fois et valable une fois pendant une heure.",
  },
  OwnPassword: {
    present_password: "Mot de passe actuel.",
    password: "Nouveau mot de passe.",
  },
  Service: {
    version: "Version du programme.",
    writable: "Vrai si la base de données accepte les écritures.",
    mail: "Vrai si un serveur d’envoi d’e-mails est réglé.",
  },
  MailTest: { to: "Adresse e-mail à laquelle envoyer l’e-mail d’essai." },
  MailTaken: { to: "Adresse e-mail à laquelle l’e-mail d’essai part." },
  Check: {
    name: "Ce qui est vérifié.",
    state: "Résultat de la vérification.",
    detail: "Explication, quand il y a quelque chose à dire.",
  },
  Workspace: {
    id: "Identifiant de l’espace de travail.",
    name: "Nom de l’espace de travail.",
    requires_second_factor:
      "Vrai si les membres ajoutent une deuxième étape à leur connexion avant toute autre chose.",
    token: "Premier jeton du nouvel espace, montré cette seule fois.",
  },
  Usage: {
    month: "Mois concerné, par exemple `2026-11`.",
    questions:
      "Questions de ce mois\u00a0: celles de tous les espaces pour un jeton du premier espace, pour un autre, celles de son espace qui sont encore gardées, sans les salutations.",
    quota:
      "Quota mensuel que tous les espaces de l’installation partagent\u202f; `null` pour un jeton d’un autre espace que le premier.",
    workspace: "Ce mois-ci, pour l’espace du jeton.",
    "workspace.questions": "Questions de l’espace comptées dans le quota.",
    "workspace.share": "Questions réservées à l’espace, quoi que posent les autres.",
    "workspace.left": "Questions que l’espace peut encore poser, si les autres n’en posent pas.",
    projects: "Détail par projet.",
    "projects.id": "Identifiant du projet.",
    "projects.name": "Nom du projet.",
    "projects.questions_today": "Questions comptées aujourd’hui.",
    "projects.per_day": "Limite de questions par jour.",
  },
  JournalEntry: {
    id: "Identifiant de l’entrée.",
    at: "Date de l’action.",
    actor: "Qui a agi.",
    "actor.kind": "Une personne ou un jeton.",
    "actor.id": "Identifiant de la personne ou du jeton.",
    "actor.name": "Adresse e-mail de la personne, ou nom du jeton.",
    action: "Ce qui a été fait, sous forme de code.",
    subject: "Identifiant de ce qui a été touché.",
    subject_name: "Nom de ce qui a été touché, au moment de l’action.",
    project: "Identifiant du projet où l’action a eu lieu.",
  },
}

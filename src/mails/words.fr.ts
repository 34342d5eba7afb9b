/** The mails of the service, in French. */
export const words = {
  consentMailSubject: ({ form }: { form: string }) => `Confirmez votre accord\u00a0: ${form}`,
  consentMail: ({ form, site }: { form: string; site: string }) =>
    `Bonjour,\n\nVous venez de remplir le formulaire «\u00a0${form}\u00a0» du site ${site} et de donner cet accord\u00a0:`,
  consentMailAlso: "Vous avez aussi donné cet accord\u00a0:",
  consentMailAsk: "Pour le confirmer, ouvrez cette page et appuyez sur le bouton.",
  consentMailLink: "Confirmer mon accord",
  consentMailValid:
    "Le lien est valable 7 jours. Si cette demande ne vient pas de vous, ne faites rien\u00a0: votre accord ne sera pas retenu.",
  received: ({ form, site }: { form: string; site: string }) =>
    `Bonjour,\n\nVotre envoi par le formulaire «\u00a0${form}\u00a0» du site ${site} est bien arrivé.`,
  receiptSubject: ({ site }: { site: string }) => `Bien reçu\u00a0: votre envoi à ${site}`,
  receiptAt: ({ at }: { at: string }) =>
    `Reçu le ${at}. Si cet envoi ne vient pas de vous, ne faites rien\u00a0: quelqu’un a sans doute indiqué votre adresse e-mail par erreur.`,
  visitorFooter: ({ site }: { site: string }) =>
    `E-mail automatique du site ${site}, envoyé à l’adresse e-mail indiquée dans son formulaire.`,
  ownerMailSubject: ({ form, site }: { form: string; site: string }) =>
    `Nouveau message\u00a0: ${form} (${site})`,
  ownerMail: ({ form }: { form: string }) =>
    `Bonjour,\n\nLe formulaire «\u00a0${form}\u00a0» a reçu un nouveau message.`,
  ownerMailLink: "Lire le message dans la console",
  ownerMailReply:
    "Répondez à cet e-mail pour écrire à la personne\u00a0: votre réponse part à l’adresse e-mail qu’elle a indiquée.",
  ownerMailCut: "La suite de ce texte se lit dans la console.",
  ownerMailGatheredSubject: ({ form, count, site }: { form: string; count: number; site: string }) =>
    `Nouveaux messages (${count})\u00a0: ${form} (${site})`,
  ownerMailGathered: ({ form, count }: { form: string; count: number }) =>
    `Bonjour,\n\nNombre de nouveaux messages du formulaire «\u00a0${form}\u00a0»\u00a0: ${count}. Comme il en est venu beaucoup en peu de temps, ils vous sont annoncés ensemble.`,
  ownerMailLinks: "Lire les messages dans la console",
  ownerFooter: ({ site }: { site: string }) =>
    `Vous recevez cet e-mail parce que votre adresse e-mail figure dans les réglages d’un formulaire du site ${site}.`,
  noticeAddressSubject: ({ form }: { form: string }) =>
    `Recevoir les messages de ce formulaire\u202f?\u00a0${form}`,
  noticeAddress: ({ form, site }: { form: string; site: string }) =>
    `Bonjour,\n\nOn a demandé que cette adresse e-mail soit prévenue à chaque message du formulaire «\u00a0${form}\u00a0» du site ${site}. Pour l’accepter, ouvrez cette page et appuyez sur le bouton.`,
  noticeAddressLink: "Recevoir ces messages",
  noticeAddressValid:
    "Le lien est valable 7 jours. Si cette demande ne vient pas de vous, ne faites rien\u00a0: vous ne recevrez pas ces messages.",
  emptyValue: "(vide)",

  serviceName: "Guichet",
  invitationSubject: ({ workspace }: { workspace: string }) =>
    `Invitation à rejoindre «\u00a0${workspace}\u00a0»`,
  invitation: ({ workspace }: { workspace: string }) =>
    `Bonjour,\n\nVous êtes invité à rejoindre «\u00a0${workspace}\u00a0» dans Guichet.`,
  invitationBy: ({ inviter }: { inviter: string }) => `Cette invitation vient de ${inviter}.`,
  invitationLink: "Répondre à l’invitation",
  invitationValid:
    "Le lien est utilisable une fois, pendant 7 jours. Si vous n’attendiez pas cette invitation, ne faites rien.",
  passwordLinkSubject: "Choisissez un nouveau mot de passe",
  passwordLink:
    "Bonjour,\n\nUn nouveau mot de passe a été demandé pour le compte Guichet de cette adresse e-mail.",
  passwordLinkLabel: "Choisir un nouveau mot de passe",
  passwordLinkValid:
    "Le lien est utilisable une fois, pendant une heure. Si cette demande ne vient pas de vous, ne faites rien\u00a0: votre mot de passe reste le même.",
  factorsRemovedSubject: "Votre deuxième étape de connexion est retirée",
  factorsRemoved:
    "Bonjour,\n\nLa personne qui administre le serveur a retiré la deuxième étape de connexion de votre compte Guichet, avec ses codes de secours.",
  factorsRemovedBy: ({ workspace, by }: { workspace: string; by: string }) =>
    `Bonjour,\n\n${by}, propriétaire de «\u00a0${workspace}\u00a0», a retiré la deuxième étape de connexion de votre compte Guichet, avec ses codes de secours.`,
  factorsRemovedMeans:
    "Votre mot de passe suffit maintenant pour vous connecter, et vous êtes déconnecté partout. Si vous ne l’avez pas demandé, changez de mot de passe et prévenez les autres propriétaires.",
  factorsAdd: "Ajouter une nouvelle deuxième étape",
  peopleFooter: "E-mail automatique de Guichet, envoyé à l’adresse e-mail indiquée dans sa console.",

  failingMailSubject: "Une destination ne répond plus",
  failingMailSubjects: ({ count }: { count: number }) => `${count} destinations ne répondent plus`,
  failingMailEndpoint: ({
    name,
    answer,
    since,
    link,
  }: Record<"name" | "answer" | "since" | "link", string>) =>
    `Depuis le ${since}, tous les envois à cette destination échouent\u00a0:\n${name}\n\nDernier résultat\u00a0: ${answer}.\nVoir la destination\u00a0:\n${link}\n`,
  failingMail: ({ endpoints, publicUrl }: { endpoints: string; publicUrl: string }) =>
    `Bonjour,\n\n${endpoints}\nRien n’est désactivé\u00a0: Guichet continue ses tentatives. Corrigez ou désactivez ce qui ne répond plus dans la console, page Webhooks\u00a0:\n${publicUrl}/console\n`,

  waitingMailSubject: "Des livraisons attendent leur tour depuis longtemps",
  waitingMailEndpoint: ({ name, since, link }: Record<"name" | "since" | "link", string>) =>
    `Depuis le ${since}, des livraisons à cette destination attendent leur tour\u00a0:\n${name}\n\nVoir ce qui attend\u00a0:\n${link}\n`,
  waitingMail: ({ endpoints }: { endpoints: string }) =>
    `Bonjour,\n\n${endpoints}\nDes messages arrivent plus vite que son réglage «\u00a0Ordre et débit\u00a0» ne les laisse partir, ou l’un d’eux retient les suivants. Augmentez le débit, ou renvoyez ou annulez celui qui retient les autres. Ce qui attend depuis 30 jours est annulé\u202f; le journal en dit la raison, et vous pouvez encore le renvoyer pendant 30 jours.\n`,

  backupMailSubject: {
    late: "Aucune sauvegarde récente de Guichet",
    unusable: "La dernière sauvegarde de Guichet ne peut pas être restaurée",
  },
  backupMail: {
    late: ({ folder, newest, publicUrl }: BackupMail) =>
      `Bonjour,\n\nLa sauvegarde de la nuit n’a pas été faite. Dernière sauvegarde\u00a0: ${newest}.\n\nDossier des sauvegardes\u00a0: ${folder}\nLa personne qui administre le serveur trouve la raison par la commande guichet check, et dans le journal du service. Tant que rien n’est corrigé, vous recevez cet e-mail chaque jour.\n\n${publicUrl}/console\n`,
    unusable: ({ folder, newest, publicUrl }: BackupMail) =>
      `Bonjour,\n\nChaque mois, Guichet restaure sa dernière sauvegarde pour vérifier qu’elle peut servir. Cette fois, cela a échoué\u00a0: en cas de panne, elle ne servirait à rien. Dernière sauvegarde\u00a0: ${newest}.\n\nDossier des sauvegardes\u00a0: ${folder}\nLa personne qui administre le serveur trouve la raison par la commande guichet restore FICHIER --trial, et dans le journal du service.\n\n${publicUrl}/console\n`,
  },
  noBackup: "aucune",

  /** « 12 questions, 2 sans réponse, 3 messages » */
  weekCounts: ({ asked, unanswered, received }: Record<"asked" | "unanswered" | "received", number>) =>
    [
      questionCount(asked),
      ...(asked > 0 ? [`${unanswered.toLocaleString("fr")} sans réponse`] : []),
      `${received.toLocaleString("fr")} ${received < 2 ? "message" : "messages"}`,
    ].join(", "),
  weekSubject: (counted: string, site: string) => `${site}, cette semaine\u00a0: ${counted}`,
  week: ({
    site,
    counted,
    gaps,
    home,
    stop,
  }: Record<"site" | "counted" | "gaps" | "home" | "stop", string>) =>
    `Bonjour,\n\nVoici ce que «\u00a0${site}\u00a0» a reçu depuis le dernier e-mail de ce genre\u00a0: ${counted}.\n${home}\n${gaps}\nVous recevez cet e-mail le lundi, parce que votre adresse e-mail est cochée sur cette page. Pour ne plus le recevoir, décochez-la\u00a0:\n${stop}\n`,
  gap: (question: string, times: number) => `- ${question} (${times.toLocaleString("fr")}\u00a0fois)`,
  gaps: ({ lines, link }: { lines: string; link: string }) =>
    `\nCe que la documentation ne dit pas\u00a0:\n\n${lines}\n\nPour y répondre, marquer ces questions comme traitées ou les écarter\u00a0:\n${link}\n`,
  moreGaps: (count: number) => `… et ${count.toLocaleString("fr")} de plus.`,
  evaluationSubject: (site: string) => `L’évaluation a baissé\u00a0: ${site}`,
  evaluation: ({ site, passed, total, lost, link }: FallenMail) =>
    `Bonjour,\n\nAprès la dernière lecture de la documentation, l’assistant de «\u00a0${site}\u00a0» répond comme prévu à ${passed.toLocaleString("fr")} des ${questionCount(total)} de l’évaluation, soit ${lost.toLocaleString("fr")} de moins qu’avant.\n\nPour voir lesquelles\u00a0:\n${link}\n`,
}

type FallenMail = Record<"site" | "link", string> & Record<"passed" | "total" | "lost", number>

interface BackupMail {
  folder: string
  /** When the newest backup was made, or `noBackup`. */
  newest: string
  publicUrl: string
}

function questionCount(count: number): string {
  return `${count.toLocaleString("fr")} ${count < 2 ? "question" : "questions"}`
}

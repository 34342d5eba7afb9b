/** The mails of the service, in French. */
export const messages = {
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
    `Reçu le ${at}. Si cet envoi ne vient pas de vous, ne faites rien\u00a0: quelqu’un a sans doute indiqué votre adresse par erreur.`,
  visitorFooter: ({ site }: { site: string }) =>
    `E-mail automatique du site ${site}, envoyé à l’adresse indiquée dans son formulaire.`,
  ownerMailSubject: ({ form, site }: { form: string; site: string }) =>
    `Nouveau message\u00a0: ${form} (${site})`,
  ownerMail: ({ form }: { form: string }) =>
    `Bonjour,\n\nLe formulaire «\u00a0${form}\u00a0» a reçu un nouveau message.`,
  ownerMailLink: "Lire le message dans la console",
  ownerMailReply:
    "Répondez à cet e-mail pour écrire à la personne\u00a0: votre réponse part à l’adresse qu’elle a indiquée.",
  ownerMailCut: "La suite de ce texte se lit dans la console.",
  ownerMailGatheredSubject: ({ form, count, site }: { form: string; count: number; site: string }) =>
    `Nouveaux messages (${count})\u00a0: ${form} (${site})`,
  ownerMailGathered: ({ form, count }: { form: string; count: number }) =>
    `Bonjour,\n\nNombre de nouveaux messages du formulaire «\u00a0${form}\u00a0»\u00a0: ${count}. Comme il en est venu beaucoup en peu de temps, ils vous sont annoncés ensemble.`,
  ownerMailLinks: "Lire les messages dans la console",
  ownerFooter: ({ site }: { site: string }) =>
    `Vous recevez cet e-mail parce que votre adresse figure dans les réglages d’un formulaire du site ${site}.`,
  emptyValue: "(vide)",

  failingMailSubject: "Une adresse de webhook ne répond plus",
  failingMailSubjects: ({ count }: { count: number }) => `${count} adresses de webhook ne répondent plus`,
  failingMailEndpoint: ({ url, answer, since }: { url: string; answer: string; since: string }) =>
    `Depuis le ${since}, tous les envois à cette adresse échouent\u00a0:\n${url}\n\nDernier résultat\u00a0: ${answer}.\n`,
  failingMail: ({ endpoints, publicUrl }: { endpoints: string; publicUrl: string }) =>
    `Bonjour,\n\n${endpoints}\nRien n’est désactivé\u00a0: Guichet continue d’essayer. Corrigez ou désactivez ce qui ne répond plus dans la console, page Webhooks\u00a0:\n${publicUrl}/console\n`,
}

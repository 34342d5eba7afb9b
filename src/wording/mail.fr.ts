/** French sentences about sending mails. */
export const words = {
  notConfigured: "L’envoi d’e-mails n’est pas configuré sur ce serveur (GUICHET_SMTP_URL).",
  address: "Donnez une adresse e-mail complète.",
  tooManyTests: ({ most }: { most: number }) =>
    `Cet espace a déjà demandé beaucoup d’e-mails aujourd’hui\u00a0: ${most} messages d’essai par jour au plus. Réessayez demain.`,
}

/** The mail with which an operator tests the mail server. */
export const testMail = {
  subject: "Message d’essai de Guichet",
  text: "Bonjour,\n\nCe message d’essai montre que Guichet peut envoyer des e-mails.\n",
}

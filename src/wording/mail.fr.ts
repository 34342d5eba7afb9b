export const words = {
  notConfigured: "L’envoi d’e-mails n’est pas configuré sur ce serveur (GUICHET_SMTP_URL).",
  address: "Indiquez une adresse e-mail complète.",
  tooManyTests: ({ most }: { most: number }) =>
    `Trop d’e-mails d’essai ont été demandés aujourd’hui\u00a0: ${most} par jour au plus. Réessayez demain.`,
}

/** The mail with which an operator tests the mail server. */
export const testMail = {
  subject: "Message d’essai de Guichet",
  text: "Bonjour,\n\nCe message d’essai montre que Guichet peut envoyer des e-mails.\n",
}

/** The invented values of a test message to an endpoint. */
export const testValues = {
  projectName: "Site d’essai",
  question: "Peut-on payer en plusieurs fois\u202f?",
  failure: "Ceci est un message d’essai\u00a0: rien n’a échoué.",
  formName: "Formulaire d’essai",
  name: "Camille Exemple",
  message: "Ceci est un message d’essai envoyé depuis Guichet.",
  consent: "J’accepte d’être recontacté au sujet de ma demande.",
}

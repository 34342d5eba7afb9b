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

/** The invented values of a test message to an endpoint. */
export const testValues = {
  formName: "Formulaire d’essai",
  name: "Camille Exemple",
  message: "Ceci est un message d’essai envoyé depuis Guichet.",
  consent: "J’accepte d’être recontacté au sujet de ma demande.",
}

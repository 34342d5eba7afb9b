/** Texts of the form builder's templates for a visitor, until the owner rewords it. */
export const templateTexts = {
  name: "Votre nom",
  firstName: "Votre prénom",
  email: "Votre adresse e-mail",
  emailExample: "nom@exemple.fr",
  message: "Votre message",

  project: "Votre projet en quelques phrases",
  projectHelp: "Ce que vous voulez faire, où, et ce qui existe déjà.",
  needs: "Ce dont vous avez besoin",
  needsOptions: ["Étude", "Réalisation", "Entretien"],
  budget: "Votre budget",
  budgetOptions: ["Moins de 1 000 €", "De 1 000 à 5 000 €", "Plus de 5 000 €", "Je ne sais pas encore"],
  deadline: "Date souhaitée",
  phone: "Votre téléphone",
  phoneExample: "01 23 45 67 89",
  quoteButton: "Demander un devis",
  quoteThanks: "Merci\u202f! Votre demande de devis est bien arrivée. Nous vous répondons très vite.",

  people: "Nombre de participants",
  session: "Séance",
  sessionOptions: ["Samedi matin", "Samedi après-midi"],
  extras: "Options",
  extrasOptions: ["Repas", "Place de parking"],
  remark: "Une remarque\u202f?",
  signUpButton: "M’inscrire",
  signUpThanks: "Merci\u202f! Votre inscription est enregistrée.",

  letterConsent:
    "J’accepte de recevoir la lettre d’information. Je peux me désinscrire à tout moment par le lien de chaque envoi.",
  letterButton: "M’abonner",
  letterThanks: "Merci de votre intérêt\u202f!",
}

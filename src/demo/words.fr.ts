/** Texts of the demo's pages around the documentation. */
export const words = {
  site: "Documentation de Guichet",
  pages: "Pages de la documentation",
  contact: "Nous écrire",
  suggestions: [
    "Comment installer le widget sur mon site\u202f?",
    "Comment renvoyer un webhook\u202f?",
    "Où sont conservées les données\u202f?",
  ],
  steps: "La démonstration en trois pas",
  step: {
    asked: "Posez une question",
    sent: "Envoyez le formulaire",
    opened: "Ouvrez la console",
  },
  /** Where the page may be read by others than who started the demo. */
  linkOnTerminal: "par le lien affiché dans le terminal",
  done: "fait",
  toDo: "à faire",

  operator: "demo@exemple.fr",
  failing: "Application de l’accueil (en panne, pour l’exemple)",
  /** Questions of the week before, some of which the documentation does not answer. */
  asked: [
    "Comment installer le widget sur mon site\u202f?",
    "Quels sont vos tarifs\u202f?",
    "Comment renvoyer un webhook\u202f?",
    "Où sont conservées les données\u202f?",
    "Peut-on relier Guichet à Zapier\u202f?",
    "Comment vérifier la signature d’un webhook\u202f?",
    "Existe-t-il une application mobile\u202f?",
    "Combien de temps les messages sont-ils gardés\u202f?",
    "Quel est le prix d’un abonnement\u202f?",
    "Comment ajouter un champ fichier à un formulaire\u202f?",
    "Comment choisir une réponse soi-même\u202f?",
    "Peut-on payer par carte bancaire\u202f?",
    "Comment changer la couleur de la fenêtre\u202f?",
    "Comment faire une sauvegarde\u202f?",
    "Y a-t-il une application pour téléphone\u202f?",
    "Comment protéger un formulaire des robots\u202f?",
    "Que faire quand une livraison échoue\u202f?",
  ],
  askedOn: ["/docs/", "/docs/webhooks", "/docs/formulaires", "/docs/widget"],
  messages: [
    {
      nom: "Camille Martin",
      email: "camille@exemple.fr",
      sujet: "question",
      message: "Bonjour, proposez-vous des formations à distance pour notre équipe de six personnes\u202f?",
    },
    {
      nom: "Louis Bernard",
      email: "louis@exemple.fr",
      sujet: "idee",
      message: "Une version en breton serait très utile à notre commune. Merci pour votre travail\u202f!",
    },
    {
      nom: "Inès Petit",
      email: "ines@exemple.fr",
      sujet: "question",
      message: "Pourriez-vous me faire parvenir un devis pour trois sites\u202f?",
    },
    {
      nom: "Hugo Moreau",
      email: "hugo@exemple.fr",
      sujet: "question",
      message: "Notre association change de nom en janvier\u00a0: que faut-il prévoir\u202f?",
    },
    {
      nom: "Zoé Lambert",
      email: "zoe@exemple.fr",
      sujet: "idee",
      message: "Pourquoi ne pas afficher les horaires d’accueil en haut de la page\u202f?",
    },
    {
      nom: "Nadia Roux",
      email: "nadia@exemple.fr",
      sujet: "question",
      message:
        "Je n’ai pas reçu la lettre d’information de novembre. Pouvez-vous vérifier mon adresse e-mail\u202f?",
    },
    {
      nom: "Paul Girard",
      email: "paul@exemple.fr",
      sujet: "autre",
      message: "Bravo pour ce site, clair et rapide.",
    },
    {
      nom: "Lina Faure",
      email: "lina@exemple.fr",
      sujet: "question",
      message: "Peut-on venir vous voir sans rendez-vous le samedi\u202f?",
    },
  ],
  hasty: {
    nom: "Robin Colin",
    email: "robin@exemple.fr",
    sujet: "autre",
    message: "Message collé d’un autre document, et envoyé aussitôt.",
  },
}

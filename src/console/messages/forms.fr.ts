import type { StoppedBy } from "../../forms/responses/form-response.ts"

/** French messages of the pages about forms and their responses. */
export const messages = {
  forms: "Formulaires",
  none: "Ce projet n’a pas encore de formulaire. Créez le premier, puis copiez son code HTML dans une page de votre site.",
  newForm: "Nouveau formulaire",
  person: "Données d’une personne",
  responses: "Réponses",
  settings: "Modifier",
  counts: {
    received: (count: number) => (count <= 1 ? `${count} reçue` : `${count} reçues`),
    held: (count: number) => `${count} à vérifier`,
    unwanted: (count: number) => (count <= 1 ? `${count} indésirable` : `${count} indésirables`),
  },
  created: "Le formulaire est créé. Copiez son code dans une page de votre site.",
  saved:
    "Le formulaire est enregistré. Si son code est déjà dans une page de votre site, copiez-le de nouveau\u00a0: ce qui vient d’un champ ou d’une réponse qui n’existe plus n’est pas gardé.",
  removed: "Le formulaire est supprimé, avec ses réponses.",

  remove: "Supprimer le formulaire",
  removeHint: "Il n’accepte plus rien, et toutes ses réponses sont effacées pour toujours.",
  removeConfirm: "Supprimer ce formulaire et toutes ses réponses\u202f?",

  consent: "Accord",

  state: "Sorte",
  states: { received: "reçues", held: "à vérifier", unwanted: "indésirables" },
  consentFilter: "Accord",
  consents: {
    "": "tous",
    confirmed: "confirmé",
    pending: "en attente",
    none: "sans accord",
  },
  since: "Depuis le",
  search: "Contenant",
  show: "Afficher",
  export: "Exporter (CSV)",
  noResponse: "Aucune réponse ne correspond à ce choix.",
  noResponseYet: "Aucune réponse pour le moment.",
  stoppedBy: {
    trap: "Retenue\u00a0: un champ invisible était rempli, comme le font les robots.",
    speed: "Retenue\u00a0: le formulaire a été rempli trop vite pour une personne.",
    rate: "Retenue\u00a0: trop d’envois du même visiteur en une minute.",
  } satisfies Record<StoppedBy, string>,
  accept: "Accepter et envoyer",
  accepted: "La réponse est acceptée\u00a0: elle part vers votre application.",
  erase: "Effacer",
  eraseConfirm: "Effacer cette réponse pour toujours, y compris du journal des livraisons\u202f?",
  erased: "La réponse est effacée.",
  noValue: "(vide)",
  consentUnasked:
    "Aucun e-mail de confirmation n’est parti pour cette réponse\u00a0: trop de messages ont déjà été adressés à cette boîte ce jour-là, ou attendent encore d’être envoyés. L’accord reste en attente.",
  consentTitle: "Preuve de l’accord",
  consentState: {
    pending: "en attente de confirmation",
    confirmed: "confirmé",
  },
  consentAt: "Case cochée le",
  consentConfirmedAt: "Confirmé par e-mail le",
  consentWording: "Texte affiché",
  identifier: "Identifiant",
  fromQuestion: "Venue de la question",
  questionGone: "Venue d’une question qui n’est plus gardée.",

  personTitle: "Données d’une personne",
  personIntro:
    "Une personne peut demander ce que vous gardez d’elle, ou que tout soit effacé. Cherchez son adresse e-mail dans toutes les réponses de l’espace. Une adresse citée au milieu d’un message ne désigne personne\u00a0: elle se cherche parmi les réponses de chaque formulaire.",
  personEmail: "Adresse e-mail",
  personSearch: "Chercher",
  personNone: "Aucune réponse ne contient cette adresse.",
  personFound: (count: number) =>
    count === 1 ? "Une réponse contient cette adresse." : `${count} réponses contiennent cette adresse.`,
  personExport: "Exporter (JSON)",
  personErase: "Effacer toutes ces réponses",
  personEraseConfirm: "Effacer pour toujours toutes les réponses de cette personne\u202f?",
  personErased: (count: number) =>
    count === 0
      ? "Rien n’était à effacer."
      : count === 1
        ? "Une réponse est effacée."
        : `${count} réponses sont effacées.`,
}

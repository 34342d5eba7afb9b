import type { FieldType } from "../../forms/definition/field.ts"
import type { StoppedBy } from "../../forms/responses/form-response.ts"

/** French messages of the pages about forms and their responses. */
export const messages = {
  forms: "Formulaires",
  none: "Ce projet n’a pas encore de formulaire. Créez le premier, puis copiez son code HTML dans une page de votre site.",
  newForm: "Nouveau formulaire",
  person: "Données d’une personne",
  responses: "Réponses",
  html: "Code HTML",
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

  name: "Nom du formulaire",
  nameHint: "Il est envoyé à votre application avec chaque réponse.",
  fields: "Champs",
  fieldsHint:
    "Le visiteur lit le libellé. Votre application reçoit la valeur sous le nom de variable\u00a0: laissez-le vide pour qu’il soit tiré du libellé.",
  field: (number: number) => `Champ ${number}`,
  label: "Libellé",
  variable: "Nom de variable",
  type: "Type",
  types: {
    text: "texte court",
    textarea: "texte long",
    email: "adresse e-mail",
    tel: "téléphone",
    url: "adresse web",
    number: "nombre",
    date: "date",
    select: "liste déroulante",
    radio: "choix unique",
    checkbox: "case à cocher",
    hidden: "valeur cachée",
  } satisfies Record<FieldType, string>,
  required: "Réponse obligatoire",
  options: "Réponses proposées",
  optionLines: "Une réponse par ligne",
  optionsHint:
    "Pour une liste déroulante ou un choix unique. Écrivez «\u00a0valeur = libellé\u00a0» pour envoyer autre chose que le libellé.",
  addField: "Ajouter un champ",
  removeField: (number: number) => `Retirer le champ ${number}`,
  moveUp: (number: number) => `Monter le champ ${number}`,
  up: "Monter",
  takeOut: "Retirer",
  consent: "Accord",
  consentText: "Texte de la case d’accord",
  consentTextHint: "Laissez vide pour ne pas demander d’accord. Le texte exact est gardé comme preuve.",
  confirmation: "Confirmer l’accord par un lien envoyé par e-mail",
  after: "Après l’envoi",
  redirect: "Page de remerciement",
  redirectHint: "Adresse complète sur votre site. Sans elle, Guichet affiche une page simple.",
  retention: "Jours de conservation",
  retentionHint: "Les réponses plus anciennes sont effacées. Laissez vide pour tout garder.",
  ownerMail: "Prévenir par e-mail à chaque réponse",
  ownerMailHint: "Une adresse, ou rien.",
  ownerContents: "Montrer les réponses dans l’e-mail, et pas seulement un lien",
  mailOff: "L’envoi d’e-mails n’est pas configuré sur ce serveur.",
  create: "Créer le formulaire",
  remove: "Supprimer le formulaire",
  removeHint: "Il n’accepte plus rien, et toutes ses réponses sont effacées pour toujours.",
  removeConfirm: "Supprimer ce formulaire et toutes ses réponses\u202f?",

  htmlHint:
    "Copiez ce code dans une page dont l’adresse est déclarée dans le projet. Il fonctionne sans JavaScript.",
  pageOfForm: "Adresse de la page où vous le mettez",
  pageOfFormHint: "Elle accompagne chaque réponse. Sans elle, les navigateurs ne disent que le site.",
  htmlCode: "Code du formulaire",
  variables: "Variables envoyées à votre application",

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

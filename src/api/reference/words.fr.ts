export const words = {
  title: "API de Guichet",
  skip: "Aller au contenu",
  toConsole: "Revenir à la console",
  introductionTitle: "Pour commencer",
  introduction: [
    "Les routes des visiteurs s’appellent depuis une page déclarée du projet, sans jeton. Les autres demandent dans l’en-tête `Authorization` le texte `Bearer` suivi d’un jeton `gch_…`, que vous créez dans la console ou par `guichet token create`.",
    "Les listes vont du plus récent au plus ancien et se lisent page par page avec `cursor`. Les dates sont au format ISO 8601, en UTC. Toute erreur porte un code stable et une phrase en français, à afficher telle quelle ; les routes à jeton la donnent en anglais avec l’en-tête `Accept-Language` à `en`.",
  ],
  language: "Langage des exemples",
  search: "Rechercher",
  menu: "Contenu de la documentation",
  guides: "Guides",
  reference: "Référence",
  webhooks: "Messages des webhooks",
  withoutToken: "Appelée par les pages, sans jeton",
  scope: "Droit nécessaire :",
  parameters: "Paramètres",
  headers: "En-têtes",
  body: "Corps",
  required: "obligatoire",
  answerFields: "Champs de la réponse",
  refusals: "Refus possibles :",
  answer: (status: string) => `Réponse ${status}`,
  emptyAnswer: (status: string) => `Réponse ${status}, sans corps.`,
  otherAnswer: (status: string, type: string) => `Réponse ${status}, de type ${type}.`,
  kinds: {
    string: "texte",
    integer: "entier",
    number: "nombre",
    boolean: "booléen",
    object: "objet",
    null: "null",
  },
  listOf: (kind: string) => `liste (${kind})`,
  characters: (least: number, most: number) =>
    least > 0
      ? `de ${number.format(least)} à ${number.format(most)} caractères`
      : `${number.format(most)} caractères au plus`,
  between: (least: number, most: number) => `de ${number.format(least)} à ${number.format(most)}`,
  atMost: (items: number) => `${number.format(items)} au plus`,
}

const number = new Intl.NumberFormat("fr-FR")

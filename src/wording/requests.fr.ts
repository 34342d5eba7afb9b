export const words = {
  invalidRequest: "La requête est illisible ou l’un de ses champs n’est pas valable.",
  notFound: "Cette URL n’existe pas.",
  tooManyDownloads: "Trop de téléchargements en peu de temps. Réessayez dans un instant.",
  badHost:
    "L’en-tête Host de la requête manque ou n’est pas celui d’un site. Le proxy doit transmettre celui du visiteur\u00a0: dans nginx, par la directive «\u00a0proxy_set_header Host $host\u202f;\u00a0».",
  tooLarge: ({ maxBytes }: { maxBytes: number }) =>
    `La requête est trop volumineuse\u00a0: ${(maxBytes / 1024).toLocaleString("fr")}\u00a0Ko au plus.`,
  notJson: ({ type }: { type: string }) =>
    `Le corps de la requête est un formulaire (${type}). Envoyez un objet JSON, avec l’en-tête Content-Type\u00a0: application/json.`,
  notAnObject: "Le corps de la requête n’est pas un objet JSON valable.",
  methodNotAllowed: ({ allowed }: { allowed: string[] }) =>
    `Cette URL n’accepte que ${new Intl.ListFormat("fr").format(allowed)}.`,
  unauthorized: "Un jeton d’accès valable est nécessaire.",
  tokenMissing:
    "Un jeton d’accès est nécessaire\u00a0: envoyez l’en-tête Authorization, avec «\u00a0Bearer\u00a0» suivi du jeton.",
  tokenUnknown: "Ce jeton d’accès est inconnu. Vérifiez qu’il est copié en entier.",
  tokenExpired: "Ce jeton d’accès a expiré. Créez-en un autre.",
  tokenRevoked: "Ce jeton d’accès a été révoqué. Utilisez-en un autre.",
  idempotencyKey: ({ maximum }: { maximum: number }) =>
    `L’en-tête Idempotency-Key contient un texte de 1 à ${maximum} caractères sans accent, par exemple un UUID.`,
  forbidden: ({ scope }: { scope: string }) => `Ce jeton n’a pas le droit «\u00a0${scope}\u00a0».`,
  wrongFields: "Corrigez les champs indiqués.",
  required: "Ce champ est obligatoire.",
  text: "Indiquez un texte.",
  textUpTo: ({ maximum }: { maximum: number }) =>
    `Indiquez un texte de ${maximum.toLocaleString("fr")} caractères au plus.`,
  texts: "Indiquez une liste de textes.",
  flag: "Indiquez true ou false.",
  whole: ({ minimum }: { minimum: number }) => `Indiquez un nombre entier à partir de ${minimum}.`,
  wholeOrNull: ({ minimum, maximum }: { minimum: number; maximum: number | undefined }) =>
    maximum === undefined
      ? `Indiquez un nombre entier à partir de ${minimum}, ou null.`
      : `Indiquez un nombre entier de ${minimum} à ${maximum.toLocaleString("fr")}, ou null.`,
  oneOf: ({ choices }: { choices: readonly string[] }) => `Valeurs possibles\u00a0: ${choices.join(", ")}.`,
  someOf: ({ choices }: { choices: readonly string[] }) =>
    `Indiquez une liste de ces valeurs\u00a0: ${choices.join(", ")}.`,
  unknownField: ({ known }: { known: readonly string[] }) =>
    `Champ inconnu. Champs possibles\u00a0: ${known.join(", ")}.`,
  mistypedField: ({ name, meant }: { name: string; meant: string }) =>
    `\`${name}\`\u00a0: champ inconnu\u202f; vouliez-vous dire \`${meant}\`\u202f?`,
  headers: ({ max }: { max: number }) => `Indiquez ${max}\u00a0en-têtes au plus.`,
  headerName: ({ max }: { max: number }) =>
    `Le nom d’un en-tête compte ${max}\u00a0caractères au plus\u00a0: lettres sans accent, chiffres et tirets.`,
  headerValue:
    "La valeur d’un en-tête tient sur une ligne, sans accent, et compte 4\u00a0096 caractères au plus, nom compris.",
  reservedHeader: ({ name }: { name: string }) =>
    `L’en-tête «\u00a0${name}\u00a0» ne peut pas être personnalisé\u00a0: Guichet l’écrit lui-même, ou HTTP en a besoin.`,
  headerTwice: ({ name }: { name: string }) => `L’en-tête «\u00a0${name}\u00a0» est donné deux fois.`,
  headerWithoutValue: ({ name }: { name: string }) =>
    `Indiquez la valeur de l’en-tête «\u00a0${name}\u00a0».`,
  shownOnly: "Ce champ ne se modifie pas. Renvoyez-le tel quel, ou retirez-le.",
  object: "Indiquez un objet.",
  time: "Indiquez un jour ou une date au format ISO 8601, par exemple 2026-11-20 ou 2026-11-20T10:00:00.000Z.",
  limit: ({ maximum }: { maximum: number }) => `Indiquez un nombre entier de 1 à ${maximum}.`,
  cursor: "Reprenez la liste avec la valeur de next_cursor de la page précédente.",
  exportRunning:
    "Un de vos exports est déjà en cours. Attendez qu’il soit terminé avant d’en demander un autre.",
  unavailable: "Le service ne répond pas pour le moment. Réessayez dans quelques instants.",
}

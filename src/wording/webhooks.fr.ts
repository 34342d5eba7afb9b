import type { Outcome } from "../db/tables/webhooks.ts"
import type { AddressRule } from "../outbound/address-text.ts"
import type { FailureCause } from "../outbound/failure.ts"
import { causes } from "./causes/causes.fr.ts"

export const words = {
  unknownEndpoint: "Cette destination n’existe pas.",
  invalidEndpoint: "Cette destination ne peut pas être enregistrée\u00a0: corrigez les champs indiqués.",
  chooseProjects:
    "Choisissez les projets ou les formulaires dont cette destination reçoit les messages, ou tous les projets.",
  description: ({ max }: { max: number }) =>
    `Indiquez une description de ${max} caractères au plus, sur une seule ligne.`,
  tooManyEndpoints: ({ maximum }: { maximum: number }) =>
    `${maximum} destinations au plus peuvent être gardées. Supprimez-en une avant d’en ajouter une autre.`,
  oneTestEndpoint: "Il y a déjà une boîte d’essai\u00a0: une suffit.",
  testEndpointUrl: "La boîte d’essai n’a pas d’URL\u00a0: elle est dans Guichet.",
  testOnly: "Seule la boîte d’essai a ce réglage.",
  after: "Le curseur est celui d’une réponse précédente, ou «\u00a0end\u00a0».",
  tooManySecrets:
    "Le secret a déjà été changé plusieurs fois en 24 heures. Réessayez quand les précédents ne signeront plus.",
  unknownProjects: "Cette liste contient un projet qui n’existe pas.",
  unknownForms: "Cette liste contient un formulaire qui n’existe pas.",
  events: "Choisissez au moins un événement parmi ceux qui existent.",
  unknownForm: "Ce formulaire n’existe pas.",
  unknownField: ({ field }: { field: string }) =>
    `Ce formulaire n’a pas de champ «\u00a0${field}\u00a0» dont la valeur puisse être comparée.`,
  unknownValue: ({ value, field }: { value: string; field: string }) =>
    `Le champ «\u00a0${field}\u00a0» n’a pas le choix «\u00a0${value}\u00a0».`,
  conditions: ({ max }: { max: number }) => `Indiquez ${max}\u00a0conditions au plus.`,
  conditionValues: ({ max, maxLength }: { max: number; maxLength: number }) =>
    `Indiquez de 1 à ${max}\u00a0valeurs, de ${maxLength}\u00a0caractères au plus.`,
  unresolved: "Le nom de domaine de cette URL n’existe pas, ou ne mène à aucun serveur.",
  unresolvedNow:
    "Le nom de domaine n’a pas pu être vérifié pour le moment. Réessayez dans quelques instants.",
  privateAddress: "Le nom de domaine de cette URL mène à un réseau privé ou réservé.",
  rules: {
    unreadable: "L’URL est vide, ou contient une espace ou un caractère qui n’y a pas sa place.",
    too_long: "L’URL compte 2048 caractères au plus.",
    https: "L’URL doit commencer par https://, suivi du nom de domaine.",
    credentials: "L’URL ne doit contenir ni nom d’utilisateur ni mot de passe.",
    fragment: "L’URL ne doit pas contenir de fragment (#…).",
    port: "L’URL doit utiliser le port 443.",
    ip: "L’URL doit contenir un nom de domaine, pas une adresse IP.",
    name: "L’URL doit contenir un nom de domaine public, écrit tel quel.",
    internal: "Ce nom est réservé à un réseau interne. Indiquez un nom de domaine public.",
    own: "Cette URL est celle de Guichet lui-même.",
  } satisfies Record<AddressRule, string>,
  headersOfOtherHost: ({ name }: { name: string }) =>
    `L’URL mène à un autre serveur\u00a0: redonnez la valeur de chaque en-tête, ou retirez-le («\u00a0${name}\u00a0»).`,
  testEndpointHeaders:
    "La boîte d’essai n’a pas d’en-têtes personnalisés\u00a0: elle montre ceux qu’elle reçoit.",
  tooManyTests: ({ maximum }: { maximum: number }) =>
    `Cette destination a déjà reçu ${maximum} messages d’essai aujourd’hui. Réessayez plus tard.`,
  unknownDelivery: "Cette livraison n’existe pas ou n’est plus au journal.",
  inactiveEndpoint: "Cette destination est désactivée\u00a0: activez-la avant d’y envoyer un message.",
  deletedEndpoint:
    "La destination de cette livraison a été supprimée\u00a0: rien ne peut plus y être envoyé.",
  erasedPayload: "Le contenu de ce message a été effacé\u00a0: il ne peut plus être envoyé.",
  tooManyAttempts: ({ maximum }: { maximum: number }) =>
    `Cette livraison a déjà ${maximum} tentatives : elle ne peut plus être envoyée.`,
  nothingToCancel: "Cette livraison n’attend aucune tentative\u00a0: il n’y a rien à annuler.",
  rate: ({ max }: { max: number }) => `Indiquez un nombre entier de 1 à ${max.toLocaleString("fr")}.`,
  messageTooLarge: "Ce message est trop long pour être envoyé\u00a0: 256\u00a0Ko au plus.",
  outcomes: {
    delivered: "livré",
    http_status: "refusé par l’application",
    timeout: "pas de réponse en 10\u00a0secondes",
    dns: "nom de domaine introuvable",
    connection: "connexion impossible",
    tls: "certificat ou chiffrement refusé",
    protocol: "réponse illisible",
    private_address: "le nom mène à un réseau privé\u00a0: rien n’a été envoyé",
    interrupted: "interrompu par un arrêt du service",
  } satisfies Record<Outcome, string>,
  gone: "cette URL répond qu’elle n’existe plus (410)",
  status: ({ status }: { status: number }) => `réponse HTTP ${status}`,
}

/** The last result of a failing endpoint, in words. */
export function answerInWords({
  outcome,
  status,
  cause,
}: {
  outcome: Outcome
  status: number | null
  cause: FailureCause | null
}): string {
  if (status === 410) return words.gone
  if (cause !== null) return causes[cause].name
  return status === null ? words.outcomes[outcome] : words.status({ status })
}

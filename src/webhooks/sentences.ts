import type { AddressRule } from "./address.ts"

/** What is said about endpoints and deliveries, in French. */
export const sentences = {
  unknownEndpoint: "Cette adresse de webhook n’existe pas.",
  invalidEndpoint:
    "Cette adresse de webhook ne peut pas être enregistrée\u00a0: corrigez les champs indiqués.",
  tooManyEndpoints: (maximum: number) =>
    `Un espace garde ${maximum} adresses de webhook au plus. Supprimez-en une avant d’en ajouter une autre.`,
  unknownProjects: "Cette liste contient un projet qui n’existe pas.",
  unknownForms: "Cette liste contient un formulaire qui n’existe pas.",
  unresolved: "Le nom de domaine de cette adresse n’existe pas, ou ne mène à aucun serveur.",
  unresolvedNow:
    "Le nom de domaine n’a pas pu être vérifié pour le moment. Réessayez dans quelques instants.",
  privateAddress: "Le nom de domaine de cette adresse mène à un réseau privé ou réservé.",
  rules: {
    unreadable:
      "L’adresse est vide, ou contient une espace ou un caractère qui n’a pas sa place dans une adresse.",
    too_long: "L’adresse compte 2048 caractères au plus.",
    https: "L’adresse doit commencer par https://, suivi du nom de domaine.",
    credentials: "L’adresse ne doit contenir ni nom d’utilisateur ni mot de passe.",
    fragment: "L’adresse ne doit pas contenir de fragment (#…).",
    port: "L’adresse doit utiliser le port 443.",
    ip: "L’adresse doit porter un nom de domaine, pas un numéro IP.",
    name: "L’adresse doit porter un nom de domaine public, écrit tel quel.",
    internal: "Ce nom est réservé à un réseau interne. Donnez un nom de domaine public.",
    own: "Cette adresse est celle de Guichet lui-même.",
  } satisfies Record<AddressRule, string>,
}

/** What any route may answer, in French. */
export const sentences = {
  invalidRequest: "La requête est illisible ou l’un de ses champs n’est pas valable.",
  notFound: "Cette adresse n’existe pas.",
  methodNotAllowed: (allowed: string[]) => `Cette adresse n’accepte que ${allowed.join(" et ")}.`,
  unavailable: "Le service ne répond pas pour le moment. Réessayez dans quelques instants.",
}

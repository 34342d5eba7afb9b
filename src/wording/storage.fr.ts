/** French sentences about files that are kept. */
export const words = {
  full: ({ megabytes }: { megabytes: number }) =>
    `Il n’y a plus de place pour les fichiers de cet espace, qui en garde ${megabytes.toLocaleString("fr", { maximumFractionDigits: 1 })}\u00a0Mo au plus. Supprimez-en, ou des réponses qui en contiennent.`,
  fileGone: "Un fichier n’est plus là\u00a0: envoyez-le de nouveau.",
}

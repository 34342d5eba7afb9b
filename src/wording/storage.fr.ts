/** French sentences about files that are kept. */
export const words = {
  fileTooLarge: ({ megabytes }: { megabytes: number }) =>
    `Ce fichier est trop lourd\u00a0: ${inMegabytes(megabytes)} au plus.`,
  full: ({ megabytes }: { megabytes: number }) =>
    `Il n’y a plus de place pour les fichiers de cet espace, qui en garde ${inMegabytes(megabytes)} au plus. Supprimez-en, ou des réponses qui en contiennent.`,
  fileGone: "Un fichier n’est plus là\u00a0: envoyez-le de nouveau.",
}

function inMegabytes(count: number): string {
  return `${count.toLocaleString("fr", { maximumFractionDigits: 1 })}\u00a0Mo`
}

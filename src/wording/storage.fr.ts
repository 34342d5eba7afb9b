export const words = {
  full: ({ megabytes }: { megabytes: number }) =>
    `Il n’y a plus de place pour les fichiers\u00a0: ${megabytes.toLocaleString("fr", { maximumFractionDigits: 1 })}\u00a0Mo au plus sont gardés. Supprimez-en, ou des messages reçus qui en contiennent.`,
  fileAway: "Ce fichier ne peut pas être lu pour le moment. Réessayez plus tard.",
  fileGone: "Un fichier n’est plus là\u00a0: envoyez-le de nouveau.",
}

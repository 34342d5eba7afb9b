/** Texts of the demo's pages around the documentation. */
export const words = {
  site: "Documentation de Guichet",
  pages: "Pages de la documentation",
  contact: "Nous écrire",
  suggestions: [
    "Comment installer le widget sur mon site ?",
    "Comment renvoyer un webhook ?",
    "Où sont conservées les données ?",
  ],
}

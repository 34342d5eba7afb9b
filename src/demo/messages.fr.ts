/** Texts of the demo's pages around the documentation. */
export const messages = {
  site: "Documentation de Guichet",
  pages: "Pages de la documentation",
  contact: "Nous écrire",
}

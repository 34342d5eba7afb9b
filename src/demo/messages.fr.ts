/** What the demo's pages say around the documentation. */
export const messages = {
  site: "Documentation de Guichet",
  pages: "Pages de la documentation",
  contact: "Nous écrire",
}

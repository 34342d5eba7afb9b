/** What the demo's pages say around the documentation. */
export const sentences = {
  site: "Documentation de Guichet",
  pages: "Pages de la documentation",
  ask: "Posez une question à la documentation",
  example: "Comment renvoyer un webhook ?",
  send: "Envoyer",
  contact: "Nous écrire",
}

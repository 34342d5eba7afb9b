/** What is said about workspaces and projects, in French. */
export const sentences = {
  invalidProject: "Ce projet ne peut pas être enregistré : corrigez les champs indiqués.",
  unknownProject: "Ce projet n’existe pas.",
  projectName: "Donnez un nom de 1 à 200 caractères.",
  siteAddress: "Donnez l’adresse du site, par exemple https://www.exemple.fr, sans paramètre.",
  declaredAddress:
    "Chaque adresse déclarée commence par https:// ou http://, par exemple https://www.exemple.fr.",
}

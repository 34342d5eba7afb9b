/** French messages of the home of a project and of a workspace. */
export const messages = {
  title: "Accueil",
}

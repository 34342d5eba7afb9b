/** Told to programs that ask and read by the Model Context Protocol, where the project is in French. */
export const words = {
  instructions: ({ project, site, word }: ProjectNamed) =>
    `Ces outils lisent ${word} de «\u00a0${project}\u00a0» (${site}). Citez les URL qu’ils renvoient. Quand ask renvoie le statut no_answer, dites que la réponse n’a pas été trouvée, sans en inventer une.`,
  askTitle: "Poser une question",
  ask: ({ project, word }: ProjectNamed) =>
    `Répond à une question d’après ${word} de «\u00a0${project}\u00a0», avec ses sources. Le statut no_answer dit que la réponse n’y est pas. Les questions sont comptées et gardées\u00a0: pour explorer, préférez search.`,
  question: "La question, en une phrase, de 2 à 1\u202f000 caractères, sans donnée personnelle.",
  previous: "Les identifiants (id) des réponses précédentes de cette conversation, 3 au plus.",
  searchTitle: "Chercher des passages",
  search: ({ project, word }: ProjectNamed) =>
    `Cherche des passages dans ${word} de «\u00a0${project}\u00a0» et renvoie leur texte et leur URL. La page entière se lit comme ressource, par son URL.`,
  q: "Les mots cherchés ou une phrase, de 2 à 200 caractères.",
  limit: "Le nombre de passages, de 1 à 10.",
  edition: ({ labels }: { labels: string }) =>
    `La version ou la langue de la documentation, la première sans ce paramètre\u00a0: ${labels}.`,
  nothing: "Aucun passage ne correspond.",
  perhaps: "Peut-être dans ces passages, sans certitude\u00a0:",
  answerId: ({ id }: { id: string }) => `Identifiant de cette réponse\u00a0: ${id}`,
  llmsSummary: ({ project, site, word, full }: ProjectNamed & { full: string }) =>
    `Les pages que l’assistant de «\u00a0${project}\u00a0» a lues dans ${word} (${site}). Leur texte\u00a0: ${full}`,
  llmsPages: "Pages",
  llmsCut: ({ list }: { list: string }) =>
    `La suite n’est pas donnée ici, où 20\u00a0Mo de texte sont publiés au plus. Toutes les pages\u00a0: ${list}`,
}

export interface ProjectNamed {
  project: string
  site: string
  /** The assistant's word for the site, with its article. */
  word: string
}

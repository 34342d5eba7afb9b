import type { words as french, ProjectNamed } from "./programs.fr.ts"

/** Told to programs that ask and read by the Model Context Protocol, where the project is in English. */
export const words: typeof french = {
  instructions: ({ project, site, word }: ProjectNamed) =>
    `These tools read ${word} of “${project}” (${site}). Cite the URLs that they return. When ask returns the status no_answer, say that no answer was found, and do not make one up.`,
  askTitle: "Ask a question",
  ask: ({ project, word }: ProjectNamed) =>
    `Answers a question from ${word} of “${project}”, with its sources. The status no_answer says that the answer is not there. Questions are counted and kept: prefer search for exploring.`,
  question: "The question in one sentence, of 2 to 1,000 characters, without personal data.",
  previous: "The ids of earlier answers of this conversation, 3 at most.",
  searchTitle: "Search passages",
  search: ({ project, word }: ProjectNamed) =>
    `Searches ${word} of “${project}” for passages, and returns their text and URL. The whole page can be read as a resource, by its URL.`,
  q: "Words or a sentence to search for, of 2 to 200 characters.",
  limit: "The number of passages, from 1 to 10.",
  edition: ({ labels }: { labels: string }) =>
    `The version or language of the documentation; without it the first of ${labels}.`,
  nothing: "No passage matches.",
  perhaps: "These passages may hold it, which is not sure:",
  answerId: ({ id }: { id: string }) => `Id of this answer: ${id}`,
  llmsSummary: ({ project, site, word, full }: ProjectNamed & { full: string }) =>
    `The pages that the assistant of “${project}” has read in ${word} (${site}). Their text: ${full}`,
  llmsPages: "Pages",
  llmsCut: ({ list }: { list: string }) =>
    `The rest is left out here, where 20 MB of text are published at most. All pages: ${list}`,
}

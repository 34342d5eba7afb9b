import type { Language, Project } from "../../accounts/project.ts"
import type { Explanation } from "../../base/errors.ts"
import { wordFor } from "../assistant.fr.ts"
import { englishMessage } from "../english.ts"
import { userMessage } from "../user-message.ts"
import { words as english } from "./programs.en.ts"
import { words as french } from "./programs.fr.ts"

/** Programs are told everything in the language of the project, as its pages are. */
export function programWords({ language }: Pick<Project, "language">) {
  return language === "en" ? english : french
}

export function programNames(project: Project) {
  return { project: project.name, site: project.site, word: wordFor(project, project.language) }
}

export function sentence(told: Explanation, language: Language): string {
  return language === "en" ? englishMessage(told) : userMessage(told)
}

/** The words around `llms.txt` and `llms-full.txt`, which stand at `address`. */
export function llmsWords(project: Project, address: string) {
  const { llmsSummary, llmsPages, llmsCut } = programWords(project)
  const [list, full] = [`${address}/llms.txt`, `${address}/llms-full.txt`]
  return {
    summary: llmsSummary({ ...programNames(project), full }),
    pages: llmsPages,
    cut: llmsCut({ list }),
  }
}

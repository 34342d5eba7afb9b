import type { Language, Project } from "../../accounts/project.ts"
import type { Explanation } from "../../base/errors.ts"
import { wordFor } from "../../wording/assistant.fr.ts"
import { words as english } from "../../wording/english/programs.en.ts"
import { englishMessage } from "../../wording/english.ts"
import { words as french } from "../../wording/programs.fr.ts"
import { userMessage } from "../../wording/user-message.ts"

/** Programs are told everything in the language of the project, as its pages are. */
export function wordsOf({ language }: Pick<Project, "language">) {
  return language === "en" ? english : french
}

export function namesOf(project: Project) {
  return { project: project.name, site: project.site, word: wordFor(project, project.language) }
}

export function sentence(told: Explanation, language: Language): string {
  return language === "en" ? englishMessage(told) : userMessage(told)
}

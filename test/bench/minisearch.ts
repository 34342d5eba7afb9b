import type { Language } from "../../src/accounts/project.ts"
import { analyse } from "../../src/index/text/analyse.ts"
import { type Passage, withoutLinkTargets } from "../../src/reading/formats/document.ts"
import { requirePackage } from "./packages.ts"

requirePackage("minisearch")
const { default: MiniSearch } = await import("minisearch")

/** MiniSearch with the terms of our own index: title and headings in one field, the text in another. */
export function miniSearchOf(
  passages: readonly Passage[],
  language: Language,
  searching: { fuzzy?: number } = {},
) {
  const words = (text: string) => text.split(" ").filter(Boolean)
  const options = { tokenize: words, processTerm: (term: string) => term }
  const mini = new MiniSearch<{ id: number; head: string; body: string }>({
    fields: ["head", "body"],
    ...options,
  })
  mini.addAll(passages.map((passage, id) => ({ id, ...termFields(passage, language) })))
  return (question: string): Passage[] => {
    const terms = [...new Set(analyse(question, language))].join(" ")
    return mini
      .search(terms, { combineWith: "OR", ...options, ...searching })
      .map(({ id }) => passages[id as number] as Passage)
  }
}

/** The terms of a passage in two fields, separated by spaces. */
export function termFields(
  { title, headings, markdown }: Passage,
  language: Language,
): { head: string; body: string } {
  return {
    head: analyse([title, ...headings].join("\n"), language).join(" "),
    body: analyse(withoutLinkTargets(markdown), language).join(" "),
  }
}

import MiniSearch from "minisearch"
import type { Language } from "../../src/accounts/project.ts"
import type { Passage } from "../../src/assistant/documents/document.ts"
import { withoutLinkTargets } from "../../src/assistant/documents/link-targets.ts"
import { analyse } from "../../src/assistant/text/analyse.ts"

/**
 * MiniSearch fed with the very terms our own index is fed with: title and headings in one field, the text in
 * another.
 */
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
  mini.addAll(
    passages.map(({ title, headings, markdown }, id) => ({
      id,
      head: analyse([title, ...headings].join("\n"), language).join(" "),
      body: analyse(withoutLinkTargets(markdown), language).join(" "),
    })),
  )
  return (question: string): Passage[] => {
    const terms = [...new Set(analyse(question, language))].join(" ")
    return mini
      .search(terms, { combineWith: "OR", ...options, ...searching })
      .map(({ id }) => passages[id as number] as Passage)
  }
}

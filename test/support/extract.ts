import type { FoundForQuestion } from "../../src/answering/extractive/candidate.ts"
import { extract } from "../../src/answering/extractive/extract.ts"
import { analyse } from "../../src/index/text/analyse.ts"
import type { Passage } from "../../src/reading/formats/document.ts"

/** The passages as a search that finds them in this order would give them. */
export const asked = (question: string, passages: Passage[], previous: string[] = []): FoundForQuestion => {
  const terms = [
    { terms: analyse(question, "fr"), weight: 1 },
    { terms: analyse(previous.join("\n"), "fr"), weight: 0.5 },
  ]
  return {
    question,
    terms,
    words: terms.flatMap(({ terms, weight }) =>
      [...new Set(terms)].map((term) => ({
        term,
        parts: [],
        isOwn: true,
        isKnown: true,
        frequency: 1,
        idf: 1,
        specificity: 1,
        searchWeight: weight,
        weight,
      })),
    ),
    found: passages.map((passage, at) => ({
      passage,
      row: at,
      score: 1 - at / 10,
      words: 10 - at,
      meaning: undefined,
    })),
    language: "fr",
  }
}
/** The pieces of the first quotation. */
export const answer = (...question: Parameters<typeof asked>) =>
  extract(asked(...question)).quotations[0]?.pieces() ?? []
/** Their Markdown. */
export const text = (question: string, passages: Passage[], previous?: string[]) =>
  answer(question, passages, previous)
    .map(({ markdown }) => markdown)
    .join("\n")

import { expect, test } from "bun:test"
import { leansOnConversation, maxLeaningWords } from "../../../src/assistant/retrieval/leaning.ts"

const ofLength = (words: number, end: string) =>
  `Est-ce que ça ${Array.from({ length: words - 3 }, () => "marche").join(" ")}${end}`

test.each(["", "?", " ?", "\u202f?", " ?!"])(
  "a pronoun leans in a short question, whatever ends it: %j",
  (end) => {
    expect(leansOnConversation(ofLength(maxLeaningWords, end), "fr")).toBe(true)
    expect(leansOnConversation(ofLength(maxLeaningWords + 1, end), "fr")).toBe(false)
  },
)

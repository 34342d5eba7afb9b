import { expect, test } from "bun:test"
import {
  dependsOnConversation,
  maxDependentWords,
} from "../../../src/answering/retrieval/depends-on-conversation.ts"

const ofLength = (words: number, end: string) =>
  `Est-ce que ça ${Array.from({ length: words - 3 }, () => "marche").join(" ")}${end}`

test.each(["", "?", " ?", "\u202f?", " ?!"])(
  "a pronoun leans in a short question, whatever ends it: %j",
  (end) => {
    expect(dependsOnConversation(ofLength(maxDependentWords, end), "fr")).toBe(true)
    expect(dependsOnConversation(ofLength(maxDependentWords + 1, end), "fr")).toBe(false)
  },
)

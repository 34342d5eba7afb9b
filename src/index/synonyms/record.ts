import { Type } from "@sinclair/typebox"
import { isLongerThan, singleSpaced } from "../../base/text.ts"
import { ruled, told } from "../../http/record/rule.ts"
import { text, time } from "../../http/record/schemas.ts"
import { synonymLimits } from "./synonym-group.ts"

const word = ruled(text(), {
  read(typed: string) {
    const isTooLong = isLongerThan(typed.trim(), synonymLimits.wordLength)
    return (!isTooLong && singleSpaced(typed)) || undefined
  },
})
const words = ruled(Type.Array(told(word, "assistant.synonymLength"), { minItems: 1, maxItems: 100 }), {
  read(typed: string[]) {
    const { size } = new Set(typed)
    const isGroup = size >= synonymLimits.leastWords && size <= synonymLimits.words
    return isGroup ? [...new Set(typed)] : undefined
  },
})

export const newSynonyms = told(
  Type.Object({ words: told(words, "assistant.synonymCount") }, { $id: "NewSynonyms" }),
  "assistant.invalidSynonym",
)

export const synonymsRecord = Type.Object(
  { id: Type.String(), words: Type.Array(Type.String()), created_at: time },
  { $id: "Synonyms" },
)

import { Type } from "@sinclair/typebox"
import { text, time } from "../../http/record/schemas.ts"

export const newSynonyms = Type.Object(
  { words: Type.Array(text(), { minItems: 1, maxItems: 100 }) },
  { $id: "NewSynonyms" },
)

export const synonymsRecord = Type.Object(
  { id: Type.String(), words: Type.Array(Type.String()), created_at: time },
  { $id: "Synonyms" },
)

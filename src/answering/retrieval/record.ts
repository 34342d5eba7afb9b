import { Type } from "@sinclair/typebox"
import { oneOf, orNull } from "../../http/record/schemas.ts"
import type { RequiredKind } from "./asked-fact.ts"
import type { Reason } from "./reasons.ts"

/** By their names, so that none is forgotten. */
const codes: Record<Reason["code"], true> = {
  no_passage: true,
  unknown_words: true,
  missing_words: true,
  quantity: true,
  unheaded: true,
  uncited: true,
  far: true,
}
const kinds: Record<RequiredKind, true> = {
  price: true,
  version: true,
  date: true,
  hour: true,
  frequency: true,
  time: true,
  number: true,
  phone: true,
  email: true,
}

/** Why a question was refused, or what speaks against its answer; null where nothing was looked for. */
export const reasonsRecord = orNull(
  Type.Array(
    Type.Object({
      code: oneOf(Object.keys(codes) as Reason["code"][]),
      words: Type.Array(Type.String()),
      kind: orNull(oneOf(Object.keys(kinds) as RequiredKind[])),
    }),
  ),
)

/** As replies show them: with the words and the kind of each, if it has any. */
export function shownReasons(reasons: readonly Reason[] | undefined) {
  if (reasons === undefined) return null
  return reasons.map((reason) => ({
    code: reason.code,
    words: "words" in reason ? reason.words : [],
    kind: "kind" in reason ? reason.kind : null,
  }))
}

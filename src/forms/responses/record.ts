import { Type } from "@sinclair/typebox"
import { dayOrTime, email, oneOf, textOrNull, time, timeOrNull } from "../../http/schemas.ts"

/** The `data` object of the specification, part 2 B1. */
export const responseRecord = Type.Object(
  {
    id: Type.String(),
    form_id: Type.String(),
    form_public_id: Type.String(),
    form_name: Type.String(),
    values: Type.Record(Type.String(), Type.String()),
    email: textOrNull,
    consent: Type.Union([
      Type.Object({ status: oneOf(["pending", "confirmed"]), text: Type.String(), at: time }),
      Type.Null(),
    ]),
    page: Type.String(),
    created_at: time,
  },
  { $id: "FormResponse" },
)

export const responseQuery = Type.Object({
  state: Type.Optional(oneOf(["received", "held", "unwanted"], { description: "`received` when absent" })),
  since: Type.Optional(dayOrTime()),
  consent: Type.Optional(oneOf(["pending", "confirmed", "none"])),
  search: Type.Optional(Type.String({ description: "words, each of which begins a word of the values" })),
})

export const personBody = Type.Object({ email: email() }, { $id: "Person" })

export const personalData = Type.Object(
  {
    items: Type.Array(
      Type.Composite([
        responseRecord,
        Type.Object({
          state: oneOf(["received", "held", "unwanted"]),
          consent_confirmed_at: timeOrNull,
          answer_id: Type.Union([Type.String(), Type.Null()], {
            description: "the answer that the person had read before writing",
          }),
          question: Type.Union([Type.String(), Type.Null()], {
            description: "what it answered, while that is kept",
          }),
        }),
      ]),
    ),
  },
  { $id: "PersonalData" },
)
export const erasedCount = Type.Object({ erased: Type.Integer({ minimum: 0 }) }, { $id: "Erased" })

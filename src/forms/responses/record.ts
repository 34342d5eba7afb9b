import { Type } from "@sinclair/typebox"
import { ruled, told } from "../../http/record/rule.ts"
import {
  dayOrTime,
  email,
  filledText,
  oneOf,
  textOrNull,
  time,
  timeOrNull,
} from "../../http/record/schemas.ts"
import { addressKey, isEmail } from "../definition/address.ts"
import { isParagraphs } from "../definition/record.ts"
import { maxNoteLength, progressStates } from "./follow-up.ts"
import { responseData } from "./form-response.ts"

const fileProperties = {
  id: Type.String(),
  field: Type.String(),
  name: Type.String(),
  media_type: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
}

/** A response as the listing shows it: the `data` of its message, and what the workspace adds. */
export const responseRecord = Type.Composite(
  [
    responseData,
    Type.Object({
      progress: oneOf(progressStates),
      assignee: textOrNull,
      files: Type.Array(Type.Object(fileProperties)),
    }),
  ],
  { $id: "FormResponse" },
)

const notes = Type.Array(
  Type.Object({ id: Type.String(), author: Type.String(), text: Type.String(), created_at: time }),
)
export const followedRecord = Type.Composite([responseRecord, Type.Object({ notes })], {
  $id: "FollowedResponse",
})
export const followUpChange = Type.Object(
  {
    progress: Type.Optional(oneOf(progressStates)),
    assignee: Type.Optional(textOrNull),
  },
  { $id: "FormResponseChange" },
)
export const newNote = Type.Object(
  {
    text: told(
      ruled(filledText({ maxLength: maxNoteLength }), {
        read: (typed: string) => (isParagraphs(typed, maxNoteLength) ? typed.trim() : undefined),
      }),
      "forms.note",
      { max: maxNoteLength },
    ),
  },
  { $id: "NewNote" },
)

export const responseQuery = Type.Object({
  state: Type.Optional(oneOf(["received", "held", "unwanted"])),
  since: Type.Optional(dayOrTime()),
  consent: Type.Optional(oneOf(["pending", "confirmed", "none"])),
  search: Type.Optional(Type.String()),
  progress: Type.Optional(oneOf(progressStates)),
  assignee: Type.Optional(Type.String()),
})

/** An address as people copy it: invisible characters do not count. */
const address = ruled(email(), {
  read: (typed: string) => (isEmail(addressKey(typed)) ? typed : undefined),
})
export const personBody = told(
  Type.Object({ email: told(address, "forms.notOfType", { type: "email" }) }, { $id: "Person" }),
  "forms.notOfType",
  { type: "email" },
)

export const personalData = Type.Object(
  {
    items: Type.Array(
      Type.Composite([
        Type.Omit(responseRecord, ["files"]),
        Type.Object({
          state: oneOf(["received", "held", "unwanted"]),
          consent_confirmed_at: timeOrNull,
          answer_id: textOrNull,
          question: textOrNull,
          notes,
          files: Type.Array(Type.Object({ ...fileProperties, content: Type.String() })),
        }),
      ]),
    ),
  },
  { $id: "PersonalData" },
)
export const erasedCount = Type.Object({ erased: Type.Integer({ minimum: 0 }) }, { $id: "Erased" })

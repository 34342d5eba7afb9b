import { Type } from "@sinclair/typebox"
import { ruled, told } from "../../../http/record/rule.ts"
import { text, time } from "../../../http/record/schemas.ts"
import { nameLimits } from "./file-name.ts"

/** Files that come together, whichever way. */
export const postLimits = { files: 100, megabytes: 64 }

const base64 = ruled(Type.String({ pattern: "^[A-Za-z0-9+/]*={0,2}$", contentEncoding: "base64" }), {
  read: (given: string) => (/^[A-Za-z0-9+/]*={0,2}$/.test(given) ? given : undefined),
})

/** A ZIP stands for the files in it. */
export const newFiles = told(
  Type.Object(
    {
      files: told(
        Type.Array(
          Type.Object({
            name: text({ maxLength: nameLimits.characters }),
            content: told(base64, "assistant.uploadContent"),
          }),
          { minItems: 1, maxItems: postLimits.files },
        ),
        "assistant.uploadFiles",
        { files: postLimits.files },
      ),
    },
    { $id: "NewFiles" },
  ),
  "assistant.invalidUpload",
)

export const uploadRecord = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    url: Type.String({ format: "uri" }),
    bytes: Type.Integer(),
    media_type: Type.String(),
    created_at: time,
  },
  { $id: "File" },
)

export const uploadedRecord = Type.Object(
  {
    items: Type.Array(uploadRecord),
    others: Type.Integer(),
    left_out: Type.Array(Type.Object({ name: Type.String(), reason: Type.String() })),
  },
  { $id: "UploadedFiles" },
)

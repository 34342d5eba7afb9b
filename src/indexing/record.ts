import { Type } from "@sinclair/typebox"
import { oneOf, orNull, textOrNull, time, timeOrNull } from "../http/record/schemas.ts"
import { documentFormats, pageKinds, partReasons } from "../reading/formats/document.ts"

/** A reading of a project's feeds and the pages that it found, as replies show them. */

export const newIndexRun = Type.Object({ force: Type.Optional(Type.Boolean()) }, { $id: "NewIndexRun" })

const trouble = { sentence: Type.String(), reason: Type.String(), isForcible: Type.Boolean() }

export const indexRunRecord = Type.Object(
  {
    state: oneOf(["waiting", "running", "ended", "interrupted"]),
    started_at: timeOrNull,
    ended_at: timeOrNull,
    phase: orNull(oneOf(["reading", "building", "embedding"])),
    done: Type.Integer(),
    total: orNull(Type.Integer()),
    outcome: Type.Union([
      Type.Object({
        documents: Type.Integer(),
        passages: Type.Integer(),
        unchanged: Type.Integer(),
        removed: Type.Integer(),
        seconds: Type.Number(),
        skipped: Type.Integer(),
        failed: Type.Optional(Type.Integer()),
        pages: Type.Optional(Type.Integer()),
        vectorFailure: Type.Optional(Type.String()),
        refused: Type.Array(Type.Object({ ...trouble, feedId: Type.String() })),
      }),
      Type.Object({ trouble: Type.Object(trouble) }),
      Type.Null(),
    ]),
  },
  { $id: "IndexRun" },
)

export const pageSearch = Type.Object({
  search: Type.Optional(Type.String()),
})

export const documentRecord = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    title: Type.String(),
    kind: orNull(oneOf(pageKinds)),
    format: orNull(oneOf(documentFormats)),
    read_at: time,
  },
  { $id: "Document" },
)

export const pageRecord = Type.Object(
  {
    id: textOrNull,
    page: Type.String(),
    url: textOrNull,
    title: textOrNull,
    read_at: timeOrNull,
    reason: textOrNull,
    detail: textOrNull,
    text: Type.Array(
      Type.Object({
        headings: Type.Array(Type.String()),
        anchor: textOrNull,
        markdown: Type.String(),
      }),
    ),
    truncated: Type.Boolean(),
    left_out: Type.Array(
      Type.Object({
        reason: oneOf(partReasons),
        why: Type.String(),
        text: Type.String(),
      }),
    ),
  },
  { $id: "Page" },
)

export const leftOutPageRecord = Type.Object(
  { feed: Type.String(), page: Type.String(), reason: Type.String(), detail: textOrNull },
  { $id: "LeftOutPage" },
)

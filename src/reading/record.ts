import { Type } from "@sinclair/typebox"
import { ownHeaders } from "../http/record/own-headers.ts"
import { told } from "../http/record/rule.ts"
import { httpAddress, matching, oneOf, orNull, textOrNull, timeOrNull } from "../http/record/schemas.ts"
import { feedKinds, kindNames, type Members } from "./kinds/table.ts"

/** A feed, as callers describe it and as replies show it. */

/** For a repository that not everybody may read; visible ASCII. */
const token = told(matching(/^[\x21-\x7e]{1,500}$/), "assistant.gitToken")

/** The members of all kinds together: each kind ignores the ones of the others. */
function membersOf<Part extends "input" | "change">(part: Part): Members<Part> {
  return Object.assign({}, ...kindNames.map((name) => feedKinds[name][part]))
}

/** Folders are added on the command line. */
export const newFeed = told(
  Type.Object(
    {
      kind: told(oneOf(kindNames.filter((name) => !feedKinds[name].isLocal)), "assistant.feedKind"),
      address: Type.Optional(told(httpAddress(), "assistant.feedAddress")),
      ...membersOf("input"),
      headers: Type.Optional(ownHeaders),
      token: Type.Optional(token),
    },
    { $id: "NewFeed" },
  ),
  "assistant.invalidFeed",
)

export const feedChange = told(
  Type.Object(
    { headers: Type.Optional(ownHeaders), token: Type.Optional(token), ...membersOf("change") },
    { $id: "FeedChange" },
  ),
  "assistant.invalidFeed",
)

export const feedRecord = Type.Object(
  {
    id: Type.String(),
    kind: oneOf(kindNames),
    address: Type.String(),
    base_url: textOrNull,
    url_style: textOrNull,
    generator: textOrNull,
    generator_found: textOrNull,
    include: Type.Array(Type.String()),
    exclude: Type.Array(Type.String()),
    pages: Type.Array(Type.String()),
    headers: Type.Array(Type.Object({ name: Type.String() })),
    documents: Type.Boolean(),
    crawl: orNull(
      Type.Object({
        depth: Type.Integer(),
        pages: Type.Integer(),
        parameters: Type.Array(Type.String()),
      }),
    ),
    last_read_at: timeOrNull,
  },
  { $id: "Feed" },
)

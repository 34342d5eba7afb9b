import { Type } from "@sinclair/typebox"
import { ownHeaders } from "../http/record/own-headers.ts"
import { told } from "../http/record/rule.ts"
import { httpAddress, matching, oneOf, orNull, text, textOrNull, timeOrNull } from "../http/record/schemas.ts"
import { pagesLimits } from "./feed.ts"
import { crawlLimits } from "./kinds/crawl/visits.ts"
import { patternLimits } from "./page-patterns.ts"

/** A feed, as callers describe it and as replies show it. */

const patterns = Type.Optional(
  Type.Array(text({ maxLength: patternLimits.characters }), { maxItems: patternLimits.patterns }),
)

const parameter = told(matching(/^[\w.\-[\]]{1,50}$/), "assistant.crawlParameters", {
  most: crawlLimits.parameters,
})

const crawl = Type.Optional(
  Type.Object(
    {
      depth: Type.Optional(
        told(Type.Integer({ minimum: 1, maximum: crawlLimits.depth }), "assistant.crawlNumber", {
          most: crawlLimits.depth,
        }),
      ),
      pages: Type.Optional(
        told(Type.Integer({ minimum: 1, maximum: crawlLimits.pages }), "assistant.crawlNumber", {
          most: crawlLimits.pages,
        }),
      ),
      parameters: Type.Optional(
        told(
          Type.Array(parameter, {
            maxItems: crawlLimits.parameters,
          }),
          "assistant.crawlParameters",
          { most: crawlLimits.parameters },
        ),
      ),
    },
    { additionalProperties: false },
  ),
)

/** For a repository that not everybody may read; visible ASCII. */
const token = told(matching(/^[\x21-\x7e]{1,500}$/), "assistant.gitToken")

/** Folders are added on the command line. */
export const newFeed = told(
  Type.Object(
    {
      kind: told(oneOf(["site", "sitemap", "llms", "pages", "crawl", "git", "upload"]), "assistant.feedKind"),
      address: Type.Optional(told(httpAddress(), "assistant.feedAddress")),
      include: patterns,
      exclude: patterns,
      pages: Type.Optional(
        told(
          Type.Array(told(httpAddress(), "assistant.feedPage"), { minItems: 1, maxItems: pagesLimits.pages }),
          "assistant.feedPages",
          pagesLimits,
        ),
      ),
      headers: Type.Optional(ownHeaders),
      documents: Type.Optional(Type.Boolean()),
      base_url: Type.Optional(told(httpAddress(), "assistant.feedBaseUrl")),
      token: Type.Optional(token),
      crawl,
    },
    { $id: "NewFeed" },
  ),
  "assistant.invalidFeed",
)

export const feedChange = told(
  Type.Object(
    {
      headers: Type.Optional(ownHeaders),
      documents: Type.Optional(Type.Boolean()),
      token: Type.Optional(token),
      crawl,
    },
    { $id: "FeedChange" },
  ),
  "assistant.invalidFeed",
)

export const feedRecord = Type.Object(
  {
    id: Type.String(),
    kind: oneOf(["dir", "git", "site", "sitemap", "llms", "pages", "crawl", "upload"]),
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

import type { Static } from "@sinclair/typebox"
import type { Project } from "../accounts/project.ts"
import { projectOperation } from "../accounts/projects/operations.ts"
import type { Clock } from "../base/clock.ts"
import { type Detail, detail, Refusal } from "../base/errors.ts"
import type { Db } from "../db/connection.ts"
import type { Vault } from "../db/vault.ts"
import type { GivenHeader } from "../http/record/own-headers.ts"
import { idOf } from "../operations/operation.ts"
import {
  changeFeed as changeStored,
  type Feed,
  type FeedSource,
  listFeeds,
  requireFeed,
  saveFeed,
} from "../reading/feed.ts"
import { withoutFinalSlashes } from "../reading/generators/kit/address.ts"
import { usualCrawl } from "../reading/kinds/crawl/visits.ts"
import { repositoryPlace } from "../reading/kinds/git/repository-url.ts"
import { servedAddress } from "../reading/kinds/upload/uploads.ts"
import { sealFor, tokenHeader } from "../reading/own-headers.ts"
import { feedChange, newFeed } from "../reading/record.ts"
import { newIndexRun } from "./record.ts"
import type { Reindexing } from "./reindexing.ts"

export interface IndexingDeps {
  db: Db
  clock: Clock
  vault: Vault
  reindexing: Reindexing
}

/** One with the same address is changed. Refuses an address of another site, and as `saveFeed` does. */
export const addFeed = projectOperation({
  audit: "feed.added",
  needs: ["projects:write"],
  isOneTransaction: true,
  input: newFeed,
  async run({ db, clock, vault }: Pick<IndexingDeps, "db" | "clock" | "vault">, call, project) {
    const { headers, token, ...described } = call.input
    const source = sourceOf(project, described)
    const seal = sealFor(vault, headersFrom(source.kind, headers, token))
    const { feed } = await saveFeed(db, project.id, source, clock.now(), seal)
    return requireFeed(db, project.id, feed.id)
  },
  subject: ({ id, address }) => ({ id, name: address }),
})

/** Refuses `not_found`, and headers as `addFeed` does. */
export const changeFeed = projectOperation({
  audit: "feed.changed",
  needs: ["projects:write"],
  isOneTransaction: true,
  input: feedChange,
  async run({ db, vault }: Pick<IndexingDeps, "db" | "vault">, call, project) {
    const id = idOf(call, "feed")
    const { headers, token, ...change } = call.input
    const { kind } = await requireFeed(db, project.id, id)
    const seal = sealFor(vault, headersFrom(kind, headers, token))
    await changeStored(db, project.id, id, { seal, ...change })
    return requireFeed(db, project.id, id)
  },
  subject: ({ id, address }) => ({ id, name: address }),
})

/** Its documents leave the index once their turn comes. Refuses `not_found`. */
export const removeFeed = projectOperation({
  audit: "feed.removed",
  needs: ["projects:write"],
  async run({ db, reindexing }: Pick<IndexingDeps, "db" | "reindexing">, call, project) {
    const feed = await requireFeed(db, project.id, idOf(call, "feed"))
    await reindexing.removeFeed(project.id, feed.id)
    return feed
  },
  subject: ({ id, address }) => ({ id, name: address }),
})

/** Starts a reading of all feeds. Refuses `conflict` without any. */
export const readFeeds = projectOperation({
  audit: "index.started",
  needs: ["projects:write"],
  input: newIndexRun,
  async run({ db, reindexing }: Pick<IndexingDeps, "db" | "reindexing">, call, project) {
    const feeds = await listFeeds(db, project.id)
    if (feeds.length === 0) throw new Refusal("conflict", detail("assistant.noFeed"))
    await reindexing.readNow(project.id, { force: call.input.force ?? false })
  },
})

/** A token is the one header that a server of repositories wants. */
function headersFrom(
  kind: Feed["kind"],
  headers: readonly GivenHeader[] | undefined,
  token: string | undefined,
): readonly GivenHeader[] | undefined {
  if (token === undefined) return headers
  if (kind !== "git") throw invalidFeed({ token: detail("assistant.tokenElsewhere") })
  return [tokenHeader(token)]
}

/** The feed that is described. Throws Refusal for an address of another site. */
export function sourceOf(
  { origins, site }: Pick<Project, "origins" | "site">,
  { pages = [], crawl, base_url: baseUrl, ...input }: Omit<Static<typeof newFeed>, "headers" | "token">,
): FeedSource {
  const { kind } = input
  if (input.address === undefined && kind !== "upload")
    throw invalidFeed({ address: detail("assistant.feedAddress") })
  const { address = servedAddress } = input
  const isDeclared = (each: string) => origins.includes(new URL(each).origin)
  if (kind === "git") {
    if (!repositoryPlace(address)) throw invalidFeed({ address: detail("assistant.gitAddress") })
    if (!isDeclared(baseUrl ?? site)) throw invalidFeed({ base_url: detail("assistant.feedElsewhere") })
    return { ...input, kind, address, baseUrl: withoutFinalSlashes(baseUrl ?? site), urlStyle: "auto" }
  }
  if (address !== servedAddress && !isDeclared(address))
    throw invalidFeed({ address: detail("assistant.feedElsewhere") })
  if (kind === "crawl") return { ...input, kind, address, crawl: { ...usualCrawl, ...crawl } }
  if (kind !== "pages") return { ...input, kind, address }
  if (!pages.every(isDeclared)) throw invalidFeed({ pages: detail("assistant.feedPagesElsewhere") })
  return { ...input, kind, address, pages }
}

function invalidFeed(fields: Record<string, Detail>): Refusal {
  return new Refusal("invalid_request", detail("assistant.invalidFeed"), { fields })
}

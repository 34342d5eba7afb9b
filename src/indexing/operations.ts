import type { Static } from "@sinclair/typebox"
import type { Project } from "../accounts/project.ts"
import { projectOperation } from "../accounts/projects/operations.ts"
import { detail, Refusal } from "../base/errors.ts"
import type { Vault } from "../db/vault.ts"
import type { GivenHeader } from "../http/record/own-headers.ts"
import { idOf } from "../operations/operation.ts"
import type { StoreDeps } from "../operations/perform.ts"
import {
  changeFeed as changeStored,
  type FeedSource,
  listFeeds,
  requireFeed,
  saveFeed,
  withChange,
} from "../reading/feed.ts"
import { invalidFeed, requireDeclared } from "../reading/kinds/kind.ts"
import { feedKinds, type KindName } from "../reading/kinds/table.ts"
import { sealFor, tokenHeader } from "../reading/own-headers.ts"
import { feedChange, newFeed } from "../reading/record.ts"
import { newIndexRun } from "./record.ts"
import type { Reindexing } from "./reindexing.ts"

export interface IndexingDeps extends StoreDeps {
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
  kind: KindName,
  headers: readonly GivenHeader[] | undefined,
  token: string | undefined,
): readonly GivenHeader[] | undefined {
  if (token === undefined) return headers
  if (feedKinds[kind].secret !== "token") throw invalidFeed({ token: detail("assistant.tokenElsewhere") })
  return [tokenHeader(token)]
}

/** The feed that is described. Throws Refusal for an address of another site. */
export function sourceOf(
  { origins, site }: Pick<Project, "origins" | "site">,
  { kind: name, address: place, ...input }: Omit<Static<typeof newFeed>, "headers" | "token">,
): FeedSource {
  const kind = feedKinds[name]
  const address = place ?? kind.usualAddress
  if (address === undefined) throw invalidFeed({ address: detail("assistant.feedAddress") })
  const sites = { site, isDeclared: (each: string) => origins.includes(new URL(each).origin) }
  if (!kind.described && address !== kind.usualAddress) requireDeclared(address, sites)
  const described = kind.described?.({ ...input, address }, sites)
  return { kind: name, address, ...withChange(name, described ?? {}, input) }
}

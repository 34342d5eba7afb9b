import { shownFeed } from "../api/indexing.ts"
import { detail, required } from "../base/errors.ts"
import { listFeeds } from "../reading/feed.ts"
import { indexingOutcome, inTurn, runIndexing, wait } from "./index.ts"
import { defineDataCommand } from "./kit/open.ts"
import { aboutProject, requireProject } from "./project.ts"

export const feedList = defineDataCommand({
  about: "lists the feeds that the documents of a project are read from",
  args: { project: aboutProject },
  async run({ app, args }) {
    const feeds = await listFeeds(app.db, (await requireProject(app, args.project)).id)
    const items = feeds.map(shownFeed.json)
    const lines = items.map(({ id, kind, address, base_url, generator_found, last_read_at }) =>
      [id, kind, address, base_url, generator_found, last_read_at ?? "never read"].filter(Boolean).join("  "),
    )
    return { json: { items }, text: lines }
  },
})

export const feedRemove = defineDataCommand({
  about: "removes a feed and its documents from the index",
  args: { project: aboutProject, feed: "identifier or address of the feed, which guichet feed list shows" },
  options: { wait },
  async run({ app, args, options }) {
    const indexed = await inTurn(options.wait, async (ends) => {
      const project = await requireProject(app, args.project)
      const feed = (await listFeeds(app.db, project.id)).find(
        ({ id, address }) => id === args.feed || address === args.feed,
      )
      const unknown = detail("assistant.feedNotFound", { project: project.id, id: args.feed })
      const removedFeed = required(feed, unknown)
      return runIndexing(app, project, { feeds: [], removedFeed, force: true, ...ends })
    })
    return indexingOutcome(indexed)
  },
})

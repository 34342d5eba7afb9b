import { shownFeed } from "../api/indexing.ts"
import { listFeeds } from "../assistant/feeds/feed.ts"
import { detail, required } from "../base/errors.ts"
import { inTurn, report, runIndexing, wait } from "./index.ts"
import { defineCommand, json, print } from "./kit/command.ts"
import { openData } from "./kit/open.ts"
import { aboutProject, requireProject } from "./project.ts"

export const feedList = defineCommand({
  about: "lists the feeds that the documents of a project are read from",
  args: { project: aboutProject },
  options: { json },
  async run({ args, options, environment }) {
    await using app = await openData(environment)
    const feeds = await listFeeds(app.db, (await requireProject(app, args.project)).id)
    const items = feeds.map(shownFeed.json)
    if (options.json) print(JSON.stringify({ items }))
    else
      for (const { id, kind, address, base_url, generator_found, last_read_at } of items)
        print(
          [id, kind, address, base_url, generator_found, last_read_at ?? "never read"]
            .filter(Boolean)
            .join("  "),
        )
    return undefined
  },
})

export const feedRemove = defineCommand({
  about: "removes a feed and its documents from the index",
  args: {
    project: aboutProject,
    feed: "identifier or address of the feed, which guichet feed list shows",
  },
  options: { wait, json },
  async run(call) {
    await using app = await openData(call.environment)
    const indexed = await inTurn(call, async (ends) => {
      const project = await requireProject(app, call.args.project)
      const feed = (await listFeeds(app.db, project.id)).find(
        ({ id, address }) => id === call.args.feed || address === call.args.feed,
      )
      const unknown = detail("assistant.feedNotFound", { project: project.id, id: call.args.feed })
      const removedFeed = required(feed, unknown)
      return runIndexing(app, project, { feeds: [], removedFeed, force: true, ...ends })
    })
    return report(indexed, call)
  },
})

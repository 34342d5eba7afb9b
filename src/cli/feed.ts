import { feedJson } from "../api/indexing.ts"
import { openApp } from "../app.ts"
import { listFeeds } from "../assistant/feeds/feed.ts"
import { Refusal, UsageError } from "../base/errors.ts"
import { readConfig } from "../config/config.ts"
import { type Command, print } from "./command.ts"
import { inTurn, report, runIndexing } from "./index.ts"
import { named } from "./project.ts"

export const feedList: Command = {
  usage: "feed list PROJECT [--json]",
  about: "lists where the documents of a project are read from",
  options: { json: { type: "boolean" } },
  async run(call) {
    await using app = await openApp(readConfig(call.environment))
    const feeds = await listFeeds(app.db, (await named(app, call)).id)
    const items = feeds.map(feedJson)
    if (call.options["json"]) print(JSON.stringify({ items }))
    else
      for (const { id, kind, address, base_url, last_read_at } of items)
        print([id, kind, address, base_url, last_read_at ?? "never read"].filter(Boolean).join("  "))
    return undefined
  },
}

export const feedRemove: Command = {
  usage: "feed remove PROJECT FEED [--wait] [--json]",
  about:
    "removes a feed, named by its identifier or address, and its documents from the index; --wait begins once no other indexing of the project goes on",
  options: { wait: { type: "boolean" }, json: { type: "boolean" } },
  async run(call) {
    const [, wanted] = call.positionals
    if (!wanted) throw new UsageError("which feed? guichet feed list PROJECT shows their identifiers")
    await using app = await openApp(readConfig(call.environment))
    const indexed = await inTurn(call, async (signal) => {
      const project = await named(app, call)
      const feed = (await listFeeds(app.db, project.id)).find(
        ({ id, address }) => id === wanted || address === wanted,
      )
      if (!feed)
        throw new Refusal("not_found", "", {
          reason: `project ${project.id} has no feed ${wanted}: guichet feed list ${project.id} shows those there are`,
        })
      return runIndexing(app, project, { feeds: [], removedFeed: feed, force: true, signal })
    })
    return report(indexed, call)
  },
}

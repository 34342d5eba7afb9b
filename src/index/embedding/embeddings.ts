import { availableParallelism, totalmem } from "node:os"
import type { Language, Project } from "../../accounts/project.ts"
import type { Clock } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import type { LimitedWorker, WorkerLimits } from "../../host/limited-worker.ts"
import { type Passage, withoutLinkTargets } from "../../reading/formats/document.ts"
import { passageUnits } from "../../reading/passages/units.ts"
import { type PassageEmbedding, type PassageModel, passageEmbedding } from "./embed-passages.ts"
import { comparableE5Names, e5Name, type PassageText } from "./local/e5.ts"
import {
  type LocalModel,
  LocalModelFailure,
  type LocalModelStatus,
  openLocalModel,
  passageLimits,
  questionLimits,
  unsupportedProcessor,
} from "./local/local-model.ts"
import type { EmbeddedText } from "./local/model-process.ts"

/**
 * `local`: the embedded model. `provider`: the language model's provider makes vectors too. `none`: words alone.
 */
export type EmbeddingSource = "local" | "provider" | "none"

export interface EmbeddingsDeps {
  db: Db
  clock: Clock
  source: EmbeddingSource
  /** The provider's embedding; undefined without a provider, or when it makes no vectors. */
  provider: PassageEmbedding | undefined
  /** Starts a process that runs the embedded model. */
  openWorker(limits: WorkerLimits): LimitedWorker
  onChange(status: LocalModelStatus): void
}

/** The models that make vectors, as the settings choose them. */
export type Embeddings = ReturnType<typeof openEmbeddings>

export function openEmbeddings(deps: EmbeddingsDeps) {
  const { db, clock, source, provider, openWorker, onChange } = deps
  const open = (limits: WorkerLimits) =>
    openLocalModel({ clock, openWorker: () => openWorker(limits), onChange })
  const unsupported = source === "none" ? undefined : unsupportedProcessor()
  const isLocal = source !== "none" && !unsupported
  const unusable: LocalModelStatus | undefined = unsupported && {
    state: "broken",
    reason: unsupported,
    busyQuestions: 0,
  }
  if (unusable) onChange(unusable)
  // Questions have a process of their own, so that none waits for the passages of an indexing.
  const forQuestions = isLocal ? open(questionLimits) : undefined
  const forPassages = isLocal
    ? shared(Array.from({ length: passageProcesses() }, () => open(passageLimits)))
    : undefined
  const localPassages = forPassages && passageEmbedding(db, localPassageModel(forPassages))
  return {
    /** Makes the vectors of a project's passages; undefined when words alone find them. */
    passagesOf: ({ answers }: Pick<Project, "answers">) =>
      // An owner who wants answers without a provider has no page sent to one.
      source === "provider" && answers === "written" ? provider : localPassages,
    /** The embedded model as questions use it; undefined when the settings or this machine rule it out. */
    local: forQuestions,
    /** Why this machine cannot run the embedded model. */
    unsupported,
    /** Status of the embedded model as questions use it; undefined when the settings do without it. */
    status: (): LocalModelStatus | undefined => forQuestions?.status() ?? unusable,
    async [Symbol.asyncDispose]() {
      await forQuestions?.[Symbol.asyncDispose]()
      await forPassages?.[Symbol.asyncDispose]()
    },
  }
}

/** Name of the embedded model's vectors. */
export const localEmbeddingName = e5Name

/** Whether vectors of these names can be compared. An index of earlier ones serves until it is built anew. */
export function areComparable(one: string | undefined, other: string | undefined): boolean {
  const today = (name: string | undefined) => (name && comparableE5Names.includes(name) ? e5Name : name)
  return one !== undefined && today(one) === today(other)
}

type PassageVectors = Pick<LocalModel, "embedPassages"> & AsyncDisposable

/** Each process takes some 200 MB, and further ones than four seldom find more to do. */
const maxPassageProcesses = 4
const memoryForSeveral = 1.5 * 1024 ** 3

/** One process for each processor, where the machine, or its container, has the memory. */
function passageProcesses(): number {
  const allowed = process.constrainedMemory() || totalmem()
  return Math.min(allowed, totalmem()) < memoryForSeveral
    ? 1
    : Math.min(availableParallelism(), maxPassageProcesses)
}

/** Hands a few passages at a time to whichever model is done, and puts the vectors in order again. */
function shared(models: readonly LocalModel[]): PassageVectors {
  return {
    async embedPassages(passages) {
      const texts: EmbeddedText[] = []
      let next = 0
      const work = async (model: LocalModel) => {
        while (next < passages.length) {
          const start = next
          next += handed
          try {
            const made = await model.embedPassages(passages.slice(start, start + handed))
            for (const [at, text] of made.entries()) texts[start + at] = text
          } catch (error) {
            next = passages.length
            throw error
          }
        }
      }
      await Promise.all(models.map(work))
      return texts
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(models.map((model) => model[Symbol.asyncDispose]()))
    },
  }
}

/** Passages in one call of a process: few, so that none waits long for the last one of a batch. */
const handed = 2

/** The embedded model as the indexing uses it: a vector for each passage and for each of its units. */
function localPassageModel(model: PassageVectors): PassageModel {
  return {
    name: e5Name,
    textOf: (passage, language) => JSON.stringify(passageText(passage, language)),
    // A batch takes a second or two, after which its progress is told.
    batch: { passages: 32, characters: 80_000 },
    async embed(passages, language) {
      try {
        return await model.embedPassages(passages.map((passage) => passageText(passage, language)))
      } catch (error) {
        if (!(error instanceof LocalModelFailure)) throw error
        const { reason } = error
        throw new Refusal("unavailable", detail("assistant.embeddingFailed"), { reason, cause: error })
      }
    },
  }
}

function passageText(passage: Passage, language: Language): PassageText {
  const units = passageUnits(passage, language)
  return {
    head: [passage.title, ...passage.headings].join(" › "),
    pieces: units.map(({ markdown }) => withoutLinkTargets(markdown)),
  }
}

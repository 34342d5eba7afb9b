import type { Language, Project } from "../../accounts/project.ts"
import type { Clock } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import type { LimitedWorker, WorkerLimits } from "../../host/limited-worker.ts"
import { type Passage, withoutLinkTargets } from "../../reading/formats/document.ts"
import { passageUnits } from "../../reading/passages/units.ts"
import { type PassageEmbedding, type PassageModel, passageEmbedding } from "./embed-passages.ts"
import { e5Name, type PassageText } from "./local/e5.ts"
import {
  type LocalModel,
  LocalModelFailure,
  type LocalModelStatus,
  openLocalModel,
  passageLimits,
  questionLimits,
  unsupportedProcessor,
} from "./local/local-model.ts"

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
  /** Starts a process that runs the embedded model with this many threads. */
  openWorker(threads: number, limits: WorkerLimits): LimitedWorker
  onChange(status: LocalModelStatus): void
}

/** The models that make vectors, as the settings choose them. */
export type Embeddings = ReturnType<typeof openEmbeddings>

export function openEmbeddings(deps: EmbeddingsDeps) {
  const { db, clock, source, provider, openWorker, onChange } = deps
  const open = (threads: number, limits: WorkerLimits) =>
    openLocalModel({ clock, openWorker: () => openWorker(threads, limits), onChange })
  const unsupported = source === "none" ? undefined : unsupportedProcessor()
  const isLocal = source !== "none" && !unsupported
  const unusable: LocalModelStatus | undefined = unsupported && {
    state: "broken",
    reason: unsupported,
    busyQuestions: 0,
  }
  if (unusable) onChange(unusable)
  // One thread for questions, whose answers must not wait for cores; all of them for passages.
  const forQuestions = isLocal ? open(1, questionLimits) : undefined
  const forPassages = isLocal ? open(navigator.hardwareConcurrency, passageLimits) : undefined
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

/** The embedded model as the indexing uses it: a vector for each passage and for each of its units. */
function localPassageModel(model: Pick<LocalModel, "embedPassages">): PassageModel {
  return {
    name: e5Name,
    textOf: (passage, language) => JSON.stringify(passageText(passage, language)),
    // A batch takes a second or two, after which its progress is told.
    batch: { passages: 16, characters: 40_000 },
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

import type { Project } from "../../accounts/project.ts"
import { detail, type Explanation } from "../../base/errors.ts"
import { localEmbeddingName } from "../../index/embedding/embeddings.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"

/** Whether passages are found by meaning beside words, as the settings and this machine have it. */
export interface Meaning {
  isUsed: boolean
  /** The vectors of the passages are not made yet: words alone answer. */
  isWordsOnly?: boolean
  problem?: Explanation | undefined
}

export async function readMeaning(
  { indexes, embeddings }: Pick<ConsoleDeps, "indexes" | "embeddings">,
  project: Project,
): Promise<Meaning> {
  const { unsupported } = embeddings
  if (unsupported)
    return { isUsed: false, problem: detail("checks.meaningUnsupported", { why: unsupported }) }
  const model = embeddings.passagesOf(project)
  if (!model) return { isUsed: false }
  const isWordsOnly = (await indexes.wordsOnlyIndexes()).some(({ projectId }) => projectId === project.id)
  const status = model.name === localEmbeddingName ? embeddings.status() : undefined
  if (status?.state !== "broken") return { isUsed: true, isWordsOnly }
  return { isUsed: true, isWordsOnly, problem: detail("checks.meaningBroken", { why: status.reason }) }
}

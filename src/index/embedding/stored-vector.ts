import { sha256 } from "../../base/hash.ts"
import type { Db } from "../../db/connection.ts"
import { deleteInSteps } from "../../db/delete-in-steps.ts"
import { countOf } from "../../db/store.ts"
import { write } from "../../db/writes.ts"
import type { EmbeddedPassage } from "./embedder.ts"

/** Key of a text's vector in the table `passage_vector`. */
export function hashOfText(text: string): string {
  return sha256(text)
}

/** Loads vectors by the hashes of their texts, and marks them as used by the generation being built. */
export async function loadVectors(
  db: Db,
  scope: VectorScope,
  hashes: readonly string[],
): Promise<Map<string, EmbeddedPassage>> {
  await useVectors(db, scope, hashes)
  const vectors = new Map<string, EmbeddedPassage>()
  for (let start = 0; start < hashes.length; start += chunkSize) {
    const rows = await db
      .selectFrom("passage_vector")
      .select(["hash", "vector", "pieces"])
      .where("project_id", "=", scope.projectId)
      .where("model", "=", scope.model)
      .where("hash", "in", hashes.slice(start, start + chunkSize))
      .execute()
    for (const { hash, vector, pieces } of rows) vectors.set(hash, { vector: floats(vector), pieces })
  }
  return vectors
}

/** The vectors that a generation uses are not deleted as old ones. */
export const useVectors = write(
  "useVectors",
  async (db: Db, { projectId, model, generation }: VectorScope, hashes: readonly string[]): Promise<void> => {
    for (let start = 0; start < hashes.length; start += chunkSize)
      await db
        .updateTable("passage_vector")
        .set({ generation })
        .where("project_id", "=", projectId)
        .where("model", "=", model)
        .where("hash", "in", hashes.slice(start, start + chunkSize))
        .execute()
  },
)

/** Number of these hashes that have a stored vector. */
export async function countVectors(db: Db, projectId: string, model: string, hashes: readonly string[]) {
  let count = 0
  for (let start = 0; start < hashes.length; start += chunkSize) {
    const hash = hashes.slice(start, start + chunkSize)
    count += await countOf(db, "passage_vector", { project_id: projectId, model, hash })
  }
  return count
}

export const saveVectors = write(
  "saveVectors",
  async (
    db: Db,
    { projectId, model, generation }: VectorScope,
    vectors: ReadonlyMap<string, EmbeddedPassage>,
  ): Promise<void> => {
    const rows = [...vectors].map(([hash, { vector, pieces }]) => ({
      project_id: projectId,
      model,
      hash,
      generation,
      vector: new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength),
      pieces,
    }))
    if (rows.length === 0) return
    await db
      .insertInto("passage_vector")
      .values(rows)
      .onConflict((conflict) => conflict.columns(["project_id", "model", "hash"]).doUpdateSet({ generation }))
      .execute()
  },
)

/**
 * Deletes the vectors of a project that neither this generation nor a later one uses. Those of other models stay for
 * a hundred generations, because an owner may go back to one.
 */
export const deleteOldVectors = write(
  "deleteOldVectors",
  async (db: Db, { projectId, model, generation }: VectorScope): Promise<void> => {
    await deleteInSteps(db, "passage_vector", ({ and, eb, or }) =>
      and([
        eb("project_id", "=", projectId),
        or([
          and([eb("model", "=", model), eb("generation", "<", generation)]),
          eb("generation", "<", generation - otherModelsKept),
        ]),
      ]),
    )
  },
)

const otherModelsKept = 100

export interface VectorScope {
  projectId: string
  /** Provider, model and vector size. */
  model: string
  generation: number
}

/** Hashes in one statement. */
const chunkSize = 500

/** Copies the bytes: those of the database may not be aligned for floats. */
function floats(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.slice().buffer)
}

import { sha256 } from "../../base/hash.ts"
import type { Db } from "../../db/sqlite/connection.ts"

/** Key of a text's vector in the table `passage_vector`. */
export function hashOfText(text: string): string {
  return sha256(text)
}

/** Loads vectors by the hashes of their texts, and marks them as used by the generation being built. */
export async function loadVectors(
  db: Db,
  { projectId, model, generation }: VectorScope,
  hashes: readonly string[],
): Promise<Map<string, Float32Array>> {
  const found = new Map<string, Float32Array>()
  for (let start = 0; start < hashes.length; start += chunkSize) {
    const rows = await db
      .updateTable("passage_vector")
      .set({ generation })
      .where("project_id", "=", projectId)
      .where("model", "=", model)
      .where("hash", "in", hashes.slice(start, start + chunkSize))
      .returning(["hash", "vector"])
      .execute()
    for (const { hash, vector } of rows) found.set(hash, floats(vector))
  }
  return found
}

export async function saveVectors(
  db: Db,
  { projectId, model, generation }: VectorScope,
  vectors: ReadonlyMap<string, Float32Array>,
): Promise<void> {
  const rows = [...vectors].map(([hash, vector]) => ({
    project_id: projectId,
    model,
    hash,
    generation,
    vector: new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength),
  }))
  if (rows.length === 0) return
  await db
    .insertInto("passage_vector")
    .values(rows)
    .onConflict((conflict) => conflict.doUpdateSet({ generation }))
    .execute()
}

/** Deletes the vectors of a project that neither this generation nor a later one uses. */
export async function deleteOldVectors(db: Db, projectId: string, generation: number): Promise<void> {
  await db
    .deleteFrom("passage_vector")
    .where("project_id", "=", projectId)
    .where("generation", "<", generation)
    .execute()
}

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

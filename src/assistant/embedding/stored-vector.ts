import { sha256 } from "../../base/hash.ts"
import type { Db } from "../../db/sqlite/connection.ts"

/** What a text is known by among the vectors that were paid for. */
export function hashOfText(text: string): string {
  return sha256(text)
}

/** A project's vectors of some texts, by hash; they count as used by the generation that is being built. */
export async function storedVectors(
  db: Db,
  { projectId, model, generation }: Owner,
  hashes: readonly string[],
): Promise<Map<string, Float32Array>> {
  const found = new Map<string, Float32Array>()
  for (let start = 0; start < hashes.length; start += chunk) {
    const rows = await db
      .updateTable("passage_vector")
      .set({ generation })
      .where("project_id", "=", projectId)
      .where("model", "=", model)
      .where("hash", "in", hashes.slice(start, start + chunk))
      .returning(["hash", "vector"])
      .execute()
    for (const { hash, vector } of rows) found.set(hash, floats(vector))
  }
  return found
}

export async function storeVectors(
  db: Db,
  { projectId, model, generation }: Owner,
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

/** Forgets the vectors of a project that a generation, and what is built after it, has no use for. */
export async function forgetVectors(db: Db, projectId: string, generation: number): Promise<void> {
  await db
    .deleteFrom("passage_vector")
    .where("project_id", "=", projectId)
    .where("generation", "<", generation)
    .execute()
}

export interface Owner {
  projectId: string
  /** Name of what made the vectors. */
  model: string
  generation: number
}

const chunk = 500

/** Copied: the database's bytes need not lie where floats may. */
function floats(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.slice().buffer)
}

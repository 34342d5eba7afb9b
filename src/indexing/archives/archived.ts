import type { Db } from "../../db/connection.ts"
import type { Row } from "../../db/schema.ts"
import { changeRows, insertMissing } from "../../db/store.ts"
import { write } from "../../db/writes.ts"
import type { LiveGeneration } from "../generation.ts"

/** The generation that answers for a project, on every node. */
export interface ArchivedGeneration extends Omit<LiveGeneration, "passages"> {
  projectId: string
  /** Key of its archive. null: there is none any more, and the index is to be built again. */
  archive: string | null
  /** Size of its files once they are unpacked. */
  indexBytes: number
}

/** The key holds the checksum, so that no node takes anything else for this generation. */
export function archiveKey(projectId: string, number: number, checksum: string): string {
  return `index/${projectId}/${number}-${checksum}.tar.zst`
}

export function checksumIn(key: string): string {
  return /-([\w-]{43})\.tar\.zst$/.exec(key)?.[1] ?? ""
}

/** Records an archive that is about to be stored. */
export const recordArchive = write("recordArchive", async (db: Db, row: Row<"archive">): Promise<void> => {
  await insertMissing(db, "archive", row)
})

/** Every live generation; of one project, if one is named. */
export function liveGenerations(db: Db, projectId?: string): Promise<ArchivedGeneration[]> {
  return db
    .selectFrom("generation")
    .leftJoin("archive", "archive.key", "generation.archive")
    .select(({ fn, val }) => [
      "generation.project_id as projectId",
      "generation.number",
      "generation.index_format as indexFormat",
      "generation.checksum",
      "generation.archive",
      fn.coalesce("archive.index_bytes", val(0)).as("indexBytes"),
    ])
    .where("live", "=", 1)
    .$if(projectId !== undefined, (query) => query.where("generation.project_id", "=", projectId as string))
    .execute()
}

/**
 * Takes the archive off a live generation that no node can fetch, so that it is built again. Resolves to true for
 * one of all nodes that find this out.
 */
export async function forgetArchive(db: Db, { projectId, number, archive }: ArchivedGeneration) {
  const archived = { project_id: projectId, number, live: 1, archive } as const
  return changeRows(db, "generation", archived, { archive: null })
}

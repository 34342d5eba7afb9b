import type { Db } from "../../db/connection.ts"
import type { Write, WriteCall } from "../../db/writes.ts"
import { deleteOldVectors, saveVectors, useVectors } from "../../index/embedding/stored-vector.ts"
import { recordArchive } from "../../indexing/archives/archived.ts"
import {
  abandonGeneration,
  beginGeneration,
  changeFormat,
  recordUnchanged,
  resumeGeneration,
  switchGeneration,
} from "../../indexing/generation.ts"
import { beginRun, changeRun } from "../../indexing/indexing-run.ts"
import { storePages, unstageFeed } from "../../indexing/reading.ts"
import { forgetVersions, stageRemovals } from "../../indexing/stored-document.ts"
import { beginReading, forgetHandled, forgetHandledOf } from "../../indexing/unfinished-reading.ts"
import { forgetReplaced } from "../../indexing/unused-tables.ts"
import { forgetVisits } from "../../indexing/visited-pages.ts"
import { removeFeed } from "../../reading/feed.ts"

/** All that an indexing writes to the database. */
// biome-ignore lint/suspicious/noExplicitAny: each takes arguments of its own.
const indexingWrites: readonly Write<any[], unknown>[] = [
  beginRun,
  changeRun,
  beginGeneration,
  resumeGeneration,
  changeFormat,
  recordUnchanged,
  switchGeneration,
  abandonGeneration,
  beginReading,
  storePages,
  unstageFeed,
  stageRemovals,
  forgetHandled,
  forgetHandledOf,
  forgetVisits,
  forgetVersions,
  forgetReplaced,
  removeFeed,
  useVectors,
  saveVectors,
  deleteOldVectors,
  recordArchive,
]

/** Runs in the process that writes for an indexing: makes one of its calls. */
export async function performWrite(db: Db, { name, args }: WriteCall): Promise<unknown> {
  const wanted = indexingWrites.find(({ writeName }) => writeName === name)
  if (!wanted) throw new Error(`no indexing writes by ${name}`)
  return wanted(db, ...args)
}

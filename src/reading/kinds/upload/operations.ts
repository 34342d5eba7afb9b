import { projectOperation } from "../../../accounts/projects/operations.ts"
import { detail, Refusal } from "../../../base/errors.ts"
import type { Db } from "../../../db/connection.ts"
import { fieldsOf } from "../../../http/record/fields.ts"
import { idOf } from "../../../operations/operation.ts"
import { type ListedFeed, requireFeed } from "../../feed.ts"
import { newFiles, postLimits } from "./record.ts"
import { addUploads, type GivenFile, removeUpload, type UploadDeps } from "./uploads.ts"

/** `files` are as they came where a face read another body than JSON. Refuses as `addUploads` does. */
export const uploadFiles = projectOperation({
  audit: "files.uploaded",
  needs: ["projects:write"],
  input: newFiles,
  judgesInput: true,
  isLong: true,
  async run(deps: UploadDeps, call, project) {
    const feed = await requireUploadFeed(deps.db, project.id, idOf(call, "feed"))
    const { workspaceId, caller } = call
    return { feed, ...(await addUploads(deps, { workspaceId, feed }, filesIn(call.input), caller.signal)) }
  },
  subject: ({ feed, items: [first, ...more] }) => ({
    id: feed.id,
    name: first ? `${first.name}${more.length > 0 ? ` + ${more.length}` : ""}` : null,
  }),
})

/** Its document leaves the index at the next reading. Refuses `not_found`. */
export const removeFile = projectOperation({
  audit: "file.removed",
  needs: ["projects:write"],
  async run(deps: Pick<UploadDeps, "db" | "files">, call, project) {
    const feed = await requireUploadFeed(deps.db, project.id, idOf(call, "feed"))
    await removeUpload(deps, feed.id, idOf(call, "upload"), call.caller.signal)
    return feed
  },
  subject: ({ id, address }) => ({ id, name: address }),
})

/** Throws Refusal `not_found`, also for a feed of another kind. */
export async function requireUploadFeed(db: Db, projectId: string, id: string): Promise<ListedFeed> {
  const feed = await requireFeed(db, projectId, id)
  if (feed.kind === "upload") return feed
  throw new Refusal("not_found", detail("assistant.notForFiles"))
}

function filesIn(given: { files?: unknown }): GivenFile[] {
  const { files } = given
  const isRead =
    Array.isArray(files) && files.length > 0 && files.every(({ content }) => content instanceof Uint8Array)
  if (isRead && files.length <= postLimits.files) return files
  return fieldsOf(given as Record<string, unknown>, newFiles).files.map(({ name, content }) => ({
    name,
    content: Buffer.from(content, "base64"),
  }))
}

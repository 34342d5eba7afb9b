import { detail, hasCode, Refusal } from "../../base/errors.ts"
import { idsOf } from "../../base/ids.ts"
import type { NewFile } from "../../storage/files.ts"
import { StorageError } from "../../storage/object-store.ts"
import type { Form } from "../definition/form.ts"
import type { FormDeps } from "../deps.ts"
import { dropFiles, type ResponseFile } from "../responses/response-files.ts"
import type { SentFile } from "./value.ts"

/**
 * Keeps the files of a post while `store` stores its response, which refers to them; without that they go again. Throws
 * Refusal `quota_exceeded` where the workspace has no room for them, `unavailable` where they cannot be kept.
 */
export async function withFilesKept<Stored>(
  deps: Pick<FormDeps, "files">,
  { workspaceId }: Pick<Form, "workspaceId">,
  sent: readonly SentFile[],
  store: (files: readonly ResponseFile[]) => Promise<Stored>,
): Promise<Stored> {
  const stored: ResponseFile[] = []
  try {
    for (const { content, mediaType, field, name } of sent)
      stored.push({ ...(await put(deps, { workspaceId, mediaType, content })), field, name })
    return await store(stored)
  } finally {
    await dropFiles(deps, idsOf(stored))
  }
}

async function put({ files }: Pick<FormDeps, "files">, file: NewFile) {
  try {
    return await files.put(file, new AbortController().signal)
  } catch (error) {
    if (hasCode(error, "storage.full")) throw new Refusal("quota_exceeded", detail("forms.noRoomForFiles"))
    if (!(error instanceof StorageError)) throw error
    throw new Refusal("unavailable", detail("forms.filesNotKept"), {
      reason: `files cannot be kept: ${error.message}`,
      retryAfterSeconds: 60,
    })
  }
}

import { detail, Refusal } from "../base/errors.ts"
import type { Files, StoredFile } from "./files.ts"
import { StorageError } from "./object-store.ts"

/**
 * The content of a file, once it has begun. Throws Refusal `unavailable` for one that cannot be read, while that can
 * still be told in place of it.
 */
export async function openContent(
  files: Files,
  file: StoredFile,
  signal: AbortSignal,
): Promise<AsyncGenerator<Uint8Array>> {
  const content = files.content(file, signal)
  try {
    const first = await content.next()
    return following(first, content)
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    throw new Refusal("unavailable", detail("storage.fileAway"), {
      reason: `a file cannot be read: ${error.message}`,
      retryAfterSeconds: 60,
    })
  }
}

async function* following(first: IteratorResult<Uint8Array>, rest: AsyncGenerator<Uint8Array>) {
  if (!first.done) yield first.value
  yield* rest
}

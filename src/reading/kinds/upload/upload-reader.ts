import type { Db } from "../../../db/connection.ts"
import type { Files } from "../../../storage/files.ts"
import type { FeedReader, PageReading } from "../../feed.ts"
import { namesOfFile, type PageFilter, pageFilter } from "../../page-patterns.ts"
import type { Parser } from "../../parser.ts"
import { pagePath } from "../web/page-path.ts"
import { listUploads, type Upload, uploadUrl } from "./uploads.ts"

/** The uploads that a reader reads, and where Guichet serves the ones without an address of their own. */
export interface UploadPlace {
  db: Db
  files: Files
  publicUrl: string
}

/** Reads the files that were uploaded, with one in memory at a time. */
export function uploadReader(place: UploadPlace | undefined, parser: Parser): FeedReader {
  async function read(
    { files, publicUrl }: UploadPlace,
    upload: Upload,
    feedAddress: string,
    filter: PageFilter,
    signal: AbortSignal,
  ): Promise<PageReading> {
    const { name, file } = upload
    try {
      const unwanted = filter(namesOfFile(name))
      const content = unwanted ? [] : await Array.fromAsync(files.content(file, signal))
      const url = uploadUrl(publicUrl, feedAddress, upload)
      // Named by the file, wherever it stands: a visitor's page is compared with it.
      const path = pagePath(new URL(uploadUrl("", "http://file", upload)), "file")
      const named = { path, url, name, type: file.mediaType }
      const read = unwanted ?? (await parser.file(Buffer.concat(content), named))
      if (!("leftOut" in read)) return { page: name, outcome: "read", document: read }
      const { leftOut, detail } = read
      return { page: name, outcome: "left_out", reason: leftOut, ...(detail && { detail }) }
    } catch (error) {
      signal.throwIfAborted()
      return { page: name, outcome: "failed", detail: (error as Error).message }
    }
  }

  return async function* (feed, signal, before) {
    if (!place) throw new Error("no uploads are kept here")
    const filter = pageFilter(feed)
    for (const upload of await listUploads(place.db, feed.id)) {
      signal.throwIfAborted()
      if (!before?.has(upload.name)) yield await read(place, upload, feed.address, filter, signal)
    }
  }
}

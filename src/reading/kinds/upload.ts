import { Type } from "@sinclair/typebox"
import { namesOfFile, type PageFilter, pageFilter } from "../page-patterns.ts"
import type { Parser } from "../parser.ts"
import { feedKind, type Places, patterns } from "./kind.ts"
import type { PageReading } from "./page-reading.ts"
import { listUploads, servedAddress, type Upload, uploadUrl } from "./upload/uploads.ts"
import { pagePath } from "./web/page-path.ts"

/** Files that the owner uploads. The address is where they stand, too, unless Guichet serves them itself. */
export const upload = feedKind({
  settings: Type.Object(patterns),
  input: patterns,
  change: {},
  usualAddress: servedAddress,
  losesOnPurpose: true,
  /** One file is in memory at a time. */
  async *read(feed, { places, parser }, { signal, before }) {
    if (!places) throw new Error("no uploads are stored here")
    const filter = pageFilter(feed)
    for (const upload of await listUploads(places.db, feed.id)) {
      signal.throwIfAborted()
      if (!before?.has(upload.name))
        yield await readUpload(upload, feed.address, filter, places, parser, signal)
    }
  },
})

async function readUpload(
  upload: Upload,
  feedAddress: string,
  filter: PageFilter,
  { files, publicUrl }: Places,
  parser: Parser,
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

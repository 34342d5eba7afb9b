import { Type } from "@sinclair/typebox"
import { fileLimits } from "../formats/file-kind.ts"
import { referencedFiles } from "../formats/openapi/references.ts"
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
  async *read(feed, { places, parser }, { signal, before, onListed }) {
    if (!places) throw new Error("no uploads are stored here")
    const filter = pageFilter(feed)
    const uploads = await listUploads(places.db, feed.id)
    onListed?.(uploads.length)
    const byName = new Map(uploads.map((upload) => [upload.name, upload]))
    for (const upload of uploads) {
      signal.throwIfAborted()
      if (!before?.has(upload.name))
        yield await readUpload(upload, byName, { feedAddress: feed.address, filter, places, parser }, signal)
    }
  },
})

interface UploadReading {
  feedAddress: string
  filter: PageFilter
  places: Places
  parser: Parser
}

async function readUpload(
  upload: Upload,
  byName: ReadonlyMap<string, Upload>,
  { feedAddress, filter, places: { files, publicUrl }, parser }: UploadReading,
  signal: AbortSignal,
): Promise<PageReading> {
  const { name, file } = upload
  const contentOf = async ({ file }: Upload) =>
    Buffer.concat(await Array.fromAsync(files.content(file, signal)))
  try {
    const unwanted = filter(namesOfFile(name))
    const content = unwanted ? Buffer.alloc(0) : await contentOf(upload)
    const referenced = await referencedFiles(name, content, async (path) => {
      const other = byName.get(path)
      return other && other.file.bytes <= fileLimits.textBytes ? contentOf(other) : undefined
    })
    const url = uploadUrl(publicUrl, feedAddress, upload)
    // Named by the file, wherever it stands: a visitor's page is compared with it.
    const path = pagePath(new URL(uploadUrl("", "http://file", upload)), "file")
    const named = { path, url, name, type: file.mediaType, files: referenced }
    const read = unwanted ?? (await parser.file(content, named))
    if (!("leftOut" in read)) return { page: name, outcome: "read", document: read }
    const { leftOut, detail } = read
    return { page: name, outcome: "left_out", reason: leftOut, ...(detail && { detail }) }
  } catch (error) {
    signal.throwIfAborted()
    return { page: name, outcome: "failed", detail: (error as Error).message }
  }
}

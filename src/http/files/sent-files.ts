import { detail, Refusal } from "../../base/errors.ts"
import { readBody } from "../body.ts"
import { readMultipartBody } from "./multipart.ts"
import { openRooms } from "./room.ts"

/** A file as it was sent. In JSON, what tells it from another: its name and hash. */
export interface SentFile {
  name: string
  content: Uint8Array
  toJSON(): object
}

/** A body with files. Disposing of it gives back the room that it took. */
export interface SentFiles extends Disposable {
  values: URLSearchParams
  files: SentFile[]
}

export const maxSentMegabytes = 64
const openRoom = openRooms()
const maxParts = 300

export function isMultipart({ headers }: Request): boolean {
  return /^\s*multipart\/form-data\b/i.test(headers.get("content-type") ?? "")
}

/** Throws Refusal `invalid_request` for a body that is too large or no such form, `unavailable` without room for it. */
export async function readSentFiles(request: Request, workspaceId: string): Promise<SentFiles> {
  const room = openRoom({ [workspaceId]: maxSentMegabytes })
  try {
    const maxBytes = maxSentMegabytes * 1024 ** 2
    const body = await readBody(request, maxBytes, room).catch((error) => {
      throw error instanceof Refusal
        ? error
        : new Refusal("invalid_request", detail("requests.invalidRequest"))
    })
    const tooLarge = detail("forms.filesTooLarge", { megabytes: maxSentMegabytes })
    if (!body) throw new Refusal("invalid_request", tooLarge)
    const read = await readMultipartBody(body, request.headers.get("content-type") ?? "", maxParts)
    if ("code" in read) throw new Refusal("invalid_request", read.code === "forms.tooLarge" ? tooLarge : read)
    const values = new URLSearchParams(read.parts.map(({ name, text }) => [name, text.replaceAll("\0", "")]))
    const files = read.files.map(({ fileName: name, content }) => ({
      name,
      content,
      toJSON: () => ({ name, sha256: new Bun.CryptoHasher("sha256").update(content).digest("base64url") }),
    }))
    return { values, files, [Symbol.dispose]: room[Symbol.dispose] }
  } catch (error) {
    room[Symbol.dispose]()
    throw error
  }
}

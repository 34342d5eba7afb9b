import { type Static, Type } from "@sinclair/typebox"
import type { App } from "../app.ts"
import { Refusal } from "../base/errors.ts"
import { maxMegabytes } from "../forms/definition/field.ts"
import { cleanFileName } from "../forms/files/file-name.ts"
import { judgeFile } from "../forms/files/judge-file.ts"
import { addFile, type ResponseFile } from "../forms/responses/response-files.ts"
import { findFiles } from "../storage/files.ts"
import type { Line } from "./line.ts"

/** A piece of a file of the response above; further pieces have a line each. */
export const fileSchema = Type.Object({
  field: Type.String({ maxLength: 64 }),
  name: Type.String({ maxLength: 200 }),
  bytes: Type.Integer({ minimum: 1, maximum: maxMegabytes * 1024 ** 2 }),
  content: Type.String(),
})
export type FileLine = Static<typeof fileSchema>

/** Throws StorageError while a file cannot be read. */
export async function* fileLines(
  { db, files }: Pick<App, "db" | "files">,
  own: readonly ResponseFile[],
): AsyncGenerator<Line> {
  for (const { id, field, name, bytes } of own) {
    const [file] = await findFiles(db, [id])
    if (!file) continue
    for await (const chunk of files.content(file, new AbortController().signal))
      yield { file: { field, name, bytes, content: Buffer.from(chunk).toString("base64") } }
  }
}

/** Puts the pieces of files together, and gives each file to its response. */
export function fileReader(app: Pick<App, "db" | "files">, workspaceId: string) {
  let pieces: Buffer[] = []
  let place = 0
  let owner = ""

  return {
    isWithin: () => pieces.length > 0,
    /** Throws Refusal `invalid_request` for a file that is not what it says, or of no known type. */
    async read(responseId: string, { field, name, bytes, content }: FileLine): Promise<void> {
      if (responseId === "")
        throw new Refusal("invalid_request", "", { reason: "there is no response above it" })
      pieces.push(Buffer.from(content, "base64"))
      const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
      if (length < bytes) return
      const whole = Buffer.concat(pieces)
      pieces = []
      // A document with macros may have been taken by an earlier version.
      const type = length === bytes ? judgeFile(whole).type : undefined
      if (!type)
        throw new Refusal("invalid_request", "", { reason: `the file ${JSON.stringify(name)} is not whole` })
      place = owner === responseId ? place + 1 : 0
      owner = responseId
      const file = { field, name: cleanFileName(name, type), mediaType: type.mediaType, content: whole }
      await addFile(app, { workspaceId, responseId, place }, file)
    },
  }
}

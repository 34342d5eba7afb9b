import { Elysia } from "elysia"
import { findServedUpload, type UploadDeps } from "../assistant/feeds/upload/uploads.ts"
import { detail, required } from "../base/errors.ts"
import type { Log } from "../base/log.ts"
import { fileReply } from "../storage/file-reply.ts"
import { asPage, isBrowser } from "./form-pages/as-page.ts"
import { words } from "./words.fr.ts"

/**
 * `/uploads/…`: the files of a documentation that stand nowhere else, which sources link to. The id alone opens one;
 * the name is for people to read.
 */
export function uploadedFileRoutes({ db, files, log }: Pick<UploadDeps, "db" | "files"> & { log: Log }) {
  async function answer(id: string, { signal }: Request): Promise<Response> {
    const { name, file } = required(await findServedUpload(db, id), detail("assistant.uploadNotFound"))
    const last = name.split("/").at(-1) as string
    const { mediaType, bytes } = file
    return fileReply({ name: last, mediaType, bytes, content: files.content(file, signal) })
  }
  return new Elysia({ name: "uploaded-files" }).get("/uploads/:id/:name", ({ request, params }) => {
    const reply = () => answer(params.id, request)
    return isBrowser(request) ? asPage(request, log, words.fileTitle, reply) : reply()
  })
}

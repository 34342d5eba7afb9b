import { Elysia } from "elysia"
import type { FormDeps } from "../forms/deps.ts"
import { openLinkedFile } from "../forms/responses/response-files.ts"
import { fileReply } from "../storage/file-reply.ts"
import { asPage, isBrowser } from "./form-pages/as-page.ts"
import { words } from "./words.fr.ts"

/**
 * `/files/…`: the files that a message links to, for its receiver. The link alone opens it; its last part is the name,
 * for people to read.
 */
export function fileLinkRoutes(deps: Pick<FormDeps, "db" | "files" | "vault" | "clock" | "log">) {
  return new Elysia({ name: "file-links" }).get("/files/:link/:name", ({ request, params }) => {
    const answer = async () => fileReply(await openLinkedFile(deps, params.link, request.signal))
    return isBrowser(request) ? asPage(request, deps.log, words.fileTitle, answer) : answer()
  })
}

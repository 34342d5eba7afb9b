import { Refusal } from "../base/errors.ts"
import type { FormDeps } from "../forms/deps.ts"
import { openLinkedFile } from "../forms/responses/response-files.ts"
import type { RequestContext } from "../http/routes.ts"
import { fileReply } from "../storage/file-reply.ts"
import { englishMessage } from "../wording/english.ts"
import { userMessage } from "../wording/user-message.ts"
import { asPage, isBrowser } from "./form-pages/as-page.ts"
import { expiredPage } from "./form-pages/confirmation.tsx"
import { words } from "./words.fr.ts"

/**
 * `/files/…`: the files that a message links to, for its receiver. The link alone opens it; its last part is the name,
 * for people to read.
 */
export function fileLinkHandler(deps: Pick<FormDeps, "db" | "files" | "vault" | "clock" | "log">) {
  return ({ request, params }: RequestContext<"link" | "name">) => {
    const answer = async () => fileReply(await openLinkedFile(deps, params.link, request.signal))
    if (!isBrowser(request)) return answer()
    return asPage(request, deps.log, words.fileTitle, () =>
      answer().catch((error) => {
        if (!(error instanceof Refusal) || error.code !== "not_found") throw error
        const { detail } = error
        return expiredPage(request, { fr: userMessage(detail), en: englishMessage(detail) })
      }),
    )
  }
}

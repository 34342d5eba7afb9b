import { detail, required } from "../base/errors.ts"
import type { FormDeps } from "../forms/deps.ts"
import { clientReader, visitorAddress } from "../http/client.ts"
import type { RequestContext } from "../http/routes.ts"
import type { Limit } from "../limits/limit.ts"
import { openMeter } from "../limits/meter.ts"
import { findServedUpload } from "../reading/kinds/upload/uploads.ts"
import { fileReply } from "../storage/file-reply.ts"
import { openContent } from "../storage/open-content.ts"
import { asPage, isBrowser } from "./form-pages/as-page.ts"
import { words } from "./words.fr.ts"

/** Requests of any kind, for 30 MB each at most: a reader opens some of the files that answers cite. */
const ofVisitor = { key: "uploads", points: 60, per: "minute", on: "visitor" } as const satisfies Limit
/** Counted by each node for itself. */
const ofProject = { key: "uploads", points: 600, per: "minute", on: "project" } as const satisfies Limit

/**
 * `/uploads/…`: the files of a documentation that stand nowhere else, which sources link to. The id alone opens one;
 * the name is for people to read.
 */
export function uploadedFileHandler(deps: Pick<FormDeps, "db" | "files" | "log" | "clock" | "config">) {
  const { db, files, log, clock, config } = deps
  const clientAddress = clientReader(config.trustedProxies)
  const [visitors, projects] = [openMeter(ofVisitor), openMeter(ofProject)]

  async function answer(id: string, request: Request): Promise<Response> {
    const at = { timezone: config.timezone, nowMs: clock.now() }
    const tooMany = detail("requests.tooManyDownloads")
    // Before anything is read: ids that lead nowhere count, too.
    visitors.take(visitorAddress(clientAddress(request)), at, tooMany)
    const upload = required(await findServedUpload(db, id), detail("assistant.uploadNotFound"))
    const { name, file, feedId } = upload
    // A project has one such feed.
    projects.take(feedId, at, tooMany)
    const last = name.split("/").at(-1) as string
    const { mediaType, bytes } = file
    const { signal, method } = request
    const content = method === "HEAD" ? files.content(file, signal) : await openContent(files, file, signal)
    return fileReply({ name: last, mediaType, bytes, content })
  }
  return ({ request, params }: RequestContext<"id" | "name">) => {
    const reply = () => answer(params.id, request)
    return isBrowser(request) ? asPage(request, log, words.fileTitle, reply) : reply()
  }
}

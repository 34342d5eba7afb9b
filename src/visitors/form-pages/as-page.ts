import { statusOfCode } from "../../base/errors.ts"
import type { Log } from "../../base/log.ts"
import { toRefusal } from "../../wording/error-replies.ts"
import { userMessage } from "../../wording/user-message.ts"
import { refusedPage } from "./pages.tsx"

/** Whether a browser navigates, rather than a script that waits for an answer. */
export function isBrowser(request: Request): boolean {
  return request.headers.get("accept")?.includes("text/html") ?? false
}

/** The answer, or after an error a page with this title that says in French what went wrong. */
export async function asPage(request: Request, log: Log, title: string, answer: () => Promise<Response>) {
  try {
    return await answer()
  } catch (error) {
    const { code, detail, retryAfterSeconds } = toRefusal(error, request, log)
    const reply = refusedPage(statusOfCode[code], title, userMessage(detail))
    if (retryAfterSeconds !== undefined) reply.headers.set("retry-after", String(retryAfterSeconds))
    return reply
  }
}

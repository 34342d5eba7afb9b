/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { type ConsoleDeps, type PageHandlers, projectOf } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/shell.fr.ts"

/** The form responses of all forms of a project. */
export function projectResponsesPages(handlers: PageHandlers, { db }: ConsoleDeps) {
  return new Elysia({ name: "console-project-responses" }).get(
    "/console/projects/:project/messages",
    handlers.page(async (context) => {
      const project = await projectOf(db, context)
      return page(
        context,
        { title: messages.received, current: "received", project },
        <h1>{messages.received}</h1>,
      )
    }),
  )
}

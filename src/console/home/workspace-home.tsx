/** @jsxImportSource preact */
import { Elysia } from "elysia"
import type { ConsoleDeps, PageHandlers } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/home.fr.ts"

/** What happened in all projects of the workspace in the last days, and what asks for attention. */
export function workspaceHomePages(handlers: PageHandlers, _deps: ConsoleDeps) {
  return new Elysia({ name: "console-home" }).get(
    "/console",
    handlers.page((context) =>
      page(context, { title: messages.title, current: "overview" }, <h1>{messages.title}</h1>),
    ),
  )
}

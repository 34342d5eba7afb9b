/** What a page's own code may tell the widget to do. */
export interface Commands {
  ready: true
  open(): void
  close(): void
  /** Opens the panel and asks. */
  ask(text: string): void
}

declare global {
  interface Window {
    guichet?: unknown
  }
}

/**
 * Puts the commands at `window.guichet`, after carrying out what was called before the script was there:
 * until then the page may have left a list of calls, `[["open"], ["ask", "…"]]`.
 */
export function takeCommands(commands: Commands): void {
  const early: unknown = window.guichet
  window.guichet = commands
  if (!Array.isArray(early)) return
  for (const [name, text] of early as ["open" | "close" | "ask", string][]) commands[name]?.(text)
}

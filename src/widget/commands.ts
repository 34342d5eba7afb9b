/** Commands that a page's own code may give to the widget. */
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
 * Puts the commands at `window.guichet`, after running those called before the script was there. Until then
 * the page may have left a list of calls, `[["open"], ["ask", "…"]]`.
 */
export function installCommands(commands: Commands): void {
  const queued: unknown = window.guichet
  window.guichet = commands
  if (!Array.isArray(queued)) return
  for (const [name, text] of queued as ["open" | "close" | "ask", string][]) commands[name]?.(text)
}

type Name = "open" | "close" | "ask"

/** Commands that a page's own code may give to the widget. */
export type Commands = Record<Exclude<Name, "ask">, () => void> & {
  /** Opens the panel and asks. */
  ask(text: string): void
}

declare global {
  interface Window {
    guichet?: unknown
  }
}

/**
 * Puts the commands at `window.guichet`, and runs the calls that the page left there before the script was loaded:
 * `[["open"], ["ask", "…"]]`. A command waits for the widget; where the service
 * has none for the page, it does nothing.
 */
export function installCommands(widget: Promise<Commands | undefined>): void {
  const queued: unknown = window.guichet
  const give = (name: Name) => (text?: unknown) => void widget.then((ready) => ready?.[name](String(text)))
  const commands = { ready: true, open: give("open"), close: give("close"), ask: give("ask") }
  window.guichet = commands
  if (!Array.isArray(queued)) return
  for (const [name, text] of queued as [Name, string][]) commands[name]?.(text)
}

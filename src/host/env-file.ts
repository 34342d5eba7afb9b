/**
 * Reads a file of settings as systemd reads an EnvironmentFile: NAME=value a line, `#` and `;` begin a
 * comment, quotes hold spaces together, a backslash takes the next character as it is and joins two lines.
 */
export function parseSettings(text: string): Record<string, string> {
  const settings: Record<string, string> = {}
  for (const [, name = "", quoted = "", bare = ""] of text.matchAll(assignment))
    settings[name] = quoted.replaceAll(piece, unquote) + unescaped(bare.trimEnd())
  return settings
}

/**
 * Name, quoted pieces, and what follows without quotes. As for systemd, a quote that nothing closes holds the
 * rest of the file.
 */
const assignment =
  /(?<=^|\n)[ \t]*([A-Za-z_]\w*)=[ \t]*((?:"(?:[^"\\]|\\(?:.|$))*(?:"[ \t]*|$)|'[^']*(?:'[ \t]*|$))*)((?:[^\n\\]|\\(?:.|$))*)/gs
const piece = /"((?:[^"\\]|\\(?:.|$))*)(?:"[ \t]*|$)|'([^']*)(?:'[ \t]*|$)/gs

function unquote(_piece: string, double: string | undefined, single: string | undefined): string {
  return single ?? (double ?? "").replace(/\\(["\\`$\n])/g, (_, kept: string) => (kept === "\n" ? "" : kept))
}

function unescaped(bare: string): string {
  return bare.replace(/\\(.|$)/gs, (_, kept: string) => (kept === "\n" ? "" : kept))
}

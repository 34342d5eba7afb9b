/**
 * Reads a file of settings as systemd reads an EnvironmentFile (systemd.exec(5)): NAME=value a line, `#` and
 * `;` begin a comment, quotes keep spaces, a backslash takes the next character literally and joins two lines.
 */
export function parseSettings(text: string): Record<string, string> {
  const settings: Record<string, string> = {}
  for (const [, name = "", quoted = "", bare = ""] of text.matchAll(assignment))
    settings[name] = quoted.replaceAll(piece, unquote) + unescaped(bare.trimEnd())
  return settings
}

/**
 * Matches the name, the quoted pieces, and the unquoted rest. As in systemd, an unclosed quote runs to the
 * end of the file.
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

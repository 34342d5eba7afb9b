/** More than a settings file lists by hand; a longer pattern, or one of more stars, is read as none. */
const maxPatterns = 500
const maxCharacters = 300
const maxStars = 6

/**
 * Whether a path fits one of the patterns that generators take from `.gitignore`: `drafts/`, `*.fr.md`, `/a.md`,
 * `a/**`, and `!a/b.md` for what stays. A pattern without a slash fits at any depth, and one that names a folder
 * all that is in it.
 */
export function pathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const rules = patterns
    .slice(0, maxPatterns)
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== "" && !pattern.startsWith("#") && pattern.length <= maxCharacters)
    .filter((pattern) => pattern.split("*").length - 1 <= maxStars)
    .map((pattern) => {
      const stays = pattern.startsWith("!")
      const plain = pattern
        .slice(stays ? 1 : 0)
        .replace(/^\.\//, "")
        .replace(/\/$/, "")
      const isAnchored = plain.slice(0, -1).includes("/")
      const start = isAnchored ? plain.replace(/^\//, "") : `**/${plain.replace(/^\//, "")}`
      const globs = [start, `${start}/**`].map((glob) => new Bun.Glob(glob))
      return { stays, fits: (path: string) => globs.some((glob) => glob.match(path)) }
    })
  return (path) => rules.reduce((is, { stays, fits }) => (fits(path) ? !stays : is), false)
}

import { pathMatcher } from "../../../base/path-matcher.ts"

/** More than a settings file lists by hand; a longer pattern, or one of more wildcards, is read as none. */
const maxPatterns = 500
const maxCharacters = 300
const maxWildcards = 6

/**
 * Whether a path matches one of the patterns that generators take from `.gitignore`: `drafts/`, `*.fr.md`, `/a.md`,
 * `a/**`, and `!a/b.md` for what stays. A pattern without a slash matches at any depth, and one that names a folder
 * all that is in it.
 */
export function ignoredPaths(patterns: readonly string[]): (path: string) => boolean {
  const rules = patterns
    .slice(0, maxPatterns)
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== "" && !pattern.startsWith("#") && pattern.length <= maxCharacters)
    .filter((pattern) => pattern.split("*").length - 1 <= maxWildcards)
    .map((pattern) => {
      const stays = pattern.startsWith("!")
      const plain = pattern
        .slice(stays ? 1 : 0)
        .replace(/^\.\//, "")
        .replace(/\/$/, "")
      const isAnchored = plain.slice(0, -1).includes("/")
      const start = (isAnchored ? "" : "**/") + plain.replace(/^\//, "")
      const matchers = [start, `${start}/**`].map(pathMatcher)
      return { stays, matches: (path: string) => matchers.some((matches) => matches(path)) }
    })
  return (path) => rules.reduce((is, { stays, matches }) => (matches(path) ? !stays : is), false)
}

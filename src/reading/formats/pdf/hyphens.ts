import type { Page } from "./lines.ts"
import { endsByHyphen } from "./paragraphs.ts"

/** Words that French joins by a hyphen: « présentez-vous », « dit-elle », « celui-ci », « lui-même ». */
const joinedByHyphen =
  /^(?:je|tu|ils?|elles?|on|nous|vous|ce|moi|toi|lui|leur|les?|la|l[aà]|ci|y|en|m[êe]mes?|t-)(?![\p{L}])/u

/** Joins lines, and the halves of words at their ends, as the document writes these words elsewhere. */
export function lineJoiner(pages: readonly Page[]): (lines: readonly string[]) => string {
  let words: Set<string> | undefined
  return (lines) => {
    let text = ""
    for (const line of lines) {
      const isHalf = endsByHyphen(text) && /^\p{Ll}/u.test(line)
      if (text === "") text = line
      else if (!isHalf) text += (/\p{L}[-\u2010]$/u.test(text) ? "" : " ") + line
      else text = (keepsHyphen(text, line) ? text : text.slice(0, -1)) + line
    }
    return text.replaceAll("\u00ad", "")
  }

  function keepsHyphen(before: string, after: string): boolean {
    if (before.endsWith("\u00ad")) return false
    // An e-mail address or one of a page.
    if (/[@/]/.test(before.slice(before.lastIndexOf(" ") + 1))) return true
    words ??= wholeWords(pages)
    const first =
      before
        .slice(-60, -1)
        .split(/[^\p{L}-]/u)
        .at(-1) ?? ""
    const second = /^[\p{L}-]+/u.exec(after.slice(0, 60))?.[0] ?? ""
    if (words.has(`${first}${second}`.toLowerCase())) return false
    return words.has(`${first}-${second}`.toLowerCase()) || joinedByHyphen.test(after)
  }
}

/** Most words of a document that are compared. */
const maxWords = 200_000

function wholeWords(pages: readonly Page[]): Set<string> {
  const words = new Set<string>()
  for (const { lines } of pages)
    for (const { text } of lines)
      for (const [word] of text.matchAll(/\p{L}[\p{L}-]{1,60}(?=[^\p{L}-]|$)/gu)) {
        if (words.size >= maxWords) return words
        words.add(word.toLowerCase())
      }
  return words
}

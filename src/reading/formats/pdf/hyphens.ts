import type { Page } from "./lines.ts"
import { endsByHyphen } from "./paragraphs.ts"

/** Second halves of words that French joins by a hyphen: « présentez-vous », « celui-ci », « lui-même ». */
const ownEnding =
  /^(?:je|tu|ils?|elles?|on|nous|vous|ce|moi|toi|lui|leur|les?|la|l[aà]|ci|y|en|m[êe]mes?|t-|à-)(?!\p{L})/u
/** First halves of such words: « demi-journée », « avant-première ». No word is parted there otherwise. */
const ownBeginning =
  /^(?:ci|demi|semi|vice|quasi|non|e|après|arrière|avant|au|là|chef|compte|contre|grands?|haute?s?|hors|libre|main|peut|porte|procès|rendez|savoir|week|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|vingt|trente|quarante|cinquante|soixante|cent)$/u
/** Words that begin so and have no hyphen: « cité », « maintenir », « nonante », « contrevenir », « auteur ». */
const oneWord =
  /^(?:ci(?!apr|avant|contre|dess|dev|incl|joint)|main(?!d['’])|non(?:a|ce|ch|ob)|contre(?:b|d[iu]|ven|fa[iç]|v)|au(?!del|dess|dev|dedans|dehors)|là(?!bas|dess|haut|dedans)|quatre(?!vingt)|cent(?:r|i|a)|six(?:i|t)|dix(?:i|m)|haute?s?(?:eu|a)|compte(?:u|s$)|semi(?:s|n)|chef(?:f|s$)|deuxi|vice)/u

/** Share of a document's lines that end within a word where words are parted at all. */
const leastParted = 0.02

/** Joins lines, and the halves of words at their ends, as the document writes these words elsewhere. */
export function lineJoiner(pages: readonly Page[]): (lines: readonly string[]) => string {
  let habits: Habits | undefined
  return (lines) => {
    let text = ""
    for (const line of lines) {
      const isHalf = endsByHyphen(text) && /^\p{Ll}/u.test(line)
      if (text === "") text = line
      else if (!isHalf) text += (/\p{L}[-\u2010]$/u.test(text) ? "" : " ") + line
      else text = (keepsHyphen(text, line) ? text.replace(/\u2010$/, "-") : text.slice(0, -1)) + line
    }
    return text.replaceAll("\u00ad", "")
  }

  function keepsHyphen(before: string, after: string): boolean {
    // An e-mail address or one of a page.
    if (/[@/]/.test(before.slice(before.lastIndexOf(" ") + 1))) return true
    habits ??= habitsOf(pages)
    const sign = before.at(-1) as string
    if (habits.partingSign !== undefined && sign !== habits.partingSign) return true
    if (sign === "\u00ad") return false
    const kind = partOf(before, after, habits.words)
    return kind === "own" || (kind === "unknown" && !habits.partsWords)
  }
}

interface Habits {
  words: Set<string>
  /** Whether words are parted at the ends of lines. */
  partsWords: boolean
  /** Set where another sign than a hyphen parts them: a hyphen then is the word's own. */
  partingSign: string | undefined
}

function habitsOf(pages: readonly Page[]): Habits {
  const words = wholeWords(pages)
  const counts = { own: 0, parted: 0, unknown: 0, lines: 0 }
  const signs = new Map<string, number>()
  for (const { lines } of pages)
    for (const [at, { text }] of lines.entries()) {
      counts.lines++
      const next = lines[at + 1]?.text
      if (next === undefined || !endsByHyphen(text) || !/^\p{Ll}/u.test(next)) continue
      counts[partOf(text, next, words)]++
      const sign = text.at(-1) as string
      signs.set(sign, (signs.get(sign) ?? 0) + 1)
    }
  const isOften = counts.unknown >= leastParted * counts.lines && counts.unknown > counts.own
  // Some programs write one sign for every hyphen.
  const isInWords = pages.some(({ lines }) => lines.some(({ text }) => /\p{L}\u2010\p{L}/u.test(text)))
  const partingSign = signs.has("\u00ad")
    ? "\u00ad"
    : signs.has("\u2010") && !isInWords
      ? "\u2010"
      : undefined
  return { words, partsWords: counts.parted > 0 || isOften, partingSign }
}

/** Whether a hyphen between two halves is the word's own or parts it. */
function partOf(before: string, after: string, words: ReadonlySet<string>): "own" | "parted" | "unknown" {
  const first = (
    before
      .slice(-60, -1)
      .split(/[^\p{L}-]/u)
      .at(-1) ?? ""
  ).toLowerCase()
  const second = (/^[\p{L}-]+/u.exec(after.slice(0, 60))?.[0] ?? "").toLowerCase()
  const whole = `${first}${second}`
  if (words.has(`${first}-${second}`)) return "own"
  if (words.has(whole)) return "parted"
  if (ownEnding.test(after) || /^[dlnsjqtm]['’]/.test(after)) return "own"
  // No rule parts a word before its last two letters or after its first, or a consonant from its vowel.
  if (first.length < 2 || second.length < 3) return "own"
  if (/[bcdfgjklmnpqrstvwz]$/.test(first) && /^[aeiouyàâéèêîôûœ]/.test(second)) return "own"
  const last = first.slice(first.lastIndexOf("-") + 1)
  return ownBeginning.test(last) && !oneWord.test(`${last}${second}`) ? "own" : "unknown"
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

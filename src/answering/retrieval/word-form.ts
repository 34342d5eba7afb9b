import type { Language } from "../../accounts/project.ts"
import { fold } from "../../base/text.ts"
import { isInversion } from "../../index/text/analyse.ts"
import { isWordOf } from "../../index/text/lexicon.ts"

/**
 * Whether a word is a name by its form. `before`: the end of the text before it. A word is a name with a sigil, a
 * capital inside, letters next to digits, or a dot or underscore inside; with a capital where none belongs; and
 * with a capital at the beginning, capitals only or a hyphen where no such word exists.
 */
export function isName(written: string, before: string, language: Language): boolean {
  const word = written.replace(elided, "").replace(possessive, "")
  if (ordinal[language].test(word)) return false
  if (identifier.test(word) || (/\p{L}/u.test(word) && /\p{N}/u.test(word))) return true
  const isCapital = /^\p{Lu}/u.test(word)
  if (isCapital && !/^\p{Lu}{2,}$/u.test(word) && !beginsSentence(before)) return true
  if (!isCapital && !/\p{L}-\p{L}/u.test(word)) return false
  const folded = fold(word)
  if (isInversion(folded)) return false
  // A question in another language than the documentation's, or an error message, begins with a word all the same.
  return isStrange(folded, language) && (!isCapital || isStrange(folded, otherThan(language)))
}

/** Whether a word stands where nouns stand: after an article or a preposition. */
export function isNoun(written: string, before: string, language: Language): boolean {
  return (language === "fr" && elidedArticle.test(written)) || determiner[language].test(before.slice(-20))
}

/** A sigil, an inner capital, an inner dot or underscore. */
const identifier = /^(?:--|[@$])|\p{Ll}\p{Lu}|[\p{L}\p{N}][._][\p{L}\p{N}]/u
const ordinal: Record<Language, RegExp> = {
  fr: /^\d{1,3}(?:ers?|[èe]?res?|nde?s?|[èe]mes?|es?)$/iu,
  en: /^\d{1,3}(?:st|nd|rd|th)$/i,
}
const elided = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|quelqu|presqu)['’ʼ](?=.)/i
const possessive = /['’ʼ]s$/
const elidedArticle = /^[dl]['’ʼ]/i
const determiner: Record<Language, RegExp> = {
  fr: /(?:^|[^\p{L}])(?:l[ae]s?|une?|des?|du|aux?|mon|ma|mes|votre|vos|en|sur|avec|par|pour|sans|dans|entre|quel(?:le)?s?) $/iu,
  en: /(?:^|[^\p{L}])(?:the|an?|my|your|of|to|in|on|with|by|for|from|which|what|any|without) $/iu,
}

function beginsSentence(before: string): boolean {
  const last = before.trimEnd().at(-1)
  return last === undefined || '.?!:«"“('.includes(last)
}

function otherThan(language: Language): Language {
  return language === "fr" ? "en" : "fr"
}

/** Parts of a word that are looked up. */
const maxParts = 3

/** Whether a part of the word is in no dictionary of the language. */
function isStrange(folded: string, language: Language): boolean {
  const parts = folded.split(/[-._'’ʼ]+/).slice(0, maxParts)
  return parts.some((part) => part.length > 1 && !/^\d+$/.test(part) && !isWordOf(language, part))
}

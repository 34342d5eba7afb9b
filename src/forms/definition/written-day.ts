import type { Language } from "../../accounts/project.ts"
import { fold } from "../../base/text.ts"

const months = {
  fr: "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre".split(" "),
  en: "january february march april may june july august september october november december".split(" "),
}

/** Days as people of a language write them, without accents or capitals: the day comes first in numbers. */
const forms: Record<Language, RegExp[]> = {
  fr: [
    /^(?<day>\d{1,2}) ?[-/. ] ?(?<month>\d{1,2})(?: ?[-/. ] ?(?<year>\d{4}|\d\d))?$/,
    /^(?:(?:lun|mar|mercre|jeu|vendre|same)di,? |dimanche,? )?(?:le )?(?<day>\d{1,2})(?: ?er)? (?<month>[a-z]{3,9})\.?(?: (?<year>\d{4}|\d\d))?$/,
  ],
  en: [
    /^(?:[a-z]{3,6}day,? )?(?:the )?(?<day>\d{1,2})(?:st|nd|rd|th)? (?:of )?(?<month>[a-z]{3,9})\.?(?:,? (?<year>\d{4}|\d\d))?$/,
    /^(?:[a-z]{3,6}day,? )?(?<month>[a-z]{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?(?:,? (?<year>\d{4}|\d\d))?$/,
  ],
}

interface WrittenDay {
  day: string
  month: string
  /** Four digits; undefined where it is not said, or not to the century. */
  year: string | undefined
}

/** `26/11/2026`, `26 11 2026`, `jeudi 26 novembre 2026`, `1er mars 2026` → `2026-11-26`. */
export function canonicalDay(text: string, language: Language): string {
  const written = writtenDay(text, language)
  return written?.year ? `${written.year}-${written.month}-${written.day}` : text
}

/** `1er mars`, `26/11`, `26/11/26`. */
export function lacksYear(text: string, language: Language): boolean {
  const written = writtenDay(text, language)
  return written !== undefined && !written.year
}

function writtenDay(text: string, language: Language): WrittenDay | undefined {
  const folded = fold(text.slice(0, 60))
  const {
    day,
    month = "",
    year,
  } = forms[language].map((form) => form.exec(folded)?.groups).find(Boolean) ?? {}
  const place = /^\d/.test(month) ? Number(month) : monthNumber(month, language)
  if (!day || !place) return undefined
  return {
    day: day.padStart(2, "0"),
    month: String(place).padStart(2, "0"),
    year: year?.length === 4 ? year : undefined,
  }
}

/** The only month that begins with the word: `juil` is July, `ju` is ambiguous. */
function monthNumber(word: string, language: Language): number | undefined {
  const begun = months[language].flatMap((name, at) => (word !== "" && name.startsWith(word) ? [at + 1] : []))
  return begun.length === 1 ? begun[0] : undefined
}

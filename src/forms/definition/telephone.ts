import type { Language } from "../../accounts/project.ts"

/** Stands before a number, and says of which kind it is. */
const label = /^(?:t[ée]l(?:[ée]phone)?|portable|mobile|fixe|gsm)[ .:]*(?=[+(\d])/i
const extension = /(?:poste|ext(?:ension|\.)?|x|#)[ :.]*(\d{1,6})\)?$/i
const extensionWord = { fr: "poste", en: "ext." }
const number = /^\+?[\d\s().\-/]+(?: (?:poste|ext\.) \d{1,6})?$/

/** `Tél. : (+33) 6 12 34 56 78, poste 12` → `+33 6 12 34 56 78 poste 12`. */
export function canonicalTelephone(text: string, language: Language): string {
  const bare = text.replace(/ +/g, " ").replace(label, "")
  const [found = "", digits = ""] = extension.exec(bare) ?? []
  const main = (found ? bare.slice(0, -found.length) : bare)
    .replace(/(?<![ ,;.(-])[ ,;.(-]+$/, "")
    .replace(/^\( ?\+ ?(\d{1,3}) ?\) ?/, "+$1 ")
  return found ? `${main} ${extensionWord[language]} ${digits}` : main
}

/** Without an extension, from three digits (a service) to fifteen (E.164). */
export function isTelephone(value: string): boolean {
  const [main = ""] = value.split(/[a-z]/, 1)
  return number.test(value) && /^(\D*\d){3,15}\D*$/.test(main)
}

/** `01 23 45 67 89 / 06 12 34 56 78`, `… ou …`. */
export function hasSeveralNumbers(value: string): boolean {
  const numbers = value.split(/[/,;|]| (?:ou|et|or|and) /).filter((each) => /^(?:\D*\d){6}/.test(each))
  return numbers.length > 1 || value.replace(/\D/g, "").length > 15
}

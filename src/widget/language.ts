import type { Language } from "./messages.fr.ts"

/** French, unless the script's `data-language` or else the page's `lang` says English. */
export function languageOf(script: HTMLElement | null): Language {
  const wanted = script?.dataset["language"] || document.documentElement.lang
  return /^en\b/i.test(wanted) ? "en" : "fr"
}

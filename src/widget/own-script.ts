import type { Language } from "./messages.fr.ts"

/**
 * The script's own element. Call it before anything is awaited: `document.currentScript` is gone after that.
 */
export function ownScript(name: "widget" | "form"): HTMLScriptElement | null {
  const { currentScript } = document
  return (currentScript as HTMLScriptElement | null) ?? document.querySelector(`script[src*="/${name}"]`)
}

/**
 * Address of the service that a script (`…/widget.js` or `…/widget/<hash>.js`) was loaded from, with a slash
 * at its end.
 */
export function serviceOf(script: HTMLScriptElement | null): string {
  const [address = ""] = (script?.src || location.href).split(/[?#]/)
  return address.replace(/(widget|form)(\/\w+)?\.js$/, "")
}

/** French, unless the script's `data-language` or else the page's `lang` says English. */
export function languageOf(script: HTMLElement | null): Language {
  const wanted = script?.dataset["language"] || document.documentElement.lang
  return /^en\b/i.test(wanted) ? "en" : "fr"
}

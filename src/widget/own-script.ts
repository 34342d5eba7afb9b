import { ownDocument } from "./own.ts"
import type { Language } from "./words.fr.ts"

/**
 * The element that this script runs for; undefined where it was loaded without one. Call it before anything
 * is awaited. A module has no `currentScript`: its element is the one with the address that this code came
 * from, never just one of a like name, for whose host the visitor's question would go to.
 */
export function ownScript(): HTMLScriptElement | undefined {
  const { currentScript, scripts } = ownDocument
  const stack = new Error().stack as string
  return (
    (currentScript as HTMLScriptElement | null) ??
    [...scripts].find(({ src }) => src && stack.includes(`${src}:`))
  )
}

/** That a script (`…/widget.js` or `…/widget/<hash>.js`) was loaded from, with a slash at its end. */
export function serviceAddress(script: HTMLScriptElement | undefined): string {
  const [address = ""] = (script?.src || location.href).split(/[?#]/)
  return address.replace(/(widget|form)(\/\w+)?\.js$/, "")
}

/** English for `en` and `en-GB`, French for anything else. */
export function languageOf(wanted: string | null | undefined): Language {
  return /^en\b/i.test(wanted ?? "") ? "en" : "fr"
}

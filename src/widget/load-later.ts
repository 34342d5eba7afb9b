import { element } from "./element.ts"
import { ownDocument } from "./own.ts"

/** The script that this one loads when it is needed, as it was when both were built. */
declare const LATER_HASH: string
declare const LATER_INTEGRITY: string

/**
 * Loads the other script and resolves to what it hands over; rejects once `signal` is aborted. The browser runs no
 * other than the one that was built with this one. `own` is this script's element.
 */
export function loadLater<Shared>(
  service: string,
  folder: "contact" | "offer",
  own: HTMLScriptElement | undefined,
  signal: AbortSignal,
): Promise<Shared> {
  return new Promise((resolve, reject) => {
    const script = element("script", {
      src: `${service}${folder}/${LATER_HASH}.js`,
      integrity: LATER_INTEGRITY,
      crossorigin: "",
      // A page may allow scripts by a nonce alone.
      nonce: own?.nonce ?? "",
    })
    script.addEventListener("guichet", (event) => resolve((event as CustomEvent<Shared>).detail))
    script.addEventListener("error", reject)
    signal.addEventListener("abort", reject)
    ownDocument.head.append(script)
  })
}

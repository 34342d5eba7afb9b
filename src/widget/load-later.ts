import { element } from "./element.ts"
import { ownDocument } from "./own.ts"

/** The scripts that this one loads when they are needed, as they were when all were built: hash and integrity. */
declare const LATER: Record<Folder, readonly [string, string]>

type Folder = "contact" | "related" | "offer" | "search"

/** A visitor may wait for it, beside what stands already. */
const timeoutMs = 10_000

/** Only the one built with this script runs. `own` is this script's element. Rejects once aborted. */
export function loadLater<Shared>(
  service: string,
  folder: Folder,
  own: HTMLScriptElement | undefined,
  signal = AbortSignal.timeout?.(timeoutMs),
): Promise<Shared> {
  return new Promise((resolve, reject) => {
    const [hash, integrity] = LATER[folder]
    const address = `${service}${folder}/${hash}.js`
    const script = element("script", {
      src:
        window.trustedTypes?.createPolicy("guichet", { createScriptURL: String }).createScriptURL(address) ??
        address,
      integrity,
      crossorigin: "",
      // A page may allow scripts by a nonce alone.
      nonce: own?.nonce ?? "",
    })
    script.addEventListener("guichet", (event) => resolve((event as CustomEvent<Shared>).detail))
    script.addEventListener("error", reject)
    signal?.addEventListener("abort", reject)
    ownDocument.head.append(script)
  })
}

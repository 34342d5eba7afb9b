/** The script's own element: gone from `document.currentScript` once anything is awaited. */
export function ownScript(name: "widget" | "form"): HTMLScriptElement | null {
  const { currentScript } = document
  return (currentScript as HTMLScriptElement | null) ?? document.querySelector(`script[src*="/${name}"]`)
}

/**
 * Address of the service a script was loaded from, with a slash at its end: `…/widget.js`, or
 * `…/widget/<hash>.js`.
 */
export function serviceOf(script: HTMLScriptElement | null): string {
  const [address = ""] = (script?.src || location.href).split(/[?#]/)
  return address.replace(/(widget|form)(\/\w+)?\.js$/, "")
}

import { sha256 } from "../../base/hash.ts"
import { browserScript } from "../../http/browser-script.ts" with { type: "macro" }
import { textReply } from "../../http/compress.ts"
import type { RequestContext } from "../../http/routes.ts"
import { securityHeaders } from "../../http/security.ts"
import { tokens } from "../../style/tokens.ts"

/** A file that pages load. Its address contains a hash of its contents, so that browsers may cache it forever. */
interface Asset {
  path: string
  text: string
  type: string
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${tokens.accent[0]}"/><path d="M7 21h18v4H7zM9 9a7 7 0 0 1 14 0v9h-4V9a3 3 0 0 0-6 0v9H9z" fill="#fff"/></svg>`

const assets = new Map<string, Asset>()

addAsset("console.js", browserScript("console/kit/browser/script.ts"), "text/javascript")
addAsset("passkeys.js", browserScript("console/kit/browser/passkeys.ts"), "text/javascript")
addAsset("icon.svg", icon, "image/svg+xml")

/** Serves a file by its name. Areas add theirs as they are loaded, before the routes are. */
export function addAsset(name: string, text: string, type: string): void {
  const hash = sha256(text, "hex").slice(0, 12)
  assets.set(name, { path: `/console/assets/${hash}/${name}`, text, type })
}

export function assetPath(name: string): string {
  const asset = assets.get(name)
  if (!asset) throw new Error(`no area has added ${name}`)
  return asset.path
}

/** By path. */
export function assetHandlers() {
  return [...assets.values()].map(({ path, text, type }) => {
    const headers = {
      ...securityHeaders,
      "content-type": `${type}; charset=utf-8`,
      "cache-control": "public, max-age=31536000, immutable",
    }
    return [path, ({ request }: RequestContext) => textReply(request, text, headers)] as const
  })
}

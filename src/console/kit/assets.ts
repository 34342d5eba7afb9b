import { Elysia } from "elysia"
import { sha256 } from "../../base/hash.ts"
import { browserScript } from "../../http/browser-script.ts" with { type: "macro" }
import { textReply } from "../../http/compress.ts"
import { securityHeaders } from "../../http/security.ts"
import { tokens } from "../../style/tokens.ts"
import { style } from "./style/style.ts"

/**
 * A file that the console's pages load. Its address contains a hash of its contents, so that browsers may
 * cache it forever.
 */
interface Asset {
  path: string
  text: string
  type: string
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${tokens.accent[0]}"/><path d="M7 21h18v4H7zM9 9a7 7 0 0 1 14 0v9h-4V9a3 3 0 0 0-6 0v9H9z" fill="#fff"/></svg>`

export const assets = {
  style: asset("style.css", style, "text/css"),
  script: asset("console.js", browserScript("console/kit/browser/script.ts"), "text/javascript"),
  builderScript: asset("builder.js", browserScript("console/forms/builder/script.ts"), "text/javascript"),
  icon: asset("icon.svg", icon, "image/svg+xml"),
}

export function assetRoutes() {
  const routes = new Elysia({ name: "console-assets" })
  for (const { path, text, type } of Object.values(assets)) {
    const headers = {
      ...securityHeaders,
      "content-type": `${type}; charset=utf-8`,
      "cache-control": "public, max-age=31536000, immutable",
    }
    routes.get(path, ({ request }) => textReply(request, text, headers))
  }
  return routes
}

function asset(name: string, text: string, type: string): Asset {
  const hash = sha256(text, "hex").slice(0, 12)
  return { path: `/console/assets/${hash}/${name}`, text, type }
}

import { cors } from "@elysiajs/cors"
import { Elysia } from "elysia"

/** Whose replies pages of other sites may read, errors included. The routes ignore a final slash. */
const openPaths =
  /^\/(api\/v1\/(ask|search|answers\/[^/]+\/(feedback|opened|related)|projects\/[^/]+\/(widget|contact(\/(answer|solved))?))|mcp\/[^/]+|f\/[^/]+(\/(start|answer|solved))?)\/?$/
const preflightSeconds = 24 * 60 * 60
/** Longest list of header names that is read, and the names that are allowed by it. */
const maxNamesLength = 2000
const nameRule = /^[\w!#$%&'+.^`|~-]{1,100}$/

/**
 * Lets any page read the replies of the visitors' routes, without credentials. This is not an access rule:
 * the routes compare origins themselves, and an undeclared origin must be able to read why it was refused.
 */
export function openToPages() {
  return new Elysia({ name: "open-to-pages" })
    .onRequest(({ request, set }) => {
      if (!isOpenToPages(request)) return
      if (request.method === "OPTIONS") set.headers["access-control-allow-headers"] = namesWanted(request)
      // Allowing `null` by name would name every page without an origin.
      if (isNull(request)) set.headers["access-control-allow-origin"] = "*"
    })
    .use(
      cors({
        origin: (request) => isOpenToPages(request) && !isNull(request),
        credentials: false,
        methods: ["POST"],
        allowedHeaders: "content-type",
        exposeHeaders: ["retry-after", "x-request-id"],
        maxAge: preflightSeconds,
      }),
    )
}

/** Whether a request is one that pages of other sites make for their visitors. */
export function isOpenToPages(request: Request): boolean {
  return openPaths.test(pathname(request))
}

/** Scripts of a page add their own to every request: tracing, interceptors. */
function namesWanted({ headers }: Request): string {
  const wanted = (headers.get("access-control-request-headers") ?? "").slice(0, maxNamesLength).toLowerCase()
  const names = wanted.split(",").map((name) => name.trim())
  return [...new Set(["content-type", ...names.filter((name) => nameRule.test(name))])].join(", ")
}

function isNull({ headers }: Request): boolean {
  return headers.get("origin") === "null"
}

/** Empty when the URL is invalid, as in a CONNECT request, which names only a host and a port. */
function pathname({ url }: Request): string {
  return URL.parse(url)?.pathname ?? ""
}

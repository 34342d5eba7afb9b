import { cors } from "@elysiajs/cors"

/**
 * Paths that pages of other sites may request, and whose replies they may read, errors included. The routes
 * ignore a final slash.
 */
const openPaths =
  /^\/(api\/v1\/(ask|answers\/[^/]+\/(feedback|related)|projects\/[^/]+\/(widget|contact(\/(answer|solved))?))|f\/[^/]+(\/(answer|solved))?)\/?$/
const preflightSeconds = 24 * 60 * 60

/**
 * Lets any page read the replies of the visitors' routes, without credentials. This is not an access rule:
 * the routes compare origins themselves, and an undeclared origin must be able to read why it was refused.
 */
export function openToPages() {
  return cors({
    origin: (request) => openPaths.test(pathOf(request)),
    credentials: false,
    methods: ["POST"],
    allowedHeaders: ["content-type"],
    exposeHeaders: ["retry-after", "x-request-id"],
    maxAge: preflightSeconds,
  })
}

/** Empty when the URL is invalid, as in a CONNECT request, which names only a host and a port. */
function pathOf({ url }: Request): string {
  return URL.parse(url)?.pathname ?? ""
}

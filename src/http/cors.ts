import { cors } from "@elysiajs/cors"

/**
 * Where pages of other sites may send requests and read the replies, errors included; a slash at the end is
 * none to the routes.
 */
const openPaths = /^\/(api\/v1\/(ask|answers\/[^/]+\/feedback)|f\/[^/]+)\/?$/
const preflightSeconds = 24 * 60 * 60

/**
 * Lets any page read what the visitors' routes answer, never with credentials. This is no access rule: an
 * origin that is not declared must be able to read why it was refused. The routes themselves compare origins.
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

/** A CONNECT names a host and a port, which may be no URL. */
function pathOf({ url }: Request): string {
  return URL.parse(url)?.pathname ?? ""
}

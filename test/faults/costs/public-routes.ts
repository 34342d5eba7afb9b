import type { PublicSite } from "./public-site.ts"

/**
 * The routes that answer a stranger, by the service's own route table: every other one asks for a token, or leads to
 * the page to sign in.
 */
export async function publicRoutes({ url, routes }: PublicSite): Promise<string[]> {
  const answers = await Promise.all(routes.map((route) => answersStrangers(url, route)))
  return routes.filter((_, at) => answers[at])
}

async function answersStrangers(url: string, route: string): Promise<boolean> {
  const [method = "", path = ""] = route.split(" ")
  if (path.startsWith("/console/sign-in")) return true
  const body = method === "POST" ? new URLSearchParams() : null
  const address = url + path.replace(/:\w+|\*/g, "x")
  const reply = await fetch(address, { method, body, headers: { origin: url }, redirect: "manual" })
  await reply.body?.cancel()
  const isSentToSignIn = /^\/console\/sign-in($|\?next=)/.test(reply.headers.get("location") ?? "")
  return reply.status !== 401 && !isSentToSignIn
}

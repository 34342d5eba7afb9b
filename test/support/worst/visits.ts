import { csrfField } from "../../../src/console/kit/session/csrf.ts"
import type { ConsoleClient } from "../operator.ts"
import type { World } from "../world.ts"
import { apiAddresses } from "./api-addresses.ts"
import { consoleAddresses, furtherAddresses } from "./console-addresses.ts"
import { type WorstIds, writer } from "./ids.ts"

/** One list, search, filter, page or export. */
export interface Visit {
  /** The route, and what was asked beside it. */
  name: string
  /** Reads the whole reply. */
  go(): Promise<Visited>
}

export interface Visited {
  status: number
  bytes: ArrayBuffer
}

/** Lists of many things have as many links, and choices of many forms as many options. */
const mostOfShape = 6
/** Longer replies are files. */
const longestPage = 3_000_000

/** Goes to everything that the two faces show of a workspace; `watch` carries each visit out. */
export async function everyVisit(
  world: World,
  of: WorstIds,
  owner: ConsoleClient,
  watch: (visit: Visit) => Promise<Visited>,
): Promise<void> {
  const visit = async (name: string, path: string, init: RequestInit) => {
    const { status, bytes } = await watch({ name, go: () => read(`${world.url}${path}`, init) })
    return status === 200 && bytes.byteLength < longestPage ? new TextDecoder().decode(bytes) : ""
  }
  const headers = { authorization: `Bearer ${world.token}` }
  for (const { name, path } of await apiAddresses(world, of)) {
    const text = await visit(`API ${name}`, path, { headers })
    const [, cursor] = /"next_cursor":"(\w+)"/.exec(text) ?? []
    if (cursor) await visit(`API ${name}, further`, `${path}&cursor=${cursor}`, { headers })
  }
  const asked = JSON.stringify({ email: writer })
  await visit("API POST /exports", "/api/v1/exports", { method: "POST", headers, body: asked })
  await everyPage(world, of, owner, visit)
}

async function everyPage(
  world: World,
  of: WorstIds,
  owner: ConsoleClient,
  visit: (name: string, path: string, init: RequestInit) => Promise<string>,
): Promise<void> {
  const headers = { cookie: `${owner.cookie}; ${owner.browserCookie}` }
  const visited = new Map<string, number>()
  /** Counts one more. */
  const times = (key: string) => {
    visited.set(key, (visited.get(key) ?? 0) + 1)
    return visited.get(key) as number
  }
  let token = ""
  for (const { name, path } of consoleAddresses(world, of)) {
    const html = await visit(`console ${name}`, path, { headers })
    token = new RegExp(`name="${csrfField}" value="([^"]+)"`).exec(html)?.[1] ?? token
    for (const further of furtherAddresses(path, html)) {
      const { pathname, searchParams } = new URL(further, world.url)
      const shape = `${pathname.replace(/[^/]*(\d|worst)[^/]*/g, ":id")}?${[...searchParams.keys()]}`
      if (times(further) === 1 && times(shape) <= mostOfShape)
        await visit(`console ${name} → ${further.slice(0, 120)}`, further, { headers })
    }
  }
  for (const path of ["/console/persons", "/console/persons/export"]) {
    const body = new URLSearchParams({ email: writer, [csrfField]: token })
    await visit(`console POST ${path}`, path, {
      method: "POST",
      headers: { ...headers, origin: world.url },
      body,
    })
  }
}

async function read(url: string, init: RequestInit): Promise<Visited> {
  const reply = await fetch(url, { redirect: "manual", ...init })
  return { status: reply.status, bytes: await reply.arrayBuffer() }
}

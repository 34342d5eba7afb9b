import type { World } from "../world.ts"
import type { Address } from "./api-addresses.ts"
import type { WorstIds } from "./ids.ts"
import { sought } from "./texts.ts"

/** Pages that show nothing stored in a workspace. */
const without = /^\/console\/(assets\/.*|sign-in|login|(?:setup|invitations|password-reset)\/:link|\*)$/

/** Every page and file of the console, of each thing that is worst in some way. */
export function consoleAddresses({ routes, ids }: World, of: WorstIds): Address[] {
  const last = (all: readonly string[]) => all.at(-1) as string
  const known: Record<string, string[]> = {
    project: [of.project, of.projects[0] as string],
    answer: [last(of.questions), of.questions[0] as string],
    chosen: [last(of.chosens), ids["chosen-answers"] as string],
    form: [of.form, last(of.forms)],
    response: [last(of.responses)],
    endpoint: [of.endpoint, of.endpoints[0] as string],
    delivery: [last(of.deliveries)],
    page: [last(of.pages)],
    feed: [of.feed],
    file: ["file_none"],
    typed: ["e30"],
    operator: [last(of.operators)],
    session: ["none"],
    id: [of.project],
  }
  return routes.flatMap((route) => {
    const [method, pattern = ""] = route.split(" ")
    if (method !== "GET" || !/^\/console(\/|$)/.test(pattern) || without.test(pattern)) return []
    const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name = ""]) => name)
    return filled(pattern, names, known).map((path) => ({ name: `GET ${pattern}`, path }))
  })
}

/** The last of the parameters stands for each thing of its kind, those before it for the first one. */
function filled(pattern: string, names: readonly string[], known: Record<string, string[]>): string[] {
  const [name, ...others] = names
  if (name === undefined) return [pattern]
  const ids = known[name]
  if (!ids) throw new Error(`console-addresses.ts knows no :${name} of ${pattern}`)
  const wanted = others.length === 0 ? ids : ids.slice(0, 1)
  return wanted.flatMap((id) => filled(pattern.replace(`:${name}`, id), others, known))
}

/** Where a page leads to with a query, and its filters filled in: searches, further pages and exports. */
export function furtherAddresses(path: string, html: string): string[] {
  const links = [...html.matchAll(/href="([^"#?]*\?[^"#]*)/g)].map(([, link = ""]) =>
    link.replaceAll("&amp;", "&"),
  )
  const filters = [...html.matchAll(/<form[^>]*method="get"[^>]*>.*?<\/form>/gs)].flatMap(([form]) =>
    filterAddresses(path, form),
  )
  return [...links, ...filters]
    .map((link) => (link.startsWith("?") ? `${path.split("?")[0]}${link}` : link))
    .filter((link) => link.startsWith("/console"))
}

/** One for each field, and each option of a choice. */
function filterAddresses(path: string, form: string): string[] {
  const [opening = ""] = /^<form[^>]*>/.exec(form) ?? []
  const action = (attribute(opening, "action") || path).split(/[?#]/)[0]
  const inputs = [...form.matchAll(/<input[^>]*>/g)].map(([tag]) => ({
    name: attribute(tag, "name"),
    type: attribute(tag, "type"),
    value: attribute(tag, "value"),
  }))
  const hidden = inputs.filter(({ type }) => type === "hidden")
  const typed = inputs
    .filter(({ type, name }) => type !== "hidden" && type !== "submit" && name !== "")
    .map(({ name, type, value }) => {
      const isBox = type === "checkbox" || type === "radio"
      return [name, isBox ? value : type === "date" ? "2020-01-01" : sought]
    })
  const chosen = [...form.matchAll(/<select[^>]*>.*?<\/select>/gs)].flatMap(([select]) =>
    [...select.matchAll(/<option[^>]*>/g)].map(([tag]) => [
      attribute(select, "name"),
      attribute(tag, "value"),
    ]),
  )
  const fixed = hidden.map(({ name, value }) => [name, value])
  return [...typed, ...chosen].map((one) => `${action}?${new URLSearchParams([...fixed, one])}`)
}

function attribute(tag: string, name: string): string {
  return (new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1] ?? "").replaceAll("&amp;", "&")
}

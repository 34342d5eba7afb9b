import { readdirSync, statSync } from "node:fs"
import { join, relative } from "node:path"
import { parseArgs } from "node:util"
import { type ChildNode, isTag } from "domhandler"
import { parseDom, textContent } from "../../src/reading/formats/html/dom.ts"
import { feedKinds } from "../../src/reading/kinds/table.ts"
import { inEnglish } from "../../src/wording/english.ts"
import { folderReadings } from "../support/feed.ts"

/**
 * Compares the addresses that Guichet gives to the pages and headings of documentations with those on the site that
 * the generator itself has built from the same folder. Prints for each the share of pages whose address is a built
 * page, of sections whose anchor is an id on that page, and the built pages that no file was read for.
 *
 *   bun test/bench/addresses.ts FOLDER=BUILT[@BASE] … [--list]
 *
 * BUILT is the folder of the finished site; BASE the address path of FOLDER there, such as `/docs`. `--list` prints
 * what differs.
 */
const { values, positionals } = parseArgs({
  options: { list: { type: "boolean", default: false } },
  allowPositionals: true,
})

const site = "https://docs.example"
for (const given of positionals) {
  const [, folder = "", built = "", base = ""] = /^([^=]+)=([^@]+)(?:@(.*))?$/.exec(given) ?? []
  process.stdout.write(`${await compared(folder, built, base)}\n`)
}

async function compared(folder: string, built: string, base: string): Promise<string> {
  const feed = { id: "f", projectId: "p", kind: "dir", address: folder, baseUrl: site + base } as const
  const pages = builtPages(built)
  const reached = new Set<string>()
  const wrong: string[] = []
  const count = { pages: 0, rightPages: 0, anchors: 0, rightAnchors: 0, links: 0, rightLinks: 0 }
  const read = await folderReadings({ ...feed, urlStyle: "auto" })
  for await (const reading of read) {
    if (reading.outcome === "failed") wrong.push(`failed  ${reading.page}: ${inEnglish(reading.detail)}`)
    if (reading.outcome !== "read") continue
    const { url, sections } = reading.document
    const file = pages.get(plain(url.slice(site.length)))
    count.pages += 1
    if (file) count.rightPages += 1
    else wrong.push(`page    ${reading.page}: ${url.slice(site.length)}`)
    reached.add(file ?? "")
    const { ids, titles } = idsOf(file ? await Bun.file(file).text() : "")
    for (const { anchor, headings } of sections) {
      if (headings.length === 0) continue
      // A heading to which the generator gives no id is rightly without an anchor.
      if (anchor === null && file && !titles.has(plainTitle(headings.at(-1) ?? ""))) continue
      count.anchors += 1
      if (anchor !== null && ids.has(anchor)) count.rightAnchors += 1
      else if (file) wrong.push(`anchor  ${reading.page}: #${anchor} (${headings.at(-1)})`)
    }
    for (const [, link = ""] of sections.flatMap(({ markdown }) => [
      ...markdown.matchAll(/\]\((https:\/\/docs\.example[^()\s#?]*)/g),
    ])) {
      count.links += 1
      if (
        pages.has(plain(link.slice(site.length))) ||
        isFile(join(built, decodeURI(link.slice(site.length))))
      )
        count.rightLinks += 1
      else wrong.push(`link    ${reading.page}: ${link.slice(site.length)}`)
    }
  }
  const unread = [...new Set(pages.values())].filter((file) => !reached.has(file))
  if (values.list) {
    for (const line of wrong) process.stdout.write(`${line}\n`)
    for (const file of unread) process.stdout.write(`unread  ${relative(built, file)}\n`)
  }
  const share = (right: number, all: number) =>
    `${all === 0 ? 0 : ((100 * right) / all).toFixed(1)} % of ${all}`
  return [
    `${folder} (${(await feedKinds.dir.generatorOf?.({ ...feed, urlStyle: "auto" })) ?? "no generator"})`,
    `pages ${share(count.rightPages, count.pages)}`,
    `anchors ${share(count.rightAnchors, count.anchors)}`,
    `links ${share(count.rightLinks, count.links)}`,
    `built but not read ${unread.length}`,
  ].join(" · ")
}

/** The built pages by the paths at which they can be asked for; one is at the path that a server sends visitors to. */
function builtPages(built: string): Map<string, string> {
  const pages = new Map<string, string>()
  for (const name of readdirSync(built, { recursive: true, encoding: "utf8" })) {
    if (!/\.html?$/.test(name) || !isFile(join(built, name))) continue
    const path = `/${name}`
    pages.set(path, join(built, name))
    if (path.endsWith("/index.html")) pages.set(path.slice(0, -"index.html".length), join(built, name))
    else if (path.endsWith(".html")) pages.set(path.slice(0, -".html".length), join(built, name))
  }
  // A folder's page is also found without the final slash where nothing else is there.
  for (const [path, file] of [...pages])
    if (path.endsWith("/") && path !== "/" && !pages.has(path.slice(0, -1)))
      pages.set(path.slice(0, -1), file)
  return pages
}

function plain(path: string): string {
  try {
    return decodeURI(path) || "/"
  } catch {
    return path
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

/** The ids of a page, and the titles of its headings that have one. */
function idsOf(html: string): { ids: Set<string>; titles: Set<string> } {
  const [ids, titles] = [new Set<string>(), new Set<string>()]
  const visit = (nodes: ChildNode[]) => {
    for (const node of nodes) {
      if (!isTag(node)) continue
      for (const name of ["id", "name"]) if (node.attribs[name]) ids.add(node.attribs[name])
      if (/^h[1-6]$/.test(node.name) && node.attribs["id"]) titles.add(plainTitle(textContent(node.children)))
      visit(node.children)
    }
  }
  const nodes = parseDom(html, { selfClosing: false })
  if (!("leftOut" in nodes)) visit(nodes)
  return { ids, titles }
}

function plainTitle(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase()
}

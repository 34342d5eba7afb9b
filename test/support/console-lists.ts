import type { ConsoleClient } from "./operator.ts"

/** Every page of a list, from the first one on, by its links. */
export async function pagesOfList(client: ConsoleClient, path: string): Promise<string[]> {
  const pages: string[] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, text } = await client.get(next)
    if (status !== 200) throw new Error(`${next}: ${status}`)
    pages.push(text)
    const [, link] = /href="([^"#]+)[^"]*">Page suivante</.exec(text) ?? []
    next = link?.replaceAll("&amp;", "&")
  }
  return pages
}

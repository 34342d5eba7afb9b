import { existsSync } from "node:fs"
import { join } from "node:path"
import { type FileLinks, fileOfLink } from "../../documents/markdown/file-links.ts"

/** Links to other files that are followed from one page; the rest lead where a browser would go. */
const maxLinks = 2000

/** The addresses of the pages of the folder that a page's text links to as files, by their paths without extension. */
export async function filesLinkedFrom(
  text: string,
  path: string,
  addressOf: (page: string) => Promise<string | undefined>,
  folder: string,
): Promise<FileLinks> {
  const links: FileLinks = {}
  let left = maxLinks
  for (const [, found = ""] of text.matchAll(
    /(?:\]\(|\]:[ \t]*|href=["'])<?([^\s()<>"'[\]]*\.(?:mdx?|markdown))/gi,
  )) {
    const target = fileOfLink(found, path)
    if (target === undefined || target in links || --left < 0) continue
    const file = [".md", ".mdx", ".markdown"]
      .map((end) => target + end)
      .find((file) => existsSync(join(folder, file)))
    const url = file === undefined ? undefined : await addressOf(file)
    if (url !== undefined) links[target] = url
  }
  return links
}

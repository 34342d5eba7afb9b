import { decodedUri } from "../../../base/text.ts"
import { linkTarget } from "../link.ts"

/** The addresses of other pages of the folder, by the paths of their files without extension. */
export type FileLinks = Record<string, string>

/** Where a page stands in its folder and on its site. */
export interface PagePlace {
  path: string
  url: string
  /** Absent for a page of a site: there, a Markdown file is taken to stand beside its page. */
  links?: FileLinks | undefined
}

/**
 * The address that a link in a Markdown file leads to on the site. Generators turn links to other files of the
 * folder into links to their pages: `../guide/install.md#linux` → `/guide/install#linux`. Any other link is
 * resolved from the page's address, as a browser does.
 */
export function markdownLinkTarget(href: string, { path, url, links }: PagePlace): string | undefined {
  const [, file, rest = ""] = markdownFile.exec(href.trim()) ?? []
  if (file === undefined) return linkTarget(href, url)
  if (links === undefined) return linkTarget(file + rest, url)
  const target = pathFrom(path, decodedUri(file))
  const page = target === undefined ? undefined : links[target]
  return page && linkTarget(page + rest, url)
}

/** The file, without extension, that a link in the file `from` names; undefined outside the folder and for others. */
export function fileOfLink(href: string, from: string): string | undefined {
  const file = markdownFile.exec(href)?.[1]
  return file === undefined ? undefined : pathFrom(from, decodedUri(file))
}

/** A relative link to a Markdown file, then its query and fragment. */
const markdownFile = /^(?![a-z][a-z\d+.-]*:|\/\/)([^?#]*)\.(?:mdx?|markdown)((?:[?#].*)?)$/i

/** The path in the folder that a link in the file `from` names; undefined outside the folder. */
function pathFrom(from: string, link: string): string | undefined {
  const names = link.startsWith("/") ? [] : from.split("/").slice(0, -1)
  for (const name of link.split("/")) {
    if (name === "..") {
      if (names.pop() === undefined) return undefined
    } else if (name !== "." && name !== "") names.push(name)
  }
  return names.length === 0 ? undefined : names.join("/")
}

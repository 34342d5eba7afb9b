import { linkTarget } from "../link.ts"
import { fileUrl, type PagePlace, type UrlStyle } from "./page-url.ts"

/** A page file, and how the files of its folder become pages. */
export interface LinkingPage extends PagePlace {
  /** Absent for a page of a site: there, a Markdown file is taken to stand beside its page. */
  urlStyle?: UrlStyle
}

/**
 * The address that a link in a Markdown file leads to on the site. Generators turn links to other files of the
 * folder into links to their pages: `../guide/install.md#linux` → `/guide/install#linux`. Any other link is
 * resolved from the page's address, as a browser does.
 */
export function markdownLinkTarget(
  href: string,
  { path, url, baseUrl, urlStyle, generator }: LinkingPage,
): string | undefined {
  const [, file, rest = ""] = markdownFile.exec(href.trim()) ?? []
  if (file === undefined) return linkTarget(href, url)
  if (baseUrl === undefined || urlStyle === undefined) return linkTarget(file + rest, url)
  const target = pathFrom(path, decoded(file))
  return target && linkTarget(fileUrl(target, baseUrl, urlStyle, generator) + rest, url)
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

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

import { element } from "../element.ts"

/** A page that was found, as the service describes it. */
export interface FoundPage {
  title: MarkedText
  url: string
  sections: { title: MarkedText; url: string; excerpt: MarkedText | null }[]
}

interface MarkedText {
  text: string
  marks: { from: number; to: number }[]
}

/** A group for each page: the page itself, then its sections. */
export function pageOptions(pages: readonly FoundPage[]): HTMLElement[] {
  return pages.map(({ title, url, sections }) => {
    const options = sections.map((section) => {
      const option = pageOption(section.title, section.url)
      if (section.excerpt) option.append(marked("span", section.excerpt, { class: "lines" }))
      return option
    })
    return element("div", { role: "group", "aria-label": title.text }, pageOption(title, url), ...options)
  })
}

/** A link, so that it opens in a new tab as links do. Keys never reach it: the field has the focus. */
function pageOption(title: MarkedText, url: string): HTMLElement {
  // The service reads pages of http and https alone.
  const href = /^https?:\/\//i.test(url) ? url : ""
  return element("a", { role: "option", href, tabindex: "-1" }, marked("bdi", title))
}

function marked(name: "bdi" | "span", { text, marks }: MarkedText, attributes: Record<string, string> = {}) {
  const place = element(name, attributes)
  let at = 0
  for (const { from, to } of marks) {
    place.append(text.slice(at, from), element("mark", {}, text.slice(from, to)))
    at = to
  }
  place.append(text.slice(at))
  return place
}

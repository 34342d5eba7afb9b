import { textContent } from "../../formats/html/dom.ts"
import { type AnchorStyle, pictureText, withDashes } from "../../formats/markdown/anchors.ts"
import type { Anchors } from "../kit/generator.ts"
import { withoutMarks } from "../kit/slugs.ts"

const address = /^(?:https?:\/\/\S+|www\.\S+|[\w.+-]+@[\w.-]+[!),:;?]*)$/

/** Dashes count as they are set, and descriptions of pictures, but no address that is its own link. */
const text: Omit<AnchorStyle, "slug"> = {
  typography: (words) => withDashes(words.replace(/\S+/g, (word) => (address.test(word) ? "" : word))),
  elementText(element) {
    const isLink = element.name === "a"
    const isAddress =
      isLink && element.attribs["href"]?.replace(/^mailto:/, "") === textContent(element.children)
    return isAddress ? "" : pictureText(element)
  },
}

export const hugoAnchors: Anchors = {
  // Accents stay, no-break spaces go: créer-lété.
  usual: { ...text, slug: slugified },
  ascii: { ...text, slug: (words) => slugified(withoutMarks(words).replace(/[^\0-\x7f]/g, "")) },
  // Accents stay, all else becomes a hyphen: créer-l-été.
  blackfriday: {
    ...text,
    slug: (words) => orHeading(words, words.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "")),
  },
}

function slugified(words: string): string {
  return orHeading(words, words.replace(/[^\p{L}\p{Nd}_\- ]/gu, "").replaceAll(" ", "-"))
}

/** A heading without letters is `heading`, and one of an address alone has no anchor. */
function orHeading(words: string, slug: string): string {
  return words === "" ? "" : slug.toLowerCase() || "heading"
}

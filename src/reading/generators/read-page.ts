import type { Document, LeftOut } from "../formats/document.ts"
import { type MarkdownPage, readMarkdown } from "../formats/markdown/read-markdown.ts"
import type { Generator } from "./names.ts"
import { siteGenerators } from "./table.ts"

/** A page of Markdown as the parsing process gets it: its generator and the site's anchors are names. */
export interface GeneratorPage extends Omit<MarkdownPage, "dialect" | "anchors"> {
  /** Undefined: what most generators have in common is understood. */
  generator?: Generator | undefined
  /** The anchors that the site's settings ask for, by their name in the generator's `anchors`. */
  anchors?: string | undefined
}

/** Reads a page of Markdown as its generator shows it. Never throws. */
export function readGeneratorPage(text: string, page: GeneratorPage): Document | LeftOut {
  const { generator, anchors: siteAnchors = "usual", ...place } = page
  if (generator === undefined) return readMarkdown(text, place)
  const { dialect, anchors, pageAnchors } = siteGenerators[generator]
  return readMarkdown(text, {
    ...place,
    dialect,
    anchors: (frontMatter) => anchors[pageAnchors?.(frontMatter) ?? siteAnchors] ?? anchors.usual,
  })
}

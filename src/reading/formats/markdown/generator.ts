import type { AnchorStyle } from "./anchors.ts"

/** A site generator whose markup is known; `feeds/folder/generators` says how it makes pages of files. */
interface GeneratorMarkup {
  /** Its name for people. */
  name: string
  /** Anchors of headings, unless the site's settings ask for others. */
  anchors: AnchorStyle
  /** On pages with a table of contents by the generator's plugin. */
  anchorsWithToc?: AnchorStyle
  /** It replaces `{{ name }}` in the text. For the others that is text: "Hello {{ name }}". */
  fillsVariables?: true
}

const markups = {
  gitbook: { name: "GitBook", anchors: "gitbook" },
  // AnchorJS makes its anchors, or the plugin Page TOC.
  grav: { name: "Grav", anchors: "grav", anchorsWithToc: "grav-toc", fillsVariables: true },
  docusaurus: { name: "Docusaurus", anchors: "github" },
  vitepress: { name: "VitePress", anchors: "vitepress", fillsVariables: true },
  mkdocs: { name: "MkDocs", anchors: "mkdocs", fillsVariables: true },
  jekyll: { name: "Jekyll", anchors: "kramdown" },
  hugo: { name: "Hugo", anchors: "hugo" },
  eleventy: { name: "Eleventy", anchors: "github" },
  starlight: { name: "Starlight", anchors: "github" },
  mdbook: { name: "mdBook", anchors: "mdbook" },
  sphinx: { name: "Sphinx", anchors: "sphinx" },
  nuxt: { name: "Nuxt Content", anchors: "nuxt" },
} satisfies Record<string, GeneratorMarkup>

export type Generator = keyof typeof markups
export const generators: Record<Generator, GeneratorMarkup> = markups
export const generatorNames = Object.keys(markups) as Generator[]

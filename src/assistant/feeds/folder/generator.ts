import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import type { AnchorStyle } from "../../documents/markdown/anchors.ts"

/** What of a documentation depends on the program that builds its pages. */
export interface Generator {
  anchors: AnchorStyle
  /** `02-install.md` is at `/install`. */
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

/** Known by its settings, which stand in the folder of the pages or just above; GitHub's ways otherwise. */
export function generatorOf(folder: string): Generator {
  const found = known.find(({ files }) =>
    files.some((file) => existsSync(join(folder, file)) || existsSync(join(dirname(folder), file))),
  )
  return found?.generator ?? { anchors: "github", dropsNumbers: false }
}

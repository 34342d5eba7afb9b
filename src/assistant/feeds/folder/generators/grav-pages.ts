import { pageFiles } from "../files.ts"
import { readText } from "../text.ts"

/** Files that are looked through for what only Grav writes. */
const maxFiles = 100

/** Whether the folder holds pages of a Grav site: folders like `01.guide` with its headers. */
export async function hasGravPages(folder: string): Promise<boolean> {
  let files = 0
  for await (const file of pageFiles(folder, [".md"])) {
    if (++files > maxFiles) return false
    if (!("path" in file) || !/(?:^|\/)\d+\.[^/]+\/[^/]+$/.test(file.path)) continue
    const text = await readText(file.file, folder).catch(() => "")
    if (typeof text === "string" && hasGravHeader(text)) return true
  }
  return false
}

function hasGravHeader(text: string): boolean {
  if (!text.startsWith("---")) return false
  const header = text.slice(3, 4096).split(/^---/m, 1)[0] as string
  return /^(?:routes|taxonomy|template|process|media_order|twig_first|page-toc):/m.test(header)
}

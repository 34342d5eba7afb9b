/** `[text](address)` → `[text]`: readers see the text, and so does the index. */
export function withoutLinkTargets(markdown: string): string {
  return markdown.replace(/\]\([^()\s]*\)/g, "]")
}

/** Paragraphs, lists and code blocks, as they stand: split at empty lines outside code fences. */
export function blocksOf(markdown: string): string[] {
  const blocks: string[] = []
  let block: string[] = []
  let fence: string | undefined
  for (const line of [...markdown.split("\n"), ""]) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark && fence === undefined) fence = mark
    else if (mark && fence !== undefined && mark.startsWith(fence)) fence = undefined
    if (line.trim() !== "" || fence !== undefined) block.push(line)
    else if (block.length > 0) {
      blocks.push(block.join("\n"))
      block = []
    }
  }
  if (block.length > 0) blocks.push(block.join("\n"))
  return blocks
}

/** `[text](address)` → `[text]`: readers see the text, and so does the index. */
export function withoutLinkTargets(markdown: string): string {
  return markdown.replace(/\]\([^()\s]*\)/g, "]")
}

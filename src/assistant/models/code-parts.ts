/** Text and code in turn, beginning with text: code is a closed fence or a closed span. undefined when a fence is left open. */
export function codeParts(markdown: string): { text: string; isCode: boolean }[] | undefined {
  const parts = markdown.split(code).map((text, at) => ({ text, isCode: at % 2 === 1 }))
  const isOpen = parts.some(({ text, isCode }) => !isCode && /^\s*(?:```|~~~)/m.test(text))
  return isOpen ? undefined : parts
}

/** As one group, so that `split` keeps it. */
const code = /((?<=^|\n)```[^\n`]*\n[\s\S]*?\n```(?=\s*(?:\n|$))|(?<!`)`[^`\n]+`(?!`)|(?<!`)``[^\n]+?``(?!`))/

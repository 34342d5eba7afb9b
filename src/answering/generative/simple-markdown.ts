import { codeParts } from "./code-parts.ts"

const maxCharacters = 2000

/**
 * Reduces what a model wrote to the Markdown of answers: paragraphs, list items, emphasis, code. Links become
 * their text, images are removed, and HTML becomes code. undefined when no text is left, when a fence is open,
 * and for tables and reference definitions.
 */
export function simpleMarkdown(written: string): string | undefined {
  if (written.length > maxCharacters) return undefined
  const text = written.toWellFormed().replace(/\r\n?/g, "\n").replace(invisible, "").trim()
  const parts = codeParts(text)
  if (!parts || /^ {0,3}(?:\||\[(?:[^[\]\\]|\\[\s\S])*\]:|:?-+:? *\|[ :|-]*$)/m.test(text)) return undefined
  const simple = parts.map(({ text, isCode }) => (isCode ? simpleCode(text) : simpleText(text))).join("")
  const trimmed = withBalancedEmphasis(simple).trim()
  return /[\p{L}\p{N}]/u.test(trimmed) ? trimmed : undefined
}

/** Control characters, and characters that hide text or change its direction. */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|[\ufe00-\ufe0f]|\u034f/gu

/** Reduces the info string of a fence to one word. */
function simpleCode(code: string): string {
  return code.replace(/^```[^\n]*\n/, (line) => `\`\`\`${/^```\s*([\w+#-]{1,20})/.exec(line)?.[1] ?? ""}\n`)
}

function simpleText(text: string): string {
  const plain = withoutLinks(text.replaceAll("`", ""))
    // Source numbers that the model writes itself. Our own markers are added later.
    .replace(/ ?\[\d{1,2}(?:, ?\d{1,2})*\]/g, "")
    .replace(/ ?【\d[^【】\n]{0,20}】/g, "")
    .replace(/<!--[\s\S]*?(?:-->|$)/g, "")
    .replace(/^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?)+/gm, "")
    .replace(/^[ \t]*(?:=+|-{2,}|\*{3,}|_{3,})[ \t]*$/gm, "")
    // Four spaces would make a code block.
    .replace(/^ {4,}|^\t+/gm, "  ")
    // A bracket must not form a link or footnote with the markers that follow it.
    .replace(/\](?=[([:])/g, "] ")
    .replace(/(?<=^|[\]\n])[^\]\n]+(?=\n|$)/g, (unclosed) => unclosed.replaceAll("[^", ""))
  return plain
    .replace(/<\/?[a-z][^<>\n]*>|<(?=[a-z/!?])/gi, (tag) => (tag === "<" ? "\\<" : `\`${tag}\``))
    .replace(/(?<!\\)\\+$/, "")
}

/**
 * Repeats until nothing changes, because removing a link may leave another one around it. Texts of
 * `maxCharacters` nest at most some hundred times.
 */
function withoutLinks(text: string): string {
  const without = withoutImages(text).replace(
    /(?<!!)\[([^[\]]*)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\]^]*\])/g,
    "$1",
  )
  return without === text ? text : withoutLinks(without)
}

/** Removes everything from `![` to the next `]`, and the target that follows. */
function withoutImages(text: string): string {
  let kept = ""
  let at = 0
  for (;;) {
    const from = text.indexOf("![", at)
    const to = from === -1 ? -1 : text.indexOf("]", from)
    if (to === -1) return kept + text.slice(at)
    kept += text.slice(at, from)
    imageTarget.lastIndex = to + 1
    at = imageTarget.test(text) ? imageTarget.lastIndex : to + 1
  }
}

const imageTarget = /\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\]]*\]/y

/** Removes all `**` when their number is odd: an open one would reach into the next sentence. */
function withBalancedEmphasis(markdown: string): string {
  const parts = codeParts(markdown) ?? []
  const count = parts.reduce(
    (sum, { text, isCode }) => sum + (isCode ? 0 : (text.match(/\*\*/g)?.length ?? 0)),
    0,
  )
  if (count % 2 === 0) return markdown
  return parts.map(({ text, isCode }) => (isCode ? text : text.replaceAll("**", ""))).join("")
}

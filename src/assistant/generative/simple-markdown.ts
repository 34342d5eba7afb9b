import { codeParts } from "./code-parts.ts"

const maxCharacters = 2000

/**
 * What a model wrote as the Markdown that answers consist of: paragraphs, list items, emphasis, code. Links
 * become their text, images go, HTML becomes code to be read. undefined when nothing sound is left.
 */
export function simpleMarkdown(written: string): string | undefined {
  if (written.length > maxCharacters) return undefined
  const text = written.toWellFormed().replace(/\r\n?/g, "\n").replace(invisible, "").trim()
  const parts = codeParts(text)
  if (!parts || /^ {0,3}(?:\||\[(?:[^[\]\\]|\\[\s\S])*\]:|:?-+:? *\|[ :|-]*$)/m.test(text)) return undefined
  const simple = parts.map(({ text, isCode }) => (isCode ? soundCode(text) : soundText(text))).join("")
  const trimmed = withWholeEmphasis(simple).trim()
  return /[\p{L}\p{N}]/u.test(trimmed) ? trimmed : undefined
}

/** Controls, and what changes the direction or hides text. */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is them that go
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|[\ufe00-\ufe0f]|\u034f/gu

/** The language of a fence is a word. */
function soundCode(code: string): string {
  return code.replace(/^```[^\n]*\n/, (line) => `\`\`\`${/^```\s*([\w+#-]{1,20})/.exec(line)?.[1] ?? ""}\n`)
}

function soundText(text: string): string {
  const plain = withoutLinks(text.replaceAll("`", ""))
    // Sources that it numbers by itself: ours stand behind.
    .replace(/ ?\[\d{1,2}(?:, ?\d{1,2})*\]/g, "")
    .replace(/ ?【\d[^【】\n]{0,20}】/g, "")
    .replace(/<!--[\s\S]*?(?:-->|$)/g, "")
    .replace(/^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?)+/gm, "")
    .replace(/^[ \t]*(?:=+|-{2,}|\*{3,}|_{3,})[ \t]*$/gm, "")
    // Deeper would be code.
    .replace(/^ {4,}|^\t+/gm, "  ")
    // Nothing may join with what our own code puts behind it.
    .replace(/\](?=[([:])/g, "] ")
    .replace(/(?<=^|[\]\n])[^\]\n]+(?=\n|$)/g, (unclosed) => unclosed.replaceAll("[^", ""))
  return plain
    .replace(/<\/?[a-z][^<>\n]*>|<(?=[a-z/!?])/gi, (tag) => (tag === "<" ? "\\<" : `\`${tag}\``))
    .replace(/(?<!\\)\\+$/, "")
}

/**
 * Until nothing changes: what stands around a link may become one. At most `maxCharacters` long, it nests
 * some hundred times.
 */
function withoutLinks(text: string): string {
  const without = withoutImages(text).replace(
    /(?<!!)\[([^[\]]*)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\]^]*\])/g,
    "$1",
  )
  return without === text ? text : withoutLinks(without)
}

/** From each `![` to the next bracket that closes, and the address behind it. */
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

/** A lone `**` would reach into what follows. */
function withWholeEmphasis(markdown: string): string {
  const parts = codeParts(markdown) ?? []
  const count = parts.reduce(
    (sum, { text, isCode }) => sum + (isCode ? 0 : (text.match(/\*\*/g)?.length ?? 0)),
    0,
  )
  if (count % 2 === 0) return markdown
  return parts.map(({ text, isCode }) => (isCode ? text : text.replaceAll("**", ""))).join("")
}

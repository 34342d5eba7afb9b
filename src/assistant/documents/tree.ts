import { type ChildNode, DomHandler } from "domhandler"
import { Parser } from "htmlparser2"

/** Deeper than any page means to be: what goes deeper keeps its text and loses its tags, so that every walk may recurse. */
const maxDepth = 200
/** By now it is no page that somebody wrote, and parsers slow down with the square of the depth. */
const hopelessDepth = 2000

/**
 * The nodes of a page, whatever its mark-up, or undefined for tags nested beyond hope. htmlparser2 takes what browsers take, several
 * times faster than a parser that builds the very tree of the standard, and text in reading order does not need that tree.
 */
export function parseTree(html: string, options: { selfClosing: boolean }): ChildNode[] | undefined {
  const handler = new DomHandler()
  let depth = 0
  let isHopeless = false
  const parser = new Parser(
    {
      onparserinit: (self) => handler.onparserinit(self),
      onopentag(name, attributes) {
        depth += 1
        if (depth <= maxDepth) handler.onopentag(name, attributes)
        else if (depth > hopelessDepth) {
          isHopeless = true
          parser.pause()
        }
      },
      onclosetag() {
        if (depth <= maxDepth) handler.onclosetag()
        depth -= 1
      },
      ontext: (text) => handler.ontext(text),
      onend: () => handler.onend(),
    },
    { recognizeSelfClosing: options.selfClosing },
  )
  parser.write(html)
  if (isHopeless) return undefined
  parser.end()
  return handler.root.children
}

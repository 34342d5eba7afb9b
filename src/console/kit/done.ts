/**
 * What the page after an action says, by the word in its `?done=`: nothing for any other word, which anybody
 * can put into a link.
 */
export function doneOf(
  query: Record<string, string | undefined>,
  sentences: Record<string, string>,
): string | undefined {
  const done = query["done"] ?? ""
  return Object.hasOwn(sentences, done) ? sentences[done] : undefined
}

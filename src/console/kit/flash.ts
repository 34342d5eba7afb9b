/** The message that `?done=` names. Unknown names give none, because anybody can put one into a link. */
export function flashMessage(
  query: Record<string, string | undefined>,
  sentences: Record<string, string>,
): string | undefined {
  const done = query["done"] ?? ""
  return Object.hasOwn(sentences, done) ? sentences[done] : undefined
}

/**
 * A style sheet without comments, idle white space and idle quotes. Bun's own CSS minifier is not used: it rewrites
 * `color-scheme` and colours for browsers that could not run the script anyway.
 */
export function squeezed(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,>+/]) ?/g, "$1")
    .replace(/: (?=[^:;{}]*[;}])/g, ":")
    .replace(/(?<=\([a-z-]+:) /g, "")
    .replace(/(?<=[(]) | (?=[)!])|(?<=@media) (?=[(])/g, "")
    .replace(/(?<!\d)0(?=\.\d)/g, "")
    .replace(/="([a-z][\w-]*)"\]/g, "=$1]")
    .replaceAll(";}", "}")
    .trim()
}

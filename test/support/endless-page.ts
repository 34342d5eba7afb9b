/**
 * Preloaded into the processes of a test (`BUN_OPTIONS=--preload=…`): whoever parses a page with one of these
 * marks is kept busy by a regular expression for ever, or takes all the memory there is. So does no page that
 * we know of; one that we do not know might.
 */
export const endless = "PAGE-SANS-FIN"
export const bottomless = "PAGE-SANS-FOND"

export const preloadEndlessPages = { BUN_OPTIONS: `--preload=${import.meta.path}` }

const { html } = Bun.markdown
Bun.markdown.html = (text, ...options) => {
  const shown = String(text)
  while (shown.includes(endless)) /^(a+)+$/.test(`${"a".repeat(100)}b`)
  const kept: Uint8Array[] = []
  while (shown.includes(bottomless)) {
    kept.push(new Uint8Array(8 * 1024 * 1024).fill(kept.length))
    // Slow enough that the limit that comes first is seen first: that of a reading stands below that of a page.
    Bun.sleepSync(20)
  }
  return html(text, ...options)
}

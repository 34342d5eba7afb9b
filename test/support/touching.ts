/** Runs in the page: where words, or what is folded, stand on the card or the button below without space between. */
export function touching(): string[] {
  const leastPx = 8
  const solid = "section, form, .table, button"
  const blocks = [...document.querySelectorAll("main p, main details, main section > form")]
  return blocks.flatMap((above) => {
    const below = above.nextElementSibling
    const bothSeen = above.checkVisibility() && below?.checkVisibility()
    if (!below || !bothSeen || ![above, below].some((each) => each.matches(solid))) return []
    const gap = below.getBoundingClientRect().top - above.getBoundingClientRect().bottom
    // A neighbour in a line or a column begins higher.
    return -1 < gap && gap < leastPx ? [`${above.outerHTML} on ${below.outerHTML}`] : []
  })
}

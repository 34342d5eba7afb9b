/** Runs in the page: the controls, of an open panel else of the page, of which nothing is seen once they have the focus. */
export function focusedOutOfSight(): string[] {
  const shadow = document.querySelector("guichet-widget")?.shadowRoot
  const root: Document | ShadowRoot = shadow?.querySelector("dialog[open]") ? shadow : document
  const controls = [
    ...root.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary"),
  ]
  const isSeen = (control: HTMLElement) =>
    [...control.getClientRects()].some(({ left, top, width, height }) =>
      [
        [left + width / 2, top + height / 2],
        [left + 3, top + 3],
      ].some(([x, y]) => {
        const there = root.elementFromPoint(x as number, y as number)
        return there !== null && (control.contains(there) || there.contains(control))
      }),
    )
  return (
    controls
      // Of the panel, its button lies behind.
      .filter((control) => root === document || control.closest("dialog"))
      .filter((control) => control.checkVisibility() && !control.matches("[type=hidden], :disabled"))
      .filter((control) => {
        control.focus()
        return root.activeElement === control && !isSeen(control)
      })
      .map((control) => control.outerHTML.slice(0, 200))
  )
}

/**
 * Browser code. Sections with `data-refresh` are read again every second, from the address in it or else from the
 * page's own, until the fresh one has none. When it has none, or its `data-version` changes, the whole page is
 * brought up to date, since other sections show the same. Only what the server has changed since it was last read
 * is changed in the page: what the operator ticked, typed, opened, selected or focused stays, and so does what
 * `enhance` did. After a change, `enhance` runs again, over everything.
 */
export function refreshSections(enhance: () => void): void {
  if (!document.querySelector(sections)) return
  const state: State = { known: document.body.cloneNode(true) as Element, enhance }
  const next = () =>
    setTimeout(async () => {
      await renew(state)
      if (document.querySelector(sections)) next()
    }, everyMs)
  next()
}

const sections = "[data-refresh]"
const everyMs = 1000

interface State {
  /** The page as the server last sent it. */
  known: Element
  enhance: () => void
}

async function renew(state: State): Promise<void> {
  const parts = [...document.querySelectorAll<HTMLElement>(sections)]
  const byAddress = Map.groupBy(
    parts,
    (part) => new URL(part.dataset["refresh"] || location.href, location.href).href,
  )
  for (const [address, some] of byAddress) {
    try {
      const reply = await fetch(address, { headers: { accept: "text/html" } })
      // The service may be restarting, so the next round tries again.
      if (reply.status >= 500) continue
      const page = new DOMParser().parseFromString(await reply.text(), "text/html")
      for (const part of some) show(state, part, page, new URL(address).pathname === location.pathname)
    } catch {
      // As above.
    }
  }
}

/** `isOwn`: `page` is this page, and no other that has the section. */
function show(state: State, part: HTMLElement, page: Document, isOwn: boolean): void {
  const [known, fresh] = [state.known, page.body].map((body) =>
    body.querySelector<HTMLElement>(`#${part.id}`),
  )
  if (!fresh || !known) {
    // Whatever the section was about is gone, or the session has ended.
    part.removeAttribute("data-refresh")
    if (isOwn && !isTypedIn()) location.reload()
    return
  }
  const isOver = !fresh.hasAttribute("data-refresh")
  if (isOwn && (isOver || fresh.dataset["version"] !== known.dataset["version"])) {
    if (!merge(document.body, state.known, page.body)) return
    state.known = page.body
    document.title = page.title
  } else {
    if (!merge(part, known, fresh)) return
    known.replaceWith(fresh.cloneNode(true))
  }
  state.enhance()
}

function isTypedIn(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    "main input, main textarea",
  )
  const lists = document.querySelectorAll<HTMLOptionElement>("main option")
  return (
    [...fields].some(
      (field) =>
        field.value !== field.defaultValue ||
        (field instanceof HTMLInputElement && field.checked !== field.defaultChecked),
    ) || [...lists].some((option) => option.selected !== option.defaultSelected)
  )
}

/** Applies the changes from `known` to `fresh`; returns false, and changes nothing, if selected text would go. */
function merge(live: Element, known: Element, fresh: Element): boolean {
  const edits: Edit[] = []
  compare(live, known, fresh, edits)
  const selection = getSelection()
  const isSelected = (node: Node) => selection?.isCollapsed === false && selection.containsNode(node, true)
  if (edits.some(({ lost }) => lost && isSelected(lost))) return false
  for (const { apply } of edits) apply()
  return true
}

interface Edit {
  /** A node that is removed or gets another text. */
  lost?: Node
  apply(): void
}

/** `live` was made of `known`, and has the same children unless something else in the browser changed it. */
function compare(live: Element, known: Element, fresh: Element, edits: Edit[]): void {
  if (known.isEqualNode(fresh)) return
  compareAttributes(live, known, fresh, edits)
  const [children, old] = [[...live.childNodes], [...known.childNodes]]
  const isParallel =
    children.length === old.length && old.every((node, at) => isSame(node, children[at] as Node))
  const places = continuedPlaces(isParallel ? old : [], [...fresh.childNodes])
  const keptPlaces = new Set(places)
  for (const [at, child] of children.entries())
    if (!isParallel || !keptPlaces.has(at)) edits.push({ lost: child, apply: () => child.remove() })
  const wanted = [...fresh.childNodes].map((node, at) => {
    const place = places[at]
    if (place === undefined) return document.importNode(node, true)
    const child = children[place] as ChildNode
    if (child instanceof Element) compare(child, old[place] as Element, node as Element, edits)
    else if (!old[place]?.isEqualNode(node))
      edits.push({
        lost: child,
        apply() {
          child.nodeValue = node.nodeValue
        },
      })
    return child
  })
  edits.push({ apply: () => arrange(live, wanted) })
}

/** The reader decides whether a section is folded open. */
const ownAttributes = ["open"]

function compareAttributes(live: Element, known: Element, fresh: Element, edits: Edit[]): void {
  for (const name of new Set([...known.getAttributeNames(), ...fresh.getAttributeNames()])) {
    const value = fresh.getAttribute(name)
    if (value === known.getAttribute(name) || ownAttributes.includes(name)) continue
    edits.push({
      apply: () => (value === null ? live.removeAttribute(name) : live.setAttribute(name, value)),
    })
  }
}

/** For each fresh node, the place of the old one that it continues: an equal one, else one of its kind. */
function continuedPlaces(old: readonly Node[], fresh: readonly Node[]): (number | undefined)[] {
  const free = new Set(old.keys())
  const take = (fits: (node: Node) => boolean) => {
    for (const place of free)
      if (fits(old[place] as Node)) {
        free.delete(place)
        return place
      }
    return undefined
  }
  const places = fresh.map((node) =>
    take((each) => (nodeKey(node) === "" ? each.isEqualNode(node) : isSame(each, node))),
  )
  return places.map((place, at) => place ?? take((each) => isSame(each, fresh[at] as Node)))
}

/** Two elements are the same thing, so that what the operator did to one holds for the other. */
function isSame(one: Node, other: Node): boolean {
  return one.nodeName === other.nodeName && nodeKey(one) === nodeKey(other)
}

/** By id; a form also by its address, a field by its name. A box to tick is one of several of its name. */
function nodeKey(node: Node): string {
  if (!(node instanceof Element)) return ""
  const isBox = ["checkbox", "radio"].includes(node.getAttribute("type") ?? "")
  const names = ["id", ...(node.localName === "form" ? ["action"] : ["name"]), ...(isBox ? ["value"] : [])]
  return names
    .map((name) => node.getAttribute(name) ?? "")
    .join(" ")
    .trim()
}

/** Nodes that stay in their order are not moved: an element that is moved loses the focus. */
function arrange(parent: Element, wanted: readonly Node[]): void {
  let next = parent.firstChild
  for (const node of wanted) {
    if (node === next) next = node.nextSibling
    else parent.insertBefore(node, next)
  }
}

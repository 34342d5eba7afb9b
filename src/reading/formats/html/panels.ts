import { type ChildNode, type Element, isTag } from "domhandler"
import { type ElementTest, hasAncestor, isHeading, topmost } from "./dom.ts"
import { isMostlyLinks, type Weight } from "./weights.ts"

/**
 * The parts of a page that a control opens: accordions, disclosures, tabs, dialogs. They are text of the page, and
 * the words of the control say what they are about.
 */
export interface Panels {
  isPanel(element: Element): boolean
  /** Whether the words of this control are read where it stands. */
  isLabel(element: Element): boolean
  /** Whether the element only holds names of tabs: each is read with its own panel. */
  isTabList(element: Element): boolean
  /** The panels outside these elements that a control within them opens. */
  openedFrom(roots: ReadonlySet<ChildNode>): Element[]
  /** The control whose words are read at the start of this panel. */
  labelOf(panel: Element): Element | undefined
}

/** `isAround`: whether an element stands around the text: what a control there opens is a menu, not text. */
export function findPanels(
  nodes: ChildNode[],
  isAround: ElementTest,
  weightOf: (element: Element) => Weight,
): Panels {
  const { byId, controls, tabLists } = controlsIn(nodes, isAround)
  const panels = new Map<Element, Element>()
  const inPlace = new Set<Element>()
  const atPanel = new Map<Element, Element>()
  const owned = new Set<Element>()
  /** Names of tabs that a page says twice, for wide and for narrow screens. */
  const again = new Set<Element>()

  function open(control: Element, panel: Element): void {
    if (panels.has(panel) && isTab(control)) again.add(control)
    if (panels.has(panel) || isWithin(control, panel) || isMostlyLinks(weightOf(panel))) return
    panels.set(panel, control)
    for (const box of boxesAround(panel, control)) panels.set(box, control)
    owned.add(control)
    const isElsewhere = isTab(control) || isDialog(panel) || hasAncestor(control, (one) => tabLists.has(one))
    if (!isElsewhere) inPlace.add(control)
    else if (!isDialog(panel) || weightOf(panel).headings === 0) atPanel.set(panel, control)
  }

  for (const control of controls)
    for (const id of controlledIds(control)) {
      const panel = byId.get(id)
      if (panel && panel !== control) open(control, panel)
    }
  for (const list of tabLists) {
    const tabs = namesIn(list)
    const found = tabs.some((tab) => owned.has(tab)) ? [] : panelsAfter(list, tabs.length)
    for (const [at, tab] of tabs.entries()) if (found[at]) open(tab, found[at])
  }
  for (const control of controls) {
    if (owned.has(control) || !isToggle(control)) continue
    const panel = elementAfter(control)
    if (panel && !isHeading(panel)) open(control, panel)
  }
  return {
    isPanel: (element) => panels.has(element),
    isLabel: (element) => inPlace.has(element),
    isTabList: (element) => tabLists.has(element) || again.has(element),
    openedFrom(roots) {
      const isRoot = (element: Element) => roots.has(element)
      const isInside = (element: Element) => isRoot(element) || hasAncestor(element, isRoot)
      return [...panels].flatMap(([panel, control]) => (isInside(control) && !isInside(panel) ? [panel] : []))
    },
    labelOf: (panel) => atPanel.get(panel),
  }
}

/** Everything about controls that one walk over the page finds. */
function controlsIn(nodes: ChildNode[], isAround: ElementTest) {
  const byId = new Map<string, Element>()
  const controls: Element[] = []
  const tabLists = new Set<Element>()
  const visit = (node: ChildNode, isOutside: boolean): void => {
    if (!isTag(node)) return
    const id = node.attribs["id"]
    if (id && !byId.has(id)) byId.set(id, node)
    const outside = isOutside || isAround(node)
    if (!outside && isTabList(node)) tabLists.add(node)
    if (!outside && (controlledIds(node).length > 0 || isToggle(node))) controls.push(node)
    for (const child of node.children) visit(child, outside)
  }
  for (const node of nodes) visit(node, false)
  return { byId, controls, tabLists }
}

const targetAttributes = ["aria-controls", "data-bs-target", "data-target", "popovertarget", "commandfor"]
const maxTargets = 10

/** Ids of what a control opens; empty for any other element. */
function controlledIds({ name, attribs }: Element): string[] {
  if (attribs["role"] === "combobox" || /^(?:input|select|textarea)$/.test(name)) return []
  const named = targetAttributes.map((attribute) => attribs[attribute]).find((value) => value?.trim())
  const toggles = attribs["data-bs-toggle"] ?? attribs["data-toggle"] ?? attribs["aria-expanded"]
  const isLink = name === "a" && (attribs["role"] === "tab" || toggles !== undefined)
  const value = named ?? (isLink ? attribs["href"] : undefined)
  if (value === undefined || (named === undefined && !value.startsWith("#"))) return []
  return value
    .slice(0, 1000)
    .trim()
    .split(/\s+/, maxTargets)
    .map((id) => id.replace(/^#/, ""))
}

const toggleClass =
  /(?:^|[\s_-])(?:accordion|collapsible|toggle|disclosure|expand(?:er|able)?|faq|question|trigger)/i

/** A control that names no panel: the panel is what follows. */
function isToggle({ name, attribs }: Element): boolean {
  if (attribs["aria-haspopup"] !== undefined) return false
  const isControl = name === "button" || attribs["role"] === "button" || attribs["onclick"] !== undefined
  if (!isControl && !/^(?:h[2-6]|dt|a)$/.test(name)) return false
  return attribs["aria-expanded"] !== undefined || (name !== "a" && toggleClass.test(attribs["class"] ?? ""))
}

function isTab({ attribs }: Element): boolean {
  return (
    attribs["role"] === "tab" ||
    /^(?:tab|pill)$/.test(attribs["data-bs-toggle"] ?? attribs["data-toggle"] ?? "")
  )
}

function isDialog({ name, attribs }: Element): boolean {
  return (
    name === "dialog" ||
    /^(?:alert)?dialog$/.test(attribs["role"] ?? "") ||
    /(?:^|\s)(?:fr-)?modal(?:\s|$)/.test(attribs["class"] ?? "")
  )
}

/** Some call the box of tabs and panels a list of tabs. MkDocs and VitePress name tabs by labels of hidden inputs. */
function isTabList({ attribs, parent, children }: Element): boolean {
  const { role, class: classes = "" } = attribs
  if (role === "tablist") return !holdsPanel(children, 3)
  if (/(?:^|\s)(?:nav-tabs|nav-pills)(?:\s|$)/.test(classes) || /(?:^|\s)tabbed-labels(?:\s|$)/.test(classes))
    return true
  return (
    classes === "tabs" &&
    parent !== null &&
    isTag(parent) &&
    /vp-code-group/.test(parent.attribs["class"] ?? "")
  )
}

function holdsPanel(children: ChildNode[], depth: number): boolean {
  return children
    .slice(0, maxNodesBetween)
    .some(
      (child) => isTag(child) && (isTabPanel(child) || (depth > 1 && holdsPanel(child.children, depth - 1))),
    )
}

function namesIn(list: Element): Element[] {
  const tabs = topmost(list.children, ({ attribs }) => attribs["role"] === "tab")
  return tabs.length > 0 ? tabs : topmost(list.children, ({ name }) => name === "label")
}

/** The panels of a list of so many tabs, which stand after it or after the element that holds it alone. */
function panelsAfter(list: Element, count: number): Element[] {
  let after = list
  let next = elementAfterSibling(after)
  for (let up = 0; !next && up < 3; up++) {
    const { parent } = after
    if (!parent || !isTag(parent) || parent.children.length > maxNodesBetween) return []
    after = parent
    next = elementAfterSibling(after)
  }
  if (!next) return []
  const children = next.children.filter(isTag)
  const candidates = [siblingsFrom(next, count).filter(isTabPanel), children.filter(isTabPanel), children]
  return candidates.find(({ length }) => length === count) ?? []
}

function isTabPanel({ attribs }: Element): boolean {
  return attribs["role"] === "tabpanel"
}

function siblingsFrom(first: Element, most: number): Element[] {
  const found: Element[] = []
  for (let one: Element | undefined = first; one && found.length < most; one = elementAfterSibling(one))
    found.push(one)
  return found
}

/** The element after a control, or after the heading, term or box that holds it alone. */
function elementAfter(control: Element): Element | undefined {
  let from = control
  for (let up = 0; up < 3; up++) {
    const next = elementAfterSibling(from)
    if (next) return next
    const { parent } = from
    if (!parent || !isTag(parent)) return undefined
    from = parent
  }
  return undefined
}

const maxNodesBetween = 10

function elementAfterSibling({ next }: Element): Element | undefined {
  let node = next
  for (let at = 0; node && at < maxNodesBetween; at++, node = node.next) if (isTag(node)) return node
  return undefined
}

/** Boxes that hold a panel alone, which are hidden in its place. */
function boxesAround(panel: Element, control: Element): Element[] {
  const boxes: Element[] = []
  for (let { parent } = panel; parent && isTag(parent) && boxes.length < 3; parent = parent.parent) {
    const isAlone = parent.children.length <= maxNodesBetween && parent.children.filter(isTag).length === 1
    if (!isAlone || isWithin(control, parent) || parent.name === "body" || parent.name === "main") break
    boxes.push(parent)
  }
  return boxes
}

function isWithin(element: Element, other: Element): boolean {
  return element === other || hasAncestor(element, (one) => one === other)
}

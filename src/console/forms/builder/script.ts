import { type Change, changed, parseChange } from "./order.ts"

// Browser script of the form builder, which works without it. It changes the list of fields without leaving the
// page, lets fields be dragged, renews the preview while the operator types, and asks before unsaved work is left.
// The server renders everything: there is one builder and one preview.

const previewDelayMs = 150

const builder = document.querySelector<HTMLElement>("[data-builder]")
const form = builder?.querySelector("form")
if (builder && form) start(builder, form)

function start(builder: HTMLElement, form: HTMLFormElement): void {
  const initial = formText(form)
  let isLeaving = false
  const isUnsaved = () => builder.dataset["unsaved"] !== undefined || formText(form) !== initial

  function noticeChange(): void {
    const mark = document.getElementById("unsaved")
    if (mark) mark.hidden = !isUnsaved()
    renewPreview(builder, form)
  }

  async function rearrange(intent: string): Promise<void> {
    const change = parseChange(intent)
    if (change && (await renewFields(form, intent, change))) return noticeChange()
    isLeaving = true
    submitAs(form, intent)
  }

  showGrips()
  focusFault(form)
  form.addEventListener("input", ({ target }) => {
    renewTitle(target as HTMLInputElement)
    noticeChange()
  })
  form.addEventListener("change", ({ target }) => {
    const [, place] =
      /^fields\.(\d+)\.when\.conditions\.\d\.field$/.exec((target as HTMLInputElement).name) ?? []
    if (place === undefined) noticeChange()
    else void rearrange(`values.${place}`)
  })
  form.addEventListener("submit", () => {
    isLeaving = true
  })
  addEventListener("beforeunload", (event) => {
    if (!isLeaving && isUnsaved()) event.preventDefault()
  })
  // A page that the browser keeps is left again later.
  addEventListener("pageshow", () => {
    isLeaving = false
  })
  form.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>("button[name=intent]")
    if (!button) return
    event.preventDefault()
    void rearrange(button.value)
  })
  form.addEventListener("pointerdown", (event) => {
    const grip = (event.target as Element).closest("[data-grip]")
    const item = grip?.closest<HTMLElement>(".item")
    if (!item || event.button !== 0) return
    event.preventDefault()
    drag(item, (from, to) => void rearrange(`move.${from}.${to}`))
  })
}

/** A card has the title that its field's label or text gives it. */
function renewTitle({ name, value }: HTMLInputElement): void {
  const [, place] = /^fields\.(\d+)\.(?:label|text)$/.exec(name) ?? []
  const title = document.querySelectorAll<HTMLElement>("[data-title]")[Number(place)]
  if (title) title.textContent = value.trim() || (title.dataset["title"] as string)
}

/** Leads to what was refused, which may be several screens further down. */
function focusFault(form: HTMLFormElement): void {
  const fault = [...form.querySelectorAll<HTMLElement>("[aria-invalid=true]")].find(isVisible)
  fault?.focus({ preventScroll: true })
  fault?.scrollIntoView({ block: "center" })
}

function formText(form: HTMLFormElement): string {
  return formParams(form).toString()
}

function formParams(form: HTMLFormElement): URLSearchParams {
  return new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]))
}

/** Has the server render the changed list of fields. Resolves to false when it did not. */
async function renewFields(form: HTMLFormElement, intent: string, change: Change): Promise<boolean> {
  const fields = document.getElementById("builder-fields")
  if (!fields) return false
  const focusedId = document.activeElement?.id
  const open = itemsIn(fields).map((item) => foldsIn(item).map((fold) => fold.open))
  const body = formParams(form)
  body.set("intent", intent)
  fields.inert = true
  const fresh = await fetchPage(form.getAttribute("action") as string, body)
    .then((page) => page.getElementById("builder-fields"))
    .catch(() => null)
  fields.inert = false
  if (!fresh) return false
  const status = fresh.querySelector("#builder-status")?.textContent ?? ""
  // Screen readers tell what changes in a region that was there before.
  const region = document.getElementById("builder-status")
  fields.replaceChildren(
    ...[...fresh.childNodes].map((node) =>
      region && node instanceof Element && node.id === region.id ? region : document.adoptNode(node),
    ),
  )
  if (region) region.textContent = status
  // An added field is unfolded, and so is a copy.
  const copy = ([, ...more]: boolean[]) => [true, ...more]
  const stillOpen = changed(open, change, { added: [true], copy }).items
  for (const [place, item] of itemsIn(fields).entries())
    for (const [at, fold] of foldsIn(item).entries()) fold.open = stillOpen[place]?.[at] ?? fold.open
  showGrips()
  if (change.verb === "values") document.getElementById(focusedId ?? "")?.focus()
  else focusOn(fields, change, Number(fresh.dataset["place"] ?? 0))
  return true
}

function itemsIn(fields: HTMLElement): HTMLElement[] {
  return [...fields.querySelectorAll<HTMLElement>(".item")]
}

/** The card itself, and what folds within it. */
function foldsIn(item: HTMLElement): HTMLDetailsElement[] {
  return [...item.querySelectorAll("details")]
}

function isVisible(element: HTMLElement): boolean {
  return element.getClientRects().length > 0
}

function focusOn(fields: HTMLElement, change: Change, place: number): void {
  const item = itemsIn(fields)[place]
  const tool = (verb: string) =>
    item?.querySelector<HTMLElement>(`button[value="${verb}.${place}"]:not(:disabled)`)
  const texts = item?.querySelectorAll<HTMLElement>("input[type=text], textarea") ?? []
  const label = [...texts].find(isVisible)
  const { verb } = change
  const wanted =
    verb === "condition"
      ? [...(item?.querySelectorAll<HTMLElement>(".condition select[name$=field]") ?? [])].at(-1)
      : verb === "up" || verb === "down"
        ? (tool(verb) ?? tool(verb === "up" ? "down" : "up"))
        : verb === "remove"
          ? tool("remove")
          : verb === "move"
            ? undefined
            : label
  // The tools of a folded card are out of sight.
  const shown = wanted && !isVisible(wanted) ? item?.querySelector("summary") : wanted
  ;(shown ?? (verb === "move" ? null : fields.querySelector<HTMLElement>(".add button")))?.focus()
}

/** As if the button had been pressed without a script: the page that comes says what is wrong. */
function submitAs(form: HTMLFormElement, intent: string): void {
  const field = document.createElement("input")
  field.type = "hidden"
  field.name = "intent"
  field.value = intent
  form.append(field)
  form.submit()
}

async function fetchPage(address: string, body: URLSearchParams, signal?: AbortSignal): Promise<Document> {
  const reply = await fetch(address, { method: "POST", body, signal: signal ?? null })
  if (!reply.ok || reply.redirected) throw new Error(`${address} answered ${reply.status}`)
  return new DOMParser().parseFromString(await reply.text(), "text/html")
}

let renewal: AbortController | undefined

/** Shows what is typed as visitors will see it, a moment after the last key. */
function renewPreview(builder: HTMLElement, form: HTMLFormElement): void {
  renewal?.abort()
  renewal = new AbortController()
  const { signal } = renewal
  setTimeout(async () => {
    if (signal.aborted) return
    const fresh = await fetchPage(builder.dataset["preview"] as string, formParams(form), signal).catch(
      () => null,
    )
    const sheet = fresh?.getElementById("preview-sheet")
    if (sheet && !signal.aborted) showPreview(sheet)
  }, previewDelayMs)
}

function showPreview(fresh: HTMLElement): void {
  const sheet = document.getElementById("preview-sheet")
  const host = sheet?.querySelector("[data-form-preview]")
  const template = fresh.querySelector("template")
  if (!sheet || !host || !template) return
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" })
  const [style] = root.querySelectorAll("link")
  const markup = document.importNode(template.content, true)
  // The style sheet stays: a new one would show the form bare until it is read.
  if (style) for (const link of markup.querySelectorAll("link")) link.remove()
  root.replaceChildren(...(style ? [style] : []), markup)
  const freshHost = fresh.querySelector("[data-form-preview]") as Element
  freshHost.replaceWith(document.createComment(""))
  const parts = [...fresh.childNodes].map((node) =>
    node instanceof Comment ? host : document.adoptNode(node),
  )
  // Moving the host would read its style sheet again, so what stands around it is renewed.
  for (const node of [...sheet.childNodes]) if (node !== host) node.remove()
  const at = parts.indexOf(host)
  host.before(...parts.slice(0, at))
  host.after(...parts.slice(at + 1))
}

function showGrips(): void {
  for (const grip of document.querySelectorAll<HTMLElement>("[data-grip]")) grip.hidden = false
}

/** Lets an item follow the pointer: its neighbours move, since a node that moves loses the pointer. */
function drag(item: HTMLElement, dropped: (from: number, to: number) => void): void {
  const list = item.parentElement as HTMLElement
  const items = () => [...list.querySelectorAll<HTMLElement>(":scope > .item")]
  const from = items().indexOf(item)
  const edgePx = 70
  const ending = new AbortController()
  const { signal } = ending
  item.classList.add("dragged")

  function follow({ clientY }: PointerEvent): void {
    const all = items()
    const at = all.indexOf(item)
    const [before, after] = [all[at - 1], all[at + 1]]
    if (before && clientY < middleY(before)) item.after(before)
    else if (after && clientY > middleY(after)) item.before(after)
    if (clientY < edgePx) scrollBy(0, -15)
    else if (clientY > innerHeight - edgePx) scrollBy(0, 15)
  }

  function end(isKept: boolean): void {
    ending.abort()
    item.classList.remove("dragged")
    const to = items().indexOf(item)
    if (isKept) {
      if (to !== from) dropped(from, to)
      return
    }
    for (let at = to; at > from; at--) item.after(items()[at - 1] as HTMLElement)
    for (let at = to; at < from; at++) item.before(items()[at + 1] as HTMLElement)
  }

  document.addEventListener("pointermove", follow, { signal })
  document.addEventListener("pointerup", () => end(true), { signal })
  document.addEventListener("pointercancel", () => end(false), { signal })
  document.addEventListener("keydown", ({ key }) => key === "Escape" && end(false), { signal })
}

function middleY(element: HTMLElement): number {
  const { top, height } = element.getBoundingClientRect()
  return top + height / 2
}

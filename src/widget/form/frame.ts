import { ownDocument } from "../own.ts"

/** A page asks its frame with its colour scheme under this word; the frame answers with its height. */
const word = "guichet:frame"
/** Whatever a frame says, it neither disappears nor pushes the rest of the page out of reach. */
const minPx = 80
const maxPx = 8000

/**
 * Gives each frame of this page that shows a form's own page the height of its content, and has it follow the colour
 * scheme of this page. A message counts if it comes from the service and from such a frame, and nothing but a number
 * is read from it.
 */
export function fitFrames(service: string): void {
  const { origin } = new URL(service)
  formFrames(service).forEach(ask)
  // A load event does not bubble: on its way down, it is seen for frames that come later, too.
  ownDocument.addEventListener(
    "load",
    ({ target }) =>
      formFrames(service)
        .filter((frame) => frame === target)
        .forEach(ask),
    true,
  )
  addEventListener("message", (event) => {
    const frame = formFrames(service).find(({ contentWindow }) => contentWindow === event.source)
    const px = Number(event.data?.[word])
    if (event.origin === origin && frame && px > 0) resize(frame, px)
  })
}

/** Frames are looked up each time, because pages add and remove them. */
function formFrames(service: string): HTMLIFrameElement[] {
  return [...ownDocument.querySelectorAll("iframe")].filter(({ src }) => src.startsWith(`${service}f/`))
}

/** Whatever the frame shows by now may hear it: the question tells no secret. */
function ask(frame: HTMLIFrameElement): void {
  frame.contentWindow?.postMessage({ [word]: getComputedStyle(frame).colorScheme }, "*")
}

/** A style wins over a sheet of the page that gives every frame a height. Borders may or may not be part of it. */
function resize(frame: HTMLIFrameElement, px: number): void {
  const borderPx = frame.offsetHeight - frame.clientHeight
  frame.style.height = `${Math.min(Math.max(px, minPx), maxPx) + borderPx}px`
}

/**
 * Tells the page around this one the height of this one's content whenever it changes, and takes over its colour
 * scheme: after that page has asked, and only if its address is one of `addresses`.
 */
export function followFrame(addresses: readonly string[]): void {
  const root = ownDocument.documentElement
  root.classList.add("framed")
  let asker = ""
  const tell = () => {
    const px = Math.ceil(ownDocument.body.getBoundingClientRect().height)
    parent.postMessage({ [word]: px }, asker)
  }
  const observer = new ResizeObserver(tell)
  addEventListener("message", ({ data, origin, source }) => {
    const scheme: unknown = data?.[word]
    if (!scheme || source !== parent || !addresses.includes(origin)) return
    asker = origin
    // A page that says nothing of schemes is light, as the style of a framed page is.
    root.style.colorScheme = String(scheme).replace("normal", "")
    // A browser observes nothing in a frame that is out of sight, and a change in sight moves what stands below.
    tell()
    observer.observe(ownDocument.body)
  })
}

/** A page asks its frame with this word; the frame answers with an object that has its height under it. */
const word = "guichet:height"
/** Whatever a frame says, it neither disappears nor pushes the rest of the page out of reach. */
const minPx = 80
const maxPx = 8000

/**
 * Gives each frame of this page that shows a form's own page the height of its content. A message counts if it comes
 * from the service and from such a frame, and nothing but a number is read from it.
 */
export function fitFrames(service: string): void {
  const { origin } = new URL(service)
  for (const frame of formFrames(service)) ask(frame)
  // A load event does not bubble: on its way down, it is seen for frames that come later, too.
  document.addEventListener(
    "load",
    ({ target }) => formFrames(service).some((frame) => frame === target) && ask(target as HTMLIFrameElement),
    true,
  )
  addEventListener("message", (event) => {
    const frame = formFrames(service).find(({ contentWindow }) => contentWindow === event.source)
    const px: unknown = event.data?.[word]
    if (event.origin === origin && frame && typeof px === "number" && px > 0) resize(frame, px)
  })
}

/** Frames are looked up each time, because pages add and remove them. */
function formFrames(service: string): HTMLIFrameElement[] {
  return [...document.querySelectorAll("iframe")].filter(({ src }) => src.startsWith(`${service}f/`))
}

/** Whatever the frame shows by now may hear it: the question tells nothing. */
function ask({ contentWindow }: HTMLIFrameElement): void {
  contentWindow?.postMessage(word, "*")
}

/** A style wins over a sheet of the page that gives every frame a height. Borders may or may not be part of it. */
function resize(frame: HTMLIFrameElement, px: number): void {
  const borderPx = frame.offsetHeight - frame.clientHeight
  frame.style.height = `${Math.min(Math.max(px, minPx), maxPx) + borderPx}px`
}

/**
 * Tells the page around this one the height of this one's content whenever it changes: after that page has asked,
 * and only if its address is one of `addresses`.
 */
export function tellHeight(addresses: readonly string[]): void {
  let asker = ""
  const tell = () => {
    const px = Math.ceil(document.body.getBoundingClientRect().height)
    parent.postMessage({ [word]: px }, asker)
  }
  const observer = new ResizeObserver(tell)
  addEventListener("message", ({ data, origin, source }) => {
    if (data !== word || source !== parent || !addresses.includes(origin)) return
    asker = origin
    // A browser observes nothing in a frame that is out of sight, and a change in sight moves what stands below.
    tell()
    observer.observe(document.body)
  })
}

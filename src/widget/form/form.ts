import { loadLater } from "../load-later.ts"
import type { ShowOffer } from "../offer/offer.ts"
import { ownDocument } from "../own.ts"
import { languageOf, ownScript, serviceAddress } from "../own-script.ts"
import { fitFrames, followFrame } from "./frame.ts"
import { formHelper } from "./helper.ts"

// `/form.js`, browser code: sends the Guichet forms of the page without leaving it, and fits the frames with a form's
// own page to their content. Both work without it, too.
const script = ownScript()
const service = serviceAddress(script)
/** On our own pages: the addresses of the pages that may show it in a frame. */
const frames = script?.dataset["frames"]
const isFramed = frames !== undefined && parent !== window

formHelper({
  service,
  language: languageOf(script?.dataset["language"] || ownDocument.documentElement.lang),
  // A redirect leads to a page of the site, which has no place in a frame of the site.
  target: isFramed ? "_top" : "_self",
  loadOffer: (signal) => loadLater<ShowOffer>(service, "offer", script, signal),
})
if (isFramed) followFrame(frames.split(" "))
else fitFrames(service)

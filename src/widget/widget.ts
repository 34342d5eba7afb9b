import { type AnswerContent, answerNodes } from "./answer.ts"
import type { ContactOptions, ShowContact } from "./contact/contact.ts"
import { dispatch, openConversation } from "./conversation.ts"
import { element } from "./element.ts"
import { loadLater } from "./load-later.ts"
import { type Exchange, recall, remember } from "./memory.ts"
import { ownDocument } from "./own.ts"
import { languageOf, ownScript, serviceAddress } from "./own-script.ts"
import { buildPanel } from "./panel.ts"
import type { RelatedOptions } from "./related/related.ts"
import type { SearchOptions } from "./search/search.ts"
import { loadSettings, type OwnersTexts } from "./settings.ts"
import { answerWords, type Language, widgetWords } from "./words.fr.ts"

// `/widget.js`, browser code: adds the assistant of the project in `data-project` to the page that loads it.
const script = ownScript()
const { theme, shortcut, language: own } = script?.dataset ?? {}
const project = script?.dataset["project"]?.trim() ?? ""

// A page that loads the script twice gets one widget. A list of early calls may have a property of any name,
// but its `ready` is never true.
if ((window.guichet as { ready?: unknown } | undefined)?.ready !== true) installCommands(start())

/** Resolves to nothing where the service has nothing for this page. */
async function start(): Promise<Commands | undefined> {
  const service = serviceAddress(script)
  const settings = await loadSettings(service, project)
  if (!settings) return undefined
  const { lang } = ownDocument.documentElement
  const wanted = [own, settings.language, lang, settings.project_language]
  const language = languageOf(wanted.find((each) => /^(en|fr)\b/i.test(each as string)))
  const texts = settings.texts?.[language]
  const says = { ...answerWords[language], ...widgetWords[language], ...texts }
  const nodesOf = (answer: AnswerContent, key: string) => answerNodes(answer, key, says, () => {})
  const { started } = settings
  /** Does the work of a script that is loaded when it is first needed. Never rejects. */
  const later = <Options>(folder: "related" | "search") => {
    let loading: Promise<(options: Options) => unknown> | undefined
    return async (options: Options) => {
      try {
        loading ??= loadLater(service, folder, script)
        await (await loading)(options)
      } catch {
        loading = undefined
      }
    }
  }
  const contact =
    texts && settings.contact
      ? contactLinks({ script, service, project, language, says: texts, started, nodesOf })
      : undefined
  const showRelated = later<RelatedOptions>("related")
  const conversation = openConversation({
    service,
    project,
    says,
    language,
    panel: () => panel,
    contact,
    showRelated: (about) => showRelated({ ...about, service, language, nodesOf, panel }),
  })
  const showSearch = later<SearchOptions>("search")
  const opened = () => showSearch({ service, project, language, panel, ask: conversation.ask })
  const panel = buildPanel({ language, says, theme, shortcut, settings, opened }, conversation)
  bringBack(true)
  // A page that the browser has kept does not know what was asked since, on another one.
  addEventListener("pageshow", (event) => (event as PageTransitionEvent).persisted && bringBack(false))
  addEventListener("pagehide", keep)
  // The page that is shown next may look before this one is hidden.
  ownDocument.addEventListener("guichet:answer", keep)
  dispatch("ready")

  function keep(): void {
    const { draft, ...place } = panel.place()
    remember(project, {
      exchanges: conversation.exchanges(),
      draft: draft || conversation.pending(),
      ...place,
    })
  }

  function bringBack(isNew: boolean): void {
    try {
      const earlier = recall(project)
      if (!earlier || idOfLast(earlier.exchanges) === idOfLast(conversation.exchanges())) return
      conversation.restore(earlier.exchanges)
      if (isNew) panel.resume(earlier)
    } catch {
      // Another version of this script kept it, or a script of the page changed it.
      conversation.renew()
    }
  }

  return {
    ...panel,
    ask(text) {
      panel.open()
      void conversation.ask(text)
    },
  }
}

function idOfLast(exchanges: readonly Exchange[]): string | undefined {
  return exchanges.at(-1)?.reply.id
}

type Name = "open" | "close" | "ask"

/** Commands that a page's own code may give to the widget. */
type Commands = Record<Exclude<Name, "ask">, () => void> & { ask(text: string): void }

declare global {
  interface Window {
    guichet?: unknown
  }
}

/**
 * Puts the commands at `window.guichet`, and runs the calls that the page left there before the script was loaded:
 * `[["open"], ["ask", "…"]]`. A command waits for the widget; where the service
 * has none for the page, it does nothing.
 */
function installCommands(widget: Promise<Commands | undefined>): void {
  const queued: unknown = window.guichet
  const give = (name: Name) => (text?: unknown) => void widget.then((ready) => ready?.[name](String(text)))
  const commands = { ready: true, open: give("open"), close: give("close"), ask: give("ask") }
  window.guichet = commands
  if (!Array.isArray(queued)) return
  for (const [name, text] of queued as [Name, string][]) commands[name]?.(text)
}

type LinkOptions = Omit<ContactOptions, "place" | "question" | "answerId"> & {
  script: HTMLScriptElement | undefined
  says: OwnersTexts
  language: Language
}

/** Makes the buttons that open the contact form in their place, with the question filled in. */
function contactLinks({ script, ...options }: LinkOptions) {
  const { service, says } = options
  let loading: Promise<ShowContact> | undefined

  return (question: string, answerId?: string): HTMLElement => {
    const button = element("button", { type: "button", class: "write" }, says.write)
    const place = element("div", {}, button)
    button.addEventListener("click", async () => {
      place.querySelector("p")?.remove()
      button.setAttribute("aria-disabled", "true")
      try {
        loading ??= loadLater<ShowContact>(service, "contact", script)
        await (await loading)({ ...options, place, question, answerId })
      } catch {
        loading = undefined
        place.append(element("p", { role: "alert", class: "alert" }, says.write_failed))
      }
      button.removeAttribute("aria-disabled")
    })
    return place
  }
}

import { type AnswerContent, answerNodes } from "./answer.ts"
import { type Commands, installCommands } from "./commands.ts"
import { contactLinks } from "./contact-link.ts"
import { dispatch, openConversation } from "./conversation.ts"
import { loadLater } from "./load-later.ts"
import { recall, remember } from "./memory.ts"
import { languageOf, ownScript, serviceOf } from "./own-script.ts"
import { buildPanel } from "./panel.ts"
import type { ShowRelated } from "./related/related.ts"
import { loadSettings } from "./settings.ts"
import { answerWords, widgetWords } from "./words.fr.ts"

// `/widget.js`, browser code: adds the assistant of the project in `data-project` to the page that loads it.
const script = ownScript()
const { project = "", theme, shortcut } = script?.dataset ?? {}

/** The answer stands already: the visitor does not wait for what may come below it. */
const timeoutMs = 10_000

// A page that loads the script twice gets one widget. A list of early calls may have a property of any name,
// but its `ready` is never true.
if ((window.guichet as Partial<Commands> | undefined)?.ready !== true) start()

function start(): void {
  const service = serviceOf(script)
  const language = languageOf(script)
  const says = { ...answerWords[language], ...widgetWords[language] }
  const nodesOf = (answer: AnswerContent, key: string) => answerNodes(answer, key, says, () => {})
  const settings = loadSettings(service, project)
  const contact = settings.then((shown) =>
    shown?.contact
      ? contactLinks({
          script,
          service,
          project,
          language,
          says,
          started: shown.started,
          nodesOf,
        })
      : undefined,
  )
  let loading: Promise<ShowRelated> | undefined
  const conversation = openConversation({
    service,
    project,
    says,
    panel: () => panel,
    contact,
    async showRelated(about) {
      try {
        loading ??= loadLater(service, "related", script, AbortSignal.timeout(timeoutMs))
        await (await loading)({ ...about, service, language, nodesOf, panel })
      } catch {
        loading = undefined
      }
    },
  })
  const panel = buildPanel({ language, says, theme, shortcut }, conversation)
  const earlier = recall(project)
  if (earlier)
    try {
      conversation.restore(earlier.exchanges)
      panel.resume(earlier)
    } catch {
      // Another version of this script kept it, or a script of the page changed it.
      conversation.renew()
    }
  // A project that does not exist has no button: there is nothing that a visitor could do with it.
  void settings.then((shown) => shown && panel.dress(shown))
  addEventListener("pagehide", () => {
    const { draft, ...place } = panel.place()
    remember(project, {
      exchanges: conversation.exchanges(),
      draft: draft || conversation.pending(),
      ...place,
    })
  })
  installCommands({
    ready: true,
    open: panel.open,
    close: panel.close,
    ask(text) {
      panel.open()
      void conversation.ask(String(text))
    },
  })
  dispatch("ready")
}

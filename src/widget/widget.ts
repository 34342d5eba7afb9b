import { answerNodes } from "./answer.ts"
import { type Commands, installCommands } from "./commands.ts"
import { contactLinks } from "./contact-link.ts"
import { dispatch, openConversation } from "./conversation.ts"
import { recall, remember } from "./memory.ts"
import { languageOf, ownScript, serviceOf } from "./own-script.ts"
import { buildPanel } from "./panel.ts"
import { loadSettings } from "./settings.ts"
import { answerWords, widgetWords } from "./words.fr.ts"

// `/widget.js`, browser code: adds the assistant of the project in `data-project` to the page that loads it.
const script = ownScript()
const { project = "", theme, shortcut } = script?.dataset ?? {}

// A page that loads the script twice gets one widget. A list of early calls may have a property of any name,
// but its `ready` is never true.
if ((window.guichet as Partial<Commands> | undefined)?.ready !== true) start()

function start(): void {
  const service = serviceOf(script)
  const language = languageOf(script)
  const says = { ...answerWords[language], ...widgetWords[language] }
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
          nodesOf: (answer, key) => answerNodes(answer, key, says, () => {}),
        })
      : undefined,
  )
  const conversation = openConversation({ service, project, says, panel: () => panel, contact })
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

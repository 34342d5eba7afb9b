import { type Commands, installCommands } from "./commands.ts"
import { dispatch, openConversation } from "./conversation.ts"
import { widgetMessages } from "./messages.fr.ts"
import { languageOf, ownScript, serviceOf } from "./own-script.ts"
import { buildPanel } from "./panel.ts"

// `/widget.js`, browser code: adds the assistant of the project in `data-project` to the page that loads it.
const script = ownScript("widget")
const { project = "", theme, shortcut } = script?.dataset ?? {}

// A page that loads the script twice gets one widget. A list of early calls may have a property of any name,
// but its `ready` is never true.
if ((window.guichet as Partial<Commands> | undefined)?.ready !== true) start()

function start(): void {
  const language = languageOf(script)
  const says = widgetMessages[language]
  const ask = openConversation({ service: serviceOf(script), project, says, panel: () => panel })
  const panel = buildPanel({ language, says, theme, shortcut }, ask)
  installCommands({
    ready: true,
    open: panel.open,
    close: panel.close,
    ask(text) {
      panel.open()
      void ask(String(text))
    },
  })
  dispatch("ready")
}

import { type Commands, takeCommands } from "./commands.ts"
import { announce, openConversation } from "./conversation.ts"
import { languageOf } from "./language.ts"
import { widgetMessages } from "./messages.fr.ts"
import { buildPanel } from "./panel.ts"
import { ownScript, serviceOf } from "./service.ts"

// `/widget.js`: gives the page that loads it the assistant of the project named by its `data-project`.
// Browser code.
const script = ownScript("widget")
const { project = "", theme, shortcut } = script?.dataset ?? {}

// A script that a page loads twice is one widget. A list of early calls may answer to any name, though never
// with true.
if ((window.guichet as Partial<Commands> | undefined)?.ready !== true) start()

function start(): void {
  const language = languageOf(script)
  const says = widgetMessages[language]
  const ask = openConversation({ service: serviceOf(script), project, says, panel: () => panel })
  const panel = buildPanel({ language, says, theme, shortcut }, ask)
  takeCommands({
    ready: true,
    open: panel.open,
    close: panel.close,
    ask(text) {
      panel.open()
      void ask(String(text))
    },
  })
  announce("ready")
}

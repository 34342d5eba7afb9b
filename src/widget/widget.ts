import { type AnswerContent, answerNodes } from "./answer.ts"
import { type Commands, installCommands } from "./commands.ts"
import { contactLinks } from "./contact-link.ts"
import { dispatch, openConversation } from "./conversation.ts"
import { loadLater } from "./load-later.ts"
import { recall, remember } from "./memory.ts"
import { ownDocument } from "./own.ts"
import { languageOf, ownScript, serviceOf } from "./own-script.ts"
import { buildPanel } from "./panel.ts"
import type { ShowRelated } from "./related/related.ts"
import { loadSettings } from "./settings.ts"
import { answerWords, widgetWords } from "./words.fr.ts"

// `/widget.js`, browser code: adds the assistant of the project in `data-project` to the page that loads it.
const script = ownScript()
const { project = "", theme, shortcut, language: own } = script?.dataset ?? {}

// A page that loads the script twice gets one widget. A list of early calls may have a property of any name,
// but its `ready` is never true.
if ((window.guichet as { ready?: unknown } | undefined)?.ready !== true) installCommands(start())

/** Resolves to nothing where the service has nothing for this page. */
async function start(): Promise<Commands | undefined> {
  const service = serviceOf(script)
  const settings = await loadSettings(service, project)
  if (!settings) return undefined
  const { lang } = ownDocument.documentElement
  const language = languageOf(own || settings.language || lang || settings.project_language)
  const texts = settings.texts?.[language]
  const says = { ...answerWords[language], ...widgetWords[language], ...texts }
  const nodesOf = (answer: AnswerContent, key: string) => answerNodes(answer, key, says, () => {})
  const { started } = settings
  const contact =
    texts && settings.contact
      ? contactLinks({ script, service, project, language, says: texts, started, nodesOf })
      : undefined
  let loading: Promise<ShowRelated> | undefined
  const conversation = openConversation({
    service,
    project,
    says,
    language,
    panel: () => panel,
    contact,
    async showRelated(about) {
      try {
        loading ??= loadLater(service, "related", script)
        await (await loading)({ ...about, service, language, nodesOf, panel })
      } catch {
        loading = undefined
      }
    },
  })
  const panel = buildPanel({ language, says, theme, shortcut, settings }, conversation)
  const earlier = recall(project)
  if (earlier)
    try {
      conversation.restore(earlier.exchanges)
      panel.resume(earlier)
    } catch {
      // Another version of this script kept it, or a script of the page changed it.
      conversation.renew()
    }
  addEventListener("pagehide", () => {
    const { draft, ...place } = panel.place()
    remember(project, {
      exchanges: conversation.exchanges(),
      draft: draft || conversation.pending(),
      ...place,
    })
  })
  dispatch("ready")
  return {
    ...panel,
    ask(text) {
      panel.open()
      void conversation.ask(text)
    },
  }
}

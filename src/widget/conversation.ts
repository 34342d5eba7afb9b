import { answerNodes } from "./answer.ts"
import { ask, type Sentence } from "./ask.ts"
import { element } from "./element.ts"
import { feedback } from "./feedback.ts"
import type { WidgetMessages } from "./messages.fr.ts"
import type { Panel } from "./panel.ts"
import type { Failure, Reply, Source } from "./reply.ts"

interface Talking {
  service: string
  project: string
  says: WidgetMessages
  panel(): Panel
}

/** The specification's limits: of a path, of a question, and of the answers that a question recalls. */
const maxPageLength = 512
const minQuestionLength = 2
const maxPrevious = 3

/**
 * Returns what asks a question in the panel and shows what comes of it. One question at a time: others are
 * left unasked.
 */
export function openConversation({
  service,
  project,
  says,
  panel,
}: Talking): (text: string) => Promise<void> {
  const previous: string[] = []
  let working = false
  let count = 0

  return async (text) => {
    const question = text.trim()
    const { field, objectTo, tell } = panel()
    if (working) return
    if ([...question].length < minQuestionLength) return objectTo(says.tooShort)
    working = true
    field.value = ""
    objectTo("")
    tell(says.searching, true)
    const exchange = show(question)
    announce("question", { question })
    const outcome = await ask(service, asked(question), says, exchange.preview)
    working = false
    if ("sentence" in outcome) {
      exchange.fail(outcome)
      tell("")
      // To be sent again without being typed again.
      field.value ||= question
      announce("error", { question, code: outcome.code, message: outcome.sentence })
      return
    }
    exchange.answer(outcome)
    tell(outcome.status === "answered" ? says.ready(outcome.sources.length) : says.unanswered)
    // Only what was answered gives context to a later question.
    if (outcome.status === "answered") previous.push(outcome.id)
    announce("answer", { question, id: outcome.id, status: outcome.status, sources: outcome.sources })
  }

  function asked(question: string) {
    const page = location.pathname
    return {
      project,
      question,
      ...([...page].length <= maxPageLength && { page }),
      previous: previous.slice(-maxPrevious),
    }
  }

  function show(question: string) {
    const { talk, close } = panel()
    const key = `answer-${++count}`
    const content = element("div", { "aria-busy": "true" })
    const asked = element("h3", { id: key }, question)
    const article = element("article", { "aria-labelledby": key }, asked, content)
    talk.append(article)
    article.scrollIntoView()
    let written = ""
    const sources: Source[] = []

    /** Not announced sentence by sentence: the status says when the answer is there. */
    function preview(sentence: Sentence): void {
      const apart = /\n|^\s*([-*+>|#]|\d+[.)]|```|~~~)/.test(sentence.text) ? "\n\n" : " "
      written += written && apart
      written += sentence.text
      for (const source of sentence.sources)
        if (!sources.some(({ n }) => n === source.n)) sources.push(source)
      const [text] = answerNodes({ answer: written, sources }, key, says, close)
      content.replaceChildren(text as HTMLElement)
    }

    function answer(reply: Reply): void {
      article.className = reply.status
      settle(...answerNodes(reply, key, says, close), feedback(service, reply.id, says))
    }

    function fail({ sentence, fromService }: Failure): void {
      settle(element("p", { role: "alert", class: "alert", ...(fromService && { lang: "fr" }) }, sentence))
    }

    function settle(...nodes: HTMLElement[]): void {
      content.replaceChildren(...nodes)
      content.removeAttribute("aria-busy")
      // Now there is enough below the question for it to stand at the top.
      article.scrollIntoView()
    }

    return { preview, answer, fail }
  }
}

/** Tells the page: `guichet:question`, `guichet:answer`, `guichet:error`, `guichet:ready`. */
export function announce(name: "ready" | "question" | "answer" | "error", detail: object = {}): void {
  document.dispatchEvent(new CustomEvent(`guichet:${name}`, { detail }))
}

import { answerNodes, relatedList } from "./answer.ts"
import { ask, type Sentence } from "./ask.ts"
import { element } from "./element.ts"
import { feedback } from "./feedback.ts"
import type { WidgetMessages } from "./messages.fr.ts"
import type { Panel } from "./panel.ts"
import { relatedTo } from "./related.ts"
import type { Failure, Reply, Source } from "./reply.ts"

interface ConversationOptions {
  service: string
  project: string
  says: WidgetMessages
  panel(): Panel
}

interface ShownAnswer {
  /** Begins every id in the answer. */
  key: string
  text: HTMLElement
}

/**
 * Limits of the specification: length of a path and of a question in code points, and answers that `previous`
 * may name.
 */
const maxPageLength = 512
const minQuestionLength = 2
const maxPrevious = 3

/**
 * Returns the function that asks a question in the panel and shows the result. Only one question is asked at
 * a time; others are dropped.
 */
export function openConversation({
  service,
  project,
  says,
  panel,
}: ConversationOptions): (text: string) => Promise<void> {
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
    const entry = show(question)
    dispatch("question", { question })
    const result = await ask(service, requestFor(question), says, entry.preview)
    working = false
    if ("sentence" in result) {
      entry.fail(result)
      tell("")
      // The visitor can send the question again without typing it again.
      field.value ||= question
      dispatch("error", { question, code: result.code, message: result.sentence })
      return
    }
    const answer = entry.answer(result)
    tell(result.status === "answered" ? says.ready(result.sources.length) : says.unanswered)
    // Only an `answered` answer gives context to a later question.
    if (result.status === "answered") previous.push(result.id)
    dispatch("answer", { question, id: result.id, status: result.status, sources: result.sources })
    if (result.status === "no_answer") await suggestPages(result.id, answer)
  }

  /** Shows the pages that may help below the answer, and announces them unless something else happened since. */
  async function suggestPages(id: string, answer: ShownAnswer): Promise<void> {
    const { tell, close } = panel()
    const asked = count
    const pages = await relatedTo(service, id)
    if (pages.length === 0) return
    answer.text.after(relatedList(pages, answer.key, says, close))
    if (count === asked) tell(says.unansweredWithPages(pages.length))
  }

  function requestFor(question: string) {
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
    const heading = element("h3", { id: key }, question)
    const article = element("article", { "aria-labelledby": key }, heading, content)
    talk.append(article)
    article.scrollIntoView()
    let written = ""
    const sources: Source[] = []

    /**
     * Shows the sentences that have come so far. Screen readers hear nothing of them: the status announces
     * the whole answer.
     */
    function preview(sentence: Sentence): void {
      const separator = /\n|^\s*([-*+>|#]|\d+[.)]|```|~~~)/.test(sentence.text) ? "\n\n" : " "
      written += written && separator
      written += sentence.text
      for (const source of sentence.sources)
        if (!sources.some(({ n }) => n === source.n)) sources.push(source)
      const [text] = answerNodes({ answer: written, sources }, key, says, close)
      content.replaceChildren(text as HTMLElement)
    }

    function answer(reply: Reply): ShownAnswer {
      article.className = reply.status
      const nodes = answerNodes(reply, key, says, close)
      settle(...nodes, feedback(service, reply.id, says))
      return { key, text: nodes[0] as HTMLElement }
    }

    function fail({ sentence, fromService }: Failure): void {
      settle(element("p", { role: "alert", class: "alert", ...(fromService && { lang: "fr" }) }, sentence))
    }

    function settle(...nodes: HTMLElement[]): void {
      content.replaceChildren(...nodes)
      content.removeAttribute("aria-busy")
      // Only now is there enough below the question for it to stand at the top.
      article.scrollIntoView()
    }

    return { preview, answer, fail }
  }
}

/**
 * Dispatches an event to the page: `guichet:question`, `guichet:answer`, `guichet:error` or `guichet:ready`.
 */
export function dispatch(name: "ready" | "question" | "answer" | "error", detail: object = {}): void {
  document.dispatchEvent(new CustomEvent(`guichet:${name}`, { detail }))
}

import { answerNodes } from "./answer.ts"
import { ask, type Sentence } from "./ask.ts"
import { element } from "./element.ts"
import { feedback } from "./feedback.ts"
import type { Exchange } from "./memory.ts"
import { ownDocument } from "./own.ts"
import type { Panel } from "./panel.ts"
import type { RelatedOptions } from "./related/related.ts"
import type { Failure, Source } from "./reply.ts"
import type { Language, WidgetWords } from "./words.fr.ts"

interface ConversationOptions {
  service: string
  project: string
  says: WidgetWords
  language: Language
  panel(): Panel
  /** A way to write to the owner about a question and its answer, if any, where the owner has chosen one. */
  contact: ((question: string, answerId?: string) => HTMLElement) | undefined
  /** Shows what may help in place of an answer, or beside it. Never rejects. */
  showRelated(about: Pick<RelatedOptions, "exchange" | "article" | "key">): Promise<void>
}

export interface Conversation {
  /** Asks and shows the result. Only one question is asked at a time; others are dropped. */
  ask(text: string): Promise<void>
  restore(exchanges: readonly Exchange[]): void
  renew(): void
  exchanges(): Exchange[]
  /** The question that is being answered, or an empty text. */
  pending(): string
}

interface ShownAnswer {
  /** Begins every id in the answer. */
  key: string
  article: HTMLElement
}

/**
 * Limits of the specification: length of a path, which the browser writes in ASCII, and of a question in code points,
 * and answers that `previous` may name.
 */
const maxPageLength = 512
const minQuestionLength = 2
const maxPrevious = 3

export function openConversation(options: ConversationOptions): Conversation {
  const { service, project, says, language, panel, showRelated } = options
  let exchanges: Exchange[] = []
  let pending = ""
  let count = 0
  const show = (question: string) => showQuestion(options, question, `answer-${++count}`)

  return {
    ask: askAndShow,
    restore(earlier) {
      panel().empty()
      exchanges = [...earlier]
      for (const exchange of exchanges) {
        const answer = show(exchange.question).answer(exchange)
        if (exchange.related) void showRelated({ exchange, ...answer })
      }
    },
    renew() {
      exchanges = []
      panel().empty()
    },
    exchanges: () => exchanges,
    pending: () => pending,
  }

  async function askAndShow(text: string): Promise<void> {
    const question = text.trim()
    const { field, objectTo, tell } = panel()
    if (pending) return
    if ([...question].length < minQuestionLength) return objectTo(says.tooShort)
    pending = question
    field.value = ""
    objectTo("")
    tell(says.searching, true)
    const entry = show(question)
    dispatch("question", { question })
    const started = exchanges
    const reply = await ask(service, requestFor(project, question, exchanges), says, language, entry.preview)
    pending = ""
    if ("sentence" in reply) {
      entry.fail(reply)
      tell("")
      // The visitor can send the question again without typing it again.
      field.value ||= question
      dispatch("error", { question, code: reply.code, message: reply.sentence })
      return
    }
    const exchange: Exchange = { question, reply }
    // The answer to a question of a conversation that was left is no part of the new one.
    started.push(exchange)
    const answer = entry.answer(exchange)
    const { id, status, sources, courtesy } = reply
    tell(status === "answered" || courtesy ? says.ready(sources.length) : says.unanswered)
    dispatch("answer", { question, id, status, sources })
    if (!courtesy) await showRelated({ exchange, ...answer })
  }
}

function requestFor(project: string, question: string, exchanges: readonly Exchange[]) {
  const page = location.pathname
  // Only an `answered` answer gives context to a later question.
  const answered = exchanges.filter(({ reply }) => reply.status === "answered")
  return {
    project,
    question,
    ...(page.length <= maxPageLength && { page }),
    previous: answered.slice(-maxPrevious).map(({ reply }) => reply.id),
  }
}

/** Shows a question, and below it what the service answers. `key` begins every id in it. */
function showQuestion({ service, says, panel, contact }: ConversationOptions, question: string, key: string) {
  const { add, close } = panel()
  const content = element("div", { "aria-busy": "true" })
  const heading = element("h3", { id: key }, question)
  const article = element("article", { "aria-labelledby": key }, heading, content)
  add(article)
  article.scrollIntoView()
  let written = ""
  const sources: Source[] = []

  /** Screen readers hear nothing of them: the status announces the whole answer. */
  function preview(sentence: Sentence): void {
    const separator = /\n|^\s*([-*+>|#]|\d+[.)]|```|~~~)/.test(sentence.text) ? "\n\n" : " "
    written += written && separator
    written += sentence.text
    sources.push(...sentence.sources)
    const [text] = answerNodes({ answer: written, sources }, key, says, close)
    content.replaceChildren(text as HTMLElement)
  }

  function answer(exchange: Exchange): ShownAnswer {
    const { reply } = exchange
    const nodes = answerNodes(reply, key, says, close)
    if (reply.courtesy) {
      settle(...nodes)
      return { key, article }
    }
    article.className = reply.status
    const offer = () => {
      if (!contact || content.querySelector(".write")) return
      const above = opinion || (nodes[0] as HTMLElement)
      above.after(contact(question, reply.id))
    }
    // There is nothing to judge in a refusal.
    const opinion = reply.status === "answered" && feedback(service, exchange, says, offer)
    settle(...nodes, opinion || "")
    if (!opinion || exchange.useful === false) offer()
    return { key, article }
  }

  function fail({ sentence, fromService }: Failure): void {
    article.className = "no_answer"
    // Whatever keeps the service from answering, it still takes messages.
    const link = fromService && contact?.(question)
    const alert = element(
      "p",
      { role: "alert", class: "alert", ...(fromService && { lang: "fr" }) },
      sentence,
    )
    settle(alert, link ?? "")
  }

  function settle(...nodes: (HTMLElement | string)[]): void {
    content.replaceChildren(...nodes)
    content.removeAttribute("aria-busy")
    // Only now is there enough below the question for it to stand at the top.
    article.scrollIntoView()
  }

  return { preview, answer, fail }
}

/** `guichet:question`, `guichet:answer`, `guichet:error` or `guichet:ready`. */
export function dispatch(name: "ready" | "question" | "answer" | "error", detail: object = {}): void {
  ownDocument.dispatchEvent(new CustomEvent(`guichet:${name}`, { detail }))
}

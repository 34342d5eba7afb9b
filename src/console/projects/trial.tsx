/** @jsxImportSource preact */

import type { Project } from "../../accounts/project.ts"
import type { AnsweredQuestion } from "../../assistant/ask/answer.ts"
import type { Passage } from "../../assistant/documents/document.ts"
import { withoutLinks } from "../../assistant/documents/link.ts"
import { Field, Form } from "../kit/fields.tsx"
import type { FormState } from "../kit/form-state.ts"
import { answerHtml } from "../kit/markdown.ts"
import type { PageContext } from "../kit/page-context.ts"
import { messages } from "../messages/trial.fr.ts"

interface TrialProps {
  context: PageContext
  project: Project
  formState: FormState
  trialResult: AnsweredQuestion | undefined
}

/** A box to try a question. It shows the answer, the passages found, and why it was answered or refused. */
export function Trial({ context, project, formState, trialResult }: TrialProps) {
  return (
    <section aria-labelledby="trial">
      <h2 id="trial">{messages.title}</h2>
      {project.indexedAt === null ? (
        <p>
          {messages.notIndexed} <a href={`/console/projects/${project.id}/indexing`}>{messages.toIndexing}</a>
        </p>
      ) : (
        <Form context={context} action={`/console/projects/${project.id}/trials#trial`}>
          <Field formState={formState} name="question" label={messages.question} hint={messages.hint} />
          <button type="submit">{messages.ask}</button>
        </Form>
      )}
      {trialResult && <Tried {...trialResult} />}
    </section>
  )
}

function Tried({ result, retrieval }: AnsweredQuestion) {
  const isAnswered = result.status === "answered"
  const cited = new Set(result.sources.map(({ url }) => url))
  return (
    <div class="tried">
      <h3>
        {messages.answer}{" "}
        <span class={isAnswered ? "tag good" : "tag warn"}>
          {isAnswered ? messages.answered : messages.refused}
        </span>
      </h3>
      <div class="quote" dangerouslySetInnerHTML={{ __html: answerHtml(result.answer, "tried") }} />
      {isAnswered && (
        <>
          <h3>{messages.sources}</h3>
          <ol>
            {result.sources.map(({ n, title, section, url }) => (
              <li key={n} id={`source-tried-${n}`} value={n}>
                <a href={url} rel="noreferrer">
                  {section ? `${title} › ${section}` : title}
                </a>
              </li>
            ))}
          </ol>
        </>
      )}
      <Reasons retrieval={retrieval} isAnswered={isAnswered} />
      <h3>{messages.passages}</h3>
      {retrieval.ranked.length === 0 ? (
        <p>{messages.noPassage}</p>
      ) : (
        <ol class="passages">
          {retrieval.ranked.map(({ passage, score }) => (
            <li key={passage.key}>
              <a href={passage.url} rel="noreferrer">
                {[passage.title, ...passage.headings].join(" › ")}
              </a>{" "}
              {cited.has(passage.url) && <span class="tag good">{messages.cited}</span>}{" "}
              <span class="hint">
                {messages.score(score.toLocaleString("fr", { maximumFractionDigits: 2 }))}
              </span>
              <p class="hint">{excerptOf(passage)}</p>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

function Reasons({ retrieval, isAnswered }: Pick<AnsweredQuestion, "retrieval"> & { isAnswered: boolean }) {
  const { signals, decision } = retrieval
  const facts = [
    [messages.window, signals.windowCoverage],
    [messages.head, signals.headCoverage],
    [messages.unknown, signals.unknownShare],
  ] as const
  return (
    <>
      <h3>{messages.why}</h3>
      <p>{reason(decision, isAnswered)}</p>
      <dl class="facts">
        {facts.map(([label, share]) => (
          <>
            <dt>{label}</dt>
            <dd>{percent(share)}</dd>
          </>
        ))}
      </dl>
    </>
  )
}

function reason(
  { answerable, confidence }: AnsweredQuestion["retrieval"]["decision"],
  isAnswered: boolean,
): string {
  if (isAnswered)
    return answerable ? messages.whyAnswered(percent(confidence)) : messages.whyAsked(percent(confidence))
  return answerable ? messages.whyNothing : messages.whyRefused(percent(confidence))
}

function percent(share: number): string {
  return share.toLocaleString("fr", { style: "percent" })
}

const excerptLength = 280

function excerptOf({ markdown }: Passage): string {
  const text = withoutLinks(markdown)
    .replace(/^ *(```|~~~).*$/gm, " ")
    .replace(/[*`]|^#+ /gm, "")
    .replace(/\s+/g, " ")
    .trim()
  return text.length > excerptLength ? `${text.slice(0, excerptLength)}…` : text
}

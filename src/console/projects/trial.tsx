/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import type { Project } from "../../accounts/project.ts"
import type { AnsweredQuestion } from "../../assistant/ask/answer.ts"
import type { Passage } from "../../assistant/documents/document.ts"
import { withoutLinks } from "../../assistant/documents/link.ts"
import type { FoundPassage } from "../../assistant/retrieval/retrieve.ts"
import type { Meaning } from "../indexing/meaning.ts"
import { Field, Form, Problem } from "../kit/forms/fields.tsx"
import { answerHtml } from "../kit/markdown.ts"
import { usePage, useSubmitted } from "../kit/page-context.ts"
import { WriteAnswer } from "../questions/write-answer.tsx"
import { words } from "./trial.fr.ts"
import { hundredths, Reasons } from "./trial-reasons.tsx"

interface TrialProps {
  project: Project
  trialResult: AnsweredQuestion | undefined
  meaning: Meaning
  /** Leads on. */
  next: ComponentChildren
}

/**
 * A box to try a question. It shows the answer or the refusal, then why, then `next`.
 */
export function Trial({ project, trialResult, meaning, next }: TrialProps) {
  const context = usePage()
  const submitted = useSubmitted()
  const why = trialResult && <Why {...trialResult} meaning={meaning} />
  const isAnswered = trialResult?.result.status === "answered"
  return (
    <>
      <section id="trial" aria-label={words.title}>
        <TrialForm project={project} />
        {trialResult && <Tried {...trialResult} />}
        {trialResult && !isAnswered && context.may("editor") && (
          <p>
            <WriteAnswer projectId={project.id} question={submitted.values.get("question")?.trim() ?? ""} />
          </p>
        )}
      </section>
      {why}
      {next}
    </>
  )
}

/** The question to try, or what is missing before one can be tried. */
export function TrialForm({ project }: Pick<TrialProps, "project">) {
  const { problems } = useSubmitted("question")
  return project.indexedAt === null ? (
    <p>
      {words.notIndexed} <a href={`/console/projects/${project.id}/indexing`}>{words.toIndexing}</a>
    </p>
  ) : (
    <Form action={`/console/projects/${project.id}/trials#trial`} only="question">
      {!problems["question"] && <Problem />}
      <div class="row">
        <Field name="question" label={words.question} hint={words.hint} />
        <button type="submit">{words.ask}</button>
      </div>
    </Form>
  )
}

function Tried({ result }: AnsweredQuestion) {
  const isAnswered = result.status === "answered"
  return (
    <div class="tried">
      <h2>
        {words.answer}{" "}
        <span class={isAnswered ? "tag good" : "tag warn"}>
          {isAnswered ? words.answered : words.refused}
        </span>
      </h2>
      <div class="quote" dangerouslySetInnerHTML={{ __html: answerHtml(result.answer, "tried") }} />
      {isAnswered && (
        <>
          <h2>{words.sources}</h2>
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
    </div>
  )
}

function Why({ result, retrieval, chosen, meaning }: AnsweredQuestion & { meaning: Meaning }) {
  return (
    <section>
      {chosen ? (
        <>
          <h2>{words.why}</h2>
          <p>{words.chosen(chosen.question, hundredths(chosen.likeness))}</p>
        </>
      ) : (
        <Found
          retrieval={retrieval}
          isAnswered={result.status === "answered"}
          cited={new Set(result.sources.map(({ url }) => url))}
          meaning={meaning}
        />
      )}
    </section>
  )
}

interface FoundProps extends Pick<AnsweredQuestion, "retrieval"> {
  isAnswered: boolean
  cited: ReadonlySet<string>
  meaning: Meaning
}

/** Why the documentation answers or not, and the passages that were found in it. */
function Found({ retrieval, isAnswered, cited, meaning }: FoundProps) {
  return (
    <>
      <Reasons retrieval={retrieval} isAnswered={isAnswered} meaning={meaning} />
      <h2>{words.passages}</h2>
      {retrieval.ranked.length === 0 ? (
        <p>{words.noPassage}</p>
      ) : (
        <ol class="passages">
          {retrieval.ranked.map(({ passage, ...found }) => (
            <li key={passage.key}>
              <a href={passage.url} rel="noreferrer">
                {[passage.title, ...passage.headings].join(" › ")}
              </a>{" "}
              {cited.has(passage.url) && <span class="tag good">{words.cited}</span>}{" "}
              <span class="hint">{scoreOf(found)}</span>
              <p class="hint">{excerptOf(passage)}</p>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

function scoreOf({ score, words: wordScore, meaning }: Omit<FoundPassage, "passage">): string {
  return meaning === undefined
    ? words.score(hundredths(score), hundredths(wordScore))
    : words.scores(hundredths(score), hundredths(wordScore), hundredths(meaning))
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

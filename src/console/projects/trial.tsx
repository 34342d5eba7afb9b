import type { Project } from "../../accounts/project.ts"
import type { AnsweredQuestion } from "../../answering/ask/answer.ts"
import type { FoundPassage } from "../../answering/retrieval/retrieve.ts"
import { oneLine } from "../../base/text.ts"
import { markdownText } from "../../style/markdown.ts"
import type { Meaning } from "../indexing/meaning.ts"
import { Section, Tag } from "../kit/components.tsx"
import { Field, Form, Problem } from "../kit/forms/fields.tsx"
import { useSubmitted } from "../kit/page-context.ts"
import { Answer } from "../questions/answer.tsx"
import { questionsPath } from "../questions/questions-page.tsx"
import { words as questionWords } from "../questions/words.fr.ts"
import { words } from "./trial.fr.ts"
import { hundredths, Judged, Reasons } from "./trial-reasons.tsx"

/** Characters of a found passage that are shown. */
const excerptLength = 280

/** For the pages of a project that lead to its trials. */
export function TrialSection({ project }: { project: Project }) {
  return (
    <Section id="trial" title={words.title}>
      <TrialForm project={project} />
    </Section>
  )
}

/** The question to try, or what is missing before one can be tried. */
export function TrialForm({ project }: { project: Project }) {
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
        {project.editions.length > 0 && (
          <Field
            name="edition"
            label={words.edition}
            choices={project.editions.map(({ name, label }) => [name, label] as const)}
          />
        )}
        <button type="submit">{words.ask}</button>
      </div>
    </Form>
  )
}

export function Tried({ result }: AnsweredQuestion) {
  const isAnswered = result.status === "answered"
  const offered = isAnswered ? undefined : result.related?.[0]?.excerpt
  return (
    <div class="tried">
      <h2>
        {words.answer}{" "}
        <Tag mood={isAnswered ? "good" : "warn"}>{isAnswered ? words.answered : words.refused}</Tag>
      </h2>
      <Answer
        id="tried"
        answer={result.answer}
        sources={isAnswered ? result.sources : []}
        heading={words.sources}
      />
      {offered && (
        <>
          <p class="hint">{questionWords.related(1, false)}</p>
          <Answer id="offered" answer={offered} sources={[]} />
        </>
      )}
    </div>
  )
}

/** Why the documentation answers or not, and the passages that were found in it. */
export function Why({
  project,
  question,
  result,
  retrieval,
  chosen,
  cited,
  meaning,
}: AnsweredQuestion & { project: Project; question: string; meaning: Meaning }) {
  if (chosen)
    return (
      <Section title={words.why}>
        <p>
          {words.chosen} <a href={questionsPath(project, "chosen", `/${chosen.id}`)}>{chosen.question}</a>{" "}
          {words.chosenLikeness(hundredths(chosen.likeness))}
        </p>
      </Section>
    )
  return (
    <section>
      <Reasons project={project} question={question} result={result} retrieval={retrieval}>
        <Judged retrieval={retrieval} meaning={meaning} />
        {retrieval.ranked.length === 0 ? (
          <p>{words.noPassage}</p>
        ) : (
          <ol class="passages" aria-label={words.passages}>
            {retrieval.ranked.map(({ passage, ...found }) => (
              <li key={passage.key}>
                <a href={passage.url} rel="noreferrer">
                  {[passage.title, ...passage.headings].join(" › ")}
                </a>{" "}
                {cited?.has(passage) && <Tag mood="good">{words.cited}</Tag>}{" "}
                <span class="hint">{scoreText(found)}</span>
                <p class="hint">{oneLine(markdownText(passage.markdown), excerptLength)}</p>
              </li>
            ))}
          </ol>
        )}
      </Reasons>
    </section>
  )
}

function scoreText({ score, words: wordScore, meaning }: Omit<FoundPassage, "passage">): string {
  return meaning === undefined
    ? words.score(hundredths(score), hundredths(wordScore))
    : words.scores(hundredths(score), hundredths(wordScore), hundredths(meaning))
}

/** @jsxImportSource preact */

import type { Project } from "../../accounts/project.ts"
import type { IndexingRun, RunOutcome } from "../../assistant/indexing/indexing-run.ts"
import { Form } from "../kit/fields.tsx"
import type { Visit } from "../kit/page-context.ts"
import { Particulars } from "../kit/parts.tsx"
import { Time } from "../kit/time.tsx"
import { sentences } from "../sentences/indexing.ts"

interface StateProps {
  visit: Visit
  project: Project
  timezone: string
  run: IndexingRun | undefined
  /** Something is being done, or waits for its turn. */
  isBusy: boolean
  counts: { indexed: number; leftOut: number }
  hasFeed: boolean
}

/** How the index stands, and how its reading goes; renews itself while one does. */
export function IndexingState(props: StateProps) {
  const { visit, project, timezone, run, isBusy, counts, hasFeed } = props
  const isGoing = isBusy || run?.state === "running"
  return (
    <section
      id="indexing-state"
      aria-labelledby="state"
      data-refresh={isGoing ? `/console/projects/${project.id}/indexing` : undefined}
    >
      <h2 id="state">{sentences.state}</h2>
      {project.indexedAt === null ? (
        <p class={isGoing ? undefined : "notice"}>
          {sentences.notIndexed} {!hasFeed && sentences.addFirst}
        </p>
      ) : (
        <dl class="facts">
          <dt>{sentences.pages}</dt>
          <dd>{counts.indexed.toLocaleString("fr")}</dd>
          <dt>{sentences.builtAt}</dt>
          <dd>
            <Time at={project.indexedAt} timezone={timezone} />
          </dd>
          {run?.endedAt && (
            <>
              <dt>{sentences.lastRun}</dt>
              <dd>
                <Time at={run.endedAt} timezone={timezone} />
              </dd>
            </>
          )}
        </dl>
      )}
      {isGoing ? (
        <Going run={run} isAnswering={project.indexedAt !== null} />
      ) : (
        run && <Ended run={run} visit={visit} project={project} />
      )}
      {!isGoing && hasFeed && visit.may("editor") && (
        <Form visit={visit} action={`/console/projects/${project.id}/indexing/readings`}>
          <button type="submit">{sentences.readNow}</button>
        </Form>
      )}
    </section>
  )
}

function Going({ run, isAnswering }: { run: IndexingRun | undefined; isAnswering: boolean }) {
  const isRunning = run?.state === "running"
  const isBegun = run?.state === "interrupted" && run.phase === "reading" && run.done > 0
  const doing = isRunning
    ? sentences.phases[run.phase](run.done, run.total)
    : isBegun
      ? sentences.givenWay(run.done)
      : sentences.waiting
  return (
    <>
      <p role="status">
        <strong>{sentences.going}.</strong> {doing}
      </p>
      <progress
        aria-label={sentences.going}
        {...(isRunning && run.total !== null && { value: run.done, max: Math.max(run.total, 1) })}
      />
      {isAnswering && <p class="hint">{sentences.staysLive}</p>}
    </>
  )
}

function Ended({ run, visit, project }: { run: IndexingRun; visit: Visit; project: Project }) {
  const { outcome } = run
  if (!outcome) return <p class="notice">{sentences.interrupted}</p>
  const troubles = "trouble" in outcome ? [outcome.trouble] : outcome.refused
  return (
    <>
      {"trouble" in outcome ? <h3>{sentences.failed}</h3> : <p>{summaryOf(outcome)}</p>}
      {troubles.map((trouble) => (
        <div key={trouble.reason} class="problem" role="alert">
          <p>{trouble.sentence}</p>
          {trouble.reason && (
            <p class="reason">
              {sentences.particulars}
              {"\u00a0: "}
              <Particulars text={trouble.reason} />
            </p>
          )}
        </div>
      ))}
      {troubles.some(({ isForcible }) => isForcible) && visit.may("editor") && (
        <Form
          visit={visit}
          action={`/console/projects/${project.id}/indexing/readings`}
          confirm={sentences.readForcedConfirm}
        >
          <input type="hidden" name="force" value="yes" />
          <button type="submit" class="grave">
            {sentences.readForced}
          </button>
        </Form>
      )}
    </>
  )
}

function summaryOf(outcome: Exclude<RunOutcome, { trouble: unknown }>): string {
  const { documents, unchanged, removed, skipped, seconds } = outcome
  return sentences.outcome(documents, unchanged, removed, skipped, seconds)
}

/** @jsxImportSource preact */

import type { Project } from "../../accounts/project.ts"
import type { IndexingRun, RunOutcome } from "../../assistant/indexing/indexing-run.ts"
import { userMessage } from "../../wording/user-message.ts"
import { Form } from "../kit/fields.tsx"
import type { Visit } from "../kit/page-context.ts"
import { Particulars } from "../kit/parts.tsx"
import { Time } from "../kit/time.tsx"
import { messages } from "../messages/indexing.fr.ts"

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
      <h2 id="state">{messages.state}</h2>
      {project.indexedAt === null ? (
        <p class={isGoing ? undefined : "notice"}>
          {messages.notIndexed} {!hasFeed && messages.addFirst}
        </p>
      ) : (
        <dl class="facts">
          <dt>{messages.pages}</dt>
          <dd>{counts.indexed.toLocaleString("fr")}</dd>
          <dt>{messages.builtAt}</dt>
          <dd>
            <Time at={project.indexedAt} timezone={timezone} />
          </dd>
          {run?.endedAt && (
            <>
              <dt>{messages.lastRun}</dt>
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
          <button type="submit">{messages.readNow}</button>
        </Form>
      )}
    </section>
  )
}

function Going({ run, isAnswering }: { run: IndexingRun | undefined; isAnswering: boolean }) {
  const isRunning = run?.state === "running"
  const isBegun = run?.state === "interrupted" && run.phase === "reading" && run.done > 0
  const doing = isRunning
    ? messages.phases[run.phase](run.done, run.total)
    : isBegun
      ? messages.givenWay(run.done)
      : messages.waiting
  return (
    <>
      <p role="status">
        <strong>{messages.going}.</strong> {doing}
      </p>
      <progress
        aria-label={messages.going}
        {...(isRunning && run.total !== null && { value: run.done, max: Math.max(run.total, 1) })}
      />
      {isAnswering && <p class="hint">{messages.staysLive}</p>}
    </>
  )
}

function Ended({ run, visit, project }: { run: IndexingRun; visit: Visit; project: Project }) {
  const { outcome } = run
  if (!outcome) return <p class="notice">{messages.interrupted}</p>
  const troubles = "trouble" in outcome ? [outcome.trouble] : outcome.refused
  return (
    <>
      {"trouble" in outcome ? <h3>{messages.failed}</h3> : <p>{summaryOf(outcome)}</p>}
      {troubles.map((trouble) => (
        <div key={trouble.reason} class="problem" role="alert">
          <p>{userMessage(trouble.told)}</p>
          {trouble.reason && (
            <p class="reason">
              {messages.particulars}
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
          confirm={messages.readForcedConfirm}
        >
          <input type="hidden" name="force" value="yes" />
          <button type="submit" class="grave">
            {messages.readForced}
          </button>
        </Form>
      )}
    </>
  )
}

function summaryOf(outcome: Exclude<RunOutcome, { trouble: unknown }>): string {
  const { documents, unchanged, removed, skipped, seconds } = outcome
  return messages.outcome(documents, unchanged, removed, skipped, seconds)
}

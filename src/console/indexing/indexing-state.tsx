import type { Project } from "../../accounts/project.ts"
import { detail, type Explanation } from "../../base/errors.ts"
import { type IndexingRun, type RunOutcome, unreadPages } from "../../indexing/indexing-run.ts"
import { userMessage } from "../../wording/user-message.ts"
import { Detail, Facts } from "../kit/components.tsx"
import { Time } from "../kit/dates.tsx"
import { Form } from "../kit/forms/fields.tsx"
import { usePage } from "../kit/page-context.ts"
import type { Meaning } from "./meaning.ts"
import { words } from "./words.fr.ts"

interface StateProps {
  /** Of the page, with the kind of feed that is being added. */
  address: string
  project: Project
  run: IndexingRun | undefined
  isBusy: boolean
  counts: { indexed: number; leftOut: number }
  hasFeed: boolean
  meaning: Meaning
}

/** The state of the index and the progress of the current run. It refreshes while a run is active. */
export function IndexingState(props: StateProps) {
  const context = usePage()
  const { address, project, run, isBusy, counts, hasFeed, meaning } = props
  const isActive = isBusy || run?.state === "running" || awaitsVectors(meaning, run)
  const problem = meaning.problem ?? vectorProblem(meaning, run)
  return (
    <section
      id="indexing-state"
      aria-labelledby="state"
      data-refresh={isActive ? address : undefined}
      data-version={project.indexedAt}
    >
      <h2 id="state">{words.state}</h2>
      {project.indexedAt === null ? (
        <p class={isActive ? undefined : "notice"}>
          {words.notIndexed} {!hasFeed && context.may("editor") && words.addFirst}
        </p>
      ) : (
        <Facts
          of={[
            [words.pageTable.indexed, counts.indexed.toLocaleString("fr")],
            [words.searchBy.title, words.searchBy[searchMode(meaning, problem)]],
            [words.builtAt, <Time at={project.indexedAt} withYear />],
            run?.endedAt != null && [words.lastRun, <Time at={run.endedAt} withYear />],
          ]}
        />
      )}
      {problem && <p class="notice">{userMessage(problem)}</p>}
      {isActive ? (
        <RunProgress run={run} project={project} meaning={meaning} />
      ) : (
        run && <RunResult run={run} project={project} />
      )}
      {!isActive && hasFeed && context.may("editor") && (
        <Form
          action={`/console/projects/${project.id}/indexing/readings`}
          send={words.readNow}
          look={project.indexedAt === null ? undefined : "quiet"}
        />
      )}
    </section>
  )
}

function searchMode({ isUsed, isWordsOnly }: Meaning, problem: Explanation | undefined) {
  if (!isUsed || problem) return "words"
  return isWordsOnly ? "wordsFirst" : "both"
}

/** Whether the service is about to make the vectors: it looks every minute, and pauses after a failure. */
function awaitsVectors({ isWordsOnly, problem }: Meaning, run: IndexingRun | undefined): boolean {
  const { outcome } = run ?? {}
  const hasFailed = outcome && ("trouble" in outcome || outcome.vectorFailure !== undefined)
  return isWordsOnly === true && !problem && !hasFailed
}

function vectorProblem({ isWordsOnly }: Meaning, run: IndexingRun | undefined): Explanation | undefined {
  const why = run?.outcome && "vectorFailure" in run.outcome ? run.outcome.vectorFailure : undefined
  return isWordsOnly && why !== undefined ? detail("checks.meaningBroken", { why }) : undefined
}

function RunProgress({ run, project, meaning }: Pick<StateProps, "run" | "project" | "meaning">) {
  const isRunning = run?.state === "running"
  const isBegun = run?.state === "interrupted" && run.phase === "reading" && run.done > 0
  const doing = isRunning
    ? words.phases[run.phase](run.done, run.total)
    : isBegun
      ? words.givenWay(run.done)
      : meaning.isWordsOnly
        ? words.vectorsWaiting
        : words.waiting
  return (
    <>
      <p role="status">
        <strong>{words.going}.</strong> {doing}
      </p>
      <progress
        aria-label={words.going}
        {...(isRunning && run.total !== null && { value: run.done, max: Math.max(run.total, 1) })}
      />
      {project.indexedAt !== null && (
        <p class="hint">{meaning.isWordsOnly ? words.wordsAnswer : words.staysLive}</p>
      )}
    </>
  )
}

function RunResult({ run, project }: { run: IndexingRun; project: Project }) {
  const context = usePage()
  const { outcome } = run
  if (!outcome) return <p class="notice">{words.interrupted}</p>
  const unread = "trouble" in outcome ? undefined : unreadPages(outcome)
  const troubles = "trouble" in outcome ? [outcome.trouble] : outcome.refused
  return (
    <>
      {"trouble" in outcome ? <h3>{words.failed}</h3> : <p>{outcomeText(outcome)}</p>}
      {unread && (
        <p class="notice" role="alert">
          {userMessage(unread)}
        </p>
      )}
      {troubles.map((trouble) => (
        <div key={JSON.stringify(trouble.reason)} class="problem" role="alert">
          <p>{userMessage(trouble.told)}</p>
          {trouble.reason && (
            <p class="reason">
              {words.particulars}
              {"\u00a0: "}
              <Detail told={trouble.reason} />
            </p>
          )}
        </div>
      ))}
      {troubles.some(({ isForcible }) => isForcible) && context.may("editor") && (
        <Form
          action={`/console/projects/${project.id}/indexing/readings`}
          confirm={words.readForcedConfirm}
          send={words.readForced}
          look="grave"
        >
          <input type="hidden" name="force" value="yes" />
        </Form>
      )}
    </>
  )
}

function outcomeText(outcome: Exclude<RunOutcome, { trouble: unknown }>): string {
  const { documents, unchanged, removed, skipped, seconds } = outcome
  return words.outcome(documents, unchanged, removed, skipped, seconds)
}

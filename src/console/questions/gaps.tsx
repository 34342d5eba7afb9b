import { listMembers } from "../../accounts/operator.ts"
import type { Project } from "../../accounts/project.ts"
import type { AnswerResult } from "../../answering/ask/answer.ts"
import { idsOf } from "../../base/ids.ts"
import { liveGeneration } from "../../indexing/generation.ts"
import { listChosenAnswers } from "../../owners/chosen/chosen-answer.ts"
import { tryGaps } from "../../owners/evaluation/operations.ts"
import { maxRetried } from "../../owners/evaluation/retry-gaps.ts"
import { listGapMailOperators } from "../../owners/gaps/gap-mails.ts"
import { type Gap, type GapState, gapStates, listGaps } from "../../owners/gaps/gaps.ts"
import { changeGapMails, markGaps } from "../../owners/gaps/operations.ts"
import { addressWith, cursorOfPageWith, More, pageOfList, Tabs } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Box, Form } from "../kit/forms/fields.tsx"
import { Filter } from "../kit/forms/filter.tsx"
import { type PageContext, usePage } from "../kit/page-context.ts"
import { performs, projectInAddress } from "../kit/page-handlers.ts"
import { seeOther } from "../kit/reply.ts"
import { words as commonWords } from "../kit/words.fr.ts"
import { periodField, type QuestionsFilter, readFilter } from "./filter.ts"
import { GapForms, GapList, type GapPlace, gapsAddress, isFar, MarkForm } from "./gap-list.tsx"
import { words } from "./gaps.fr.ts"
import { questionsPage, questionsPath } from "./questions-page.tsx"

const usualDays = 90
const shownGaps = 10

/** « Ce qui manque » : what visitors asked and the documentation does not answer. */
export function gapPages(deps: ConsoleDeps) {
  return {
    page: async (context: PageContext) => (await gapWanted(deps, context)) ?? showPage(deps, context),
    markGaps: performs(markGaps, {
      input: (values, context) => ({
        state: values.get("mark") ?? "open",
        gaps: values.getAll("gap"),
        since_ms: readPeriod(deps, context).sinceMs,
      }),
      leadsTo({ project, gaps }, context) {
        const address = gapsAddress(readPlace(deps, context, project))
        if (context.values.has("undo")) return address
        const markedParams = gaps.slice(0, mostUndone).map(({ id }) => `&marked=${id}`)
        return addressWith(address, { done: "marked", was: gaps[0]?.state ?? "open" }) + markedParams.join("")
      },
    }),
    tryGaps: performs(tryGaps, {
      input: (values, context) => ({
        ...(values.has("gap") && { gaps: values.getAll("gap") }),
        since_ms: readPeriod(deps, context).sinceMs,
      }),
      leadsTo: ({ retried }, context) => showPage(deps, context, retried),
    }),
    changeGapMails: performs(changeGapMails, {
      input: (values) => ({ operators: values.getAll("operator") }),
      leadsTo: ({ project }) => `${questionsPath(project, "gaps")}?done=mailsSaved`,
    }),
  }
}

async function showPage(
  deps: ConsoleDeps,
  context: PageContext,
  retried: ReadonlyMap<string, AnswerResult> = new Map(),
): Promise<Response> {
  const project = await projectInAddress(deps.db, context)
  const { sinceMs } = readPeriod(deps, context)
  const place = readPlace(deps, context, project)
  const { days, state } = place
  const [gaps, live, chosen] = await Promise.all([
    listGaps(deps.db, project, sinceMs),
    liveGeneration(deps.db, project.id),
    listChosenAnswers(deps.db, project.id),
  ])
  const byState = Map.groupBy(gaps, (gap) => gap.state)
  const ordered = inOrder(byState.get(state) ?? [], state)
  const marked = markedIn(context, gaps)
  // When several were asked again, all results are on one page.
  const { items, cursor } =
    retried.size > 1
      ? { items: ordered.filter(({ id }) => retried.has(id)), cursor: null }
      : pageOfList(ordered, place.cursor, shownGaps)
  return questionsPage(
    context,
    {
      project,
      tab: "gaps",
      flash: { mailsSaved: words.mailsSaved },
      intro: words.intro(context.may("editor")),
    },
    <>
      {marked && <Marked place={place} marked={marked} />}
      <section aria-label={words.states[state]}>
        <Tabs
          label={words.stateNav}
          tabs={gapStates.map((each) => [
            gapsAddress({ project, days, state: each }),
            words.withCount(words.states[each], byState.get(each)?.length ?? 0),
            each === state,
          ])}
          isInside
        />
        <Filter
          action={questionsPath(project, "gaps")}
          kept={{ state }}
          fields={[periodField(deps.config.ask.answerRetentionDays, days)]}
          isAtOnce
        />
        {retried.size > 0 && <Retried place={place} retried={retried} />}
        {ordered.length === 0 && <p>{words.none[state]}</p>}
        <GapList
          place={place}
          gaps={items}
          retried={retried}
          generation={live?.number}
          isAttachable={chosen.length > 0}
        />
        {state === "open" && ordered.length > 0 && context.may("editor") && project.indexedAt !== null && (
          <Form
            action={gapsAddress({ project, days, state }, "/trials")}
            send={words.retryAll(ordered.length, maxRetried)}
            look="quiet"
          >
            <p class="hint">{words.retryHint}</p>
          </Form>
        )}
        {context.may("editor") && <GapForms place={place} />}
        <More address={gapsAddress({ project, days, state })} cursor={cursor} />
      </section>
      {context.may("editor") && (await mailForm(deps, context, project))}
    </>,
  )
}

function readPlace(deps: ConsoleDeps, context: PageContext, project: Project): GapPlace {
  const { days } = readPeriod(deps, context)
  const state = gapStates.find((each) => each === context.query["state"]) ?? "open"
  return { project, days, state, cursor: context.query["cursor"] }
}

async function mailForm({ db, mailer }: ConsoleDeps, context: PageContext, project: Project) {
  const [members, chosen] = await Promise.all([
    listMembers(db, context.workspaceId),
    listGapMailOperators(db, project),
  ])
  const ids = new Set(idsOf(chosen))
  return (
    <details
      id="mails"
      class="options"
      open={context.query["done"] === "mailsSaved" || context.query["mails"] !== undefined}
    >
      <summary>{words.mails}</summary>
      <Form action={questionsPath(project, "gaps", "/mails")} send={commonWords.save}>
        <p class="hint">{words.mailsHint}</p>
        {!mailer.configured && <p class="notice">{words.noMail}</p>}
        <fieldset class="boxes">
          <legend class="hint">{words.mails}</legend>
          {members.map(({ id, email }) => (
            <Box key={id} name="operator" value={id} checked={ids.has(id)}>
              <span class="address">{email}</span>
            </Box>
          ))}
        </fieldset>
      </Form>
    </details>
  )
}

/** `gap=`: leads to the page of the list where the gap with this answer stands, whatever its state. */
async function gapWanted(deps: ConsoleDeps, context: PageContext): Promise<Response | undefined> {
  const wanted = context.query["gap"]
  if (!wanted) return undefined
  const project = await projectInAddress(deps.db, context)
  const gaps = await listGaps(deps.db, project, readPeriod(deps, context).sinceMs)
  const gap = gaps.find(({ asked }) => asked.some(({ id }) => id === wanted))
  if (!gap) return undefined
  const { state } = gap
  const listed = inOrder(
    gaps.filter((each) => each.state === state),
    state,
  )
  const cursor = cursorOfPageWith(listed, gap, shownGaps)
  return seeOther(`${gapsAddress({ ...readPlace(deps, context, project), state, cursor })}#${gap.id}`)
}

function readPeriod({ config }: ConsoleDeps, context: PageContext): QuestionsFilter {
  return readFilter(context, { keptDays: config.ask.answerRetentionDays, usual: usualDays })
}

/** Gaps near to the documentation come first while there is something to do about them. */
function inOrder(gaps: readonly Gap[], state: GapState): readonly Gap[] {
  return state === "open" ? gaps.toSorted((one, other) => Number(isFar(one)) - Number(isFar(other))) : gaps
}

/** Bounds the address that leads back. A trial marks no more than these at once. */
const mostUndone = 20

interface MarkedGaps {
  gaps: readonly Gap[]
  was: GapState
}

/** The gap that the address says was just marked, as long as the period still has it. */
function markedIn({ query, request }: PageContext, gaps: readonly Gap[]): MarkedGaps | undefined {
  if (query["done"] !== "marked") return undefined
  const ids = new Set(new URL(request.url).searchParams.getAll("marked"))
  const matches = gaps.filter(({ asked }) => asked.some(({ id }) => ids.has(id)))
  const was = gapStates.find((each) => each === query["was"])
  return matches.length > 0 && was ? { gaps: matches, was } : undefined
}

/** Names what was just marked, and puts it back in the list where it stood. */
function Marked({ place, marked: { gaps, was } }: { place: GapPlace; marked: MarkedGaps }) {
  const { may } = usePage()
  const [first] = gaps
  const ids = idsOf(gaps)
  return (
    <div class="done" role="status" id="marked">
      <p>{words.marked(first?.state ?? was, first?.question ?? "", gaps.length)}</p>
      {may("editor") && <MarkForm place={place} isUndone mark={was} gaps={ids} send={commonWords.cancel} />}
    </div>
  )
}

/** How many of the gaps that were asked again would be answered now, and a button that closes these. */
function Retried({ place, retried }: { place: GapPlace; retried: ReadonlyMap<string, AnswerResult> }) {
  const answered = [...retried].flatMap(([id, { status }]) => (status === "answered" ? [id] : []))
  const send = words.treatAnswered(answered.length)
  return (
    <div class={answered.length > 0 ? "done" : "notice"} role="status" id="retried">
      <p>{words.retried(answered.length, retried.size)}</p>
      {answered.length > 0 && (
        <MarkForm place={{ ...place, state: "open" }} mark="treated" gaps={answered} send={send} />
      )}
    </div>
  )
}

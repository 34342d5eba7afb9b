import { Refusal } from "../../base/errors.ts"
import { listEndpoints } from "../../webhooks/endpoints/endpoint.ts"
import { type EndpointHealth, maxCountedBy, readHealth } from "../../webhooks/endpoints/health.ts"
import { findDelivery } from "../../webhooks/messages/delivery-log.ts"
import { resendDelivery } from "../../webhooks/messages/operations.ts"
import { type DeliveryHits, searchDeliveries } from "../../webhooks/messages/search-deliveries.ts"
import { firstInOrder } from "../../webhooks/messages/waits.ts"
import { endpointName } from "../../wording/endpoint-name.fr.ts"
import { addressWith, Empty, LinkButton, More, pickParams, QuietButton, Tabs } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Form, Problem } from "../kit/forms/fields.tsx"
import { type PageContext, type SubmittedContext, usePage } from "../kit/page-context.ts"
import { performs } from "../kit/page-handlers.ts"
import { seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { words as commonWords } from "../kit/words.fr.ts"
import { DeliveryFilter } from "./delivery-filter.tsx"
import { filterNames, searchIn } from "./delivery-search.ts"
import { DeliveryTable, type Names } from "./delivery-table.tsx"
import { readChoices } from "./endpoint-form.tsx"
import { EndpointHead, endpointInAddress, WebhooksHead } from "./heads.tsx"
import { Days, Figures, lastDayStartsMs, Trouble, upTo } from "./health.tsx"
import { words } from "./words.fr.ts"

const shownAtOnce = 40

/** The log of an endpoint, and that of the whole workspace: found by filters, chosen and sent again. */
export function deliveriesPages(deps: ConsoleDeps) {
  const { db } = deps

  async function namesIn(context: PageContext) {
    const endpoints = await listEndpoints(db, context.workspaceId)
    const { forms } = await readChoices(deps, context)
    return {
      forms: forms.map(({ id, name }) => [id, name] as const),
      endpoints: endpoints.map((each) => [each.id, endpointName(each)] as const),
    }
  }

  async function show(context: PageContext, unconfirmed?: Chosen): Promise<Response> {
    const { query, workspaceId, nowMs } = context
    const endpoint =
      context.params["endpoint"] === undefined ? undefined : await endpointInAddress(db, context)
    const search = { ...searchIn(query, nowMs), ...(endpoint && { endpointId: endpoint.id }) }
    const place = { cursor: query["cursor"], atMost: shownAtOnce }
    const hits = await searchDeliveries(db, workspaceId, search, place)
    const { forms, endpoints } = await namesIn(context)
    const address = deliveriesAddress(context)
    const filtered = addressWith(address, pickParams(query, filterNames))
    const health =
      endpoint && (await readHealth(db, [endpoint.id], lastDayStartsMs(context), nowMs)).get(endpoint.id)
    const firstOne = endpoint?.inOrder && (await firstInOrder(db, endpoint.id))
    return page(
      context,
      { title: words.deliveries, current: "webhooks", status: unconfirmed && 409, flash: flashIn(query) },
      <>
        {endpoint && health ? (
          <>
            <EndpointHead endpoint={endpoint} current="deliveries" health={health} />
            <section>
              <Trouble endpoint={endpoint} health={health} />
              <Figures health={health} isDrawn={false} />
              {firstOne && <Held first={firstOne} health={health} />}
              {!isFiltered(query) && <Days days={health.days} />}
            </section>
          </>
        ) : (
          <WebhooksHead current="deliveries" />
        )}
        {(hits.deliveries.length > 0 || isFiltered(query)) && (
          <>
            <Tabs
              label={words.columns.state}
              tabs={[undefined, "failing"].map((state) => [
                addressWith(address, { ...pickParams(query, filterNames), state }),
                state === undefined ? words.filter.all : words.filter.failing,
                query["state"] === state,
              ])}
              isInside
            />
            <DeliveryFilter action={address} forms={forms} endpoints={endpoint ? undefined : endpoints} />
          </>
        )}
        <Log
          action={filtered}
          found={hits}
          names={{ forms: new Map(forms), endpoints: new Map(endpoints) }}
          isOfOne={endpoint !== undefined}
          unconfirmed={unconfirmed}
        />
        {hits.isCutShort && <p class="notice">{words.cutShort}</p>}
        <More address={filtered} cursor={hits.next} />
        <p class="hint">{words.kept}</p>
      </>,
    )
  }

  /** Sends again what can be sent again. A delivered one takes a confirmation first. */
  async function resendChosen(context: SubmittedContext): Promise<Response> {
    const { values, workspaceId, query } = context
    const ids = [...new Set(values.getAll("delivery"))].slice(0, shownAtOnce)
    if (ids.length === 0) throw new Refusal("invalid_request", words.noneChosen)
    const delivered = await countDelivered(workspaceId, ids)
    if (delivered > 0 && values.get("confirmed") !== "yes") return show(context, { ids, delivered })
    let [sent, refused] = [0, 0]
    for (const id of ids) {
      const isSent = await resendOne(context, id)
      if (isSent) sent++
      else refused++
    }
    const counts = { resent: String(sent), refused: refused > 0 ? String(refused) : undefined }
    return seeOther(addressWith(deliveriesAddress(context), { ...pickParams(query, filterNames), ...counts }))
  }

  async function countDelivered(workspaceId: string, ids: readonly string[]): Promise<number> {
    let delivered = 0
    for (const id of ids) if ((await findDelivery(db, workspaceId, id))?.state === "delivered") delivered++
    return delivered
  }

  async function resendOne(context: SubmittedContext, id: string): Promise<boolean> {
    try {
      await context.perform(resendDelivery, {}, { delivery: id })
      return true
    } catch (error) {
      if (error instanceof Refusal) return false
      throw error
    }
  }

  return {
    page: (context: PageContext) => show(context),
    resend: performs(resendDelivery, { show, act: resendChosen }),
  }
}

function isFiltered(query: PageContext["query"]): boolean {
  return [...filterNames, "cursor"].some((name) => query[name])
}

/** Chosen deliveries that wait for a confirmation, since some were delivered. */
interface Chosen {
  ids: readonly string[]
  delivered: number
}

function deliveriesAddress({ params: { endpoint } }: PageContext): string {
  return endpoint ? `/console/webhooks/${endpoint}/deliveries` : "/console/deliveries"
}

/** On an endpoint with ordered deliveries: the failed delivery that the others wait for. */
function Held({ first, health }: { first: { id: string; attempts_made: number }; health: EndpointHealth }) {
  const held = health.pending - 1
  if (first.attempts_made === 0 || held < 1) return null
  return (
    <p class="notice">
      {words.isHeld(upTo(maxCountedBy.pending, held), held === 1)}
      <a href={`/console/deliveries/${first.id}`}>{words.theFirstOne}</a>
      {words.isHeldEnd}
    </p>
  )
}

interface LogProps {
  action: string
  found: DeliveryHits
  names: Names
  isOfOne: boolean
  unconfirmed: Chosen | undefined
}

function Log({ action, found, names, isOfOne, unconfirmed }: LogProps) {
  const context = usePage()
  const { deliveries } = found
  if (unconfirmed) {
    const { ids, delivered } = unconfirmed
    const told = words.someDelivered(delivered)
    return <Confirmation action={action} told={told} send={words.resendAnyway(ids.length)} ids={ids} />
  }
  if (deliveries.length === 0) {
    return <Empty>{isFiltered(context.query) ? words.noDelivery : words.noDeliveryYet}</Empty>
  }
  const isChoice = context.may("editor")
  const isAwaited = deliveries.some(
    ({ state, lastOutcome, isBeingResent }) => isBeingResent || (state === "pending" && lastOutcome === null),
  )
  const table = (
    <section id="log" data-refresh={isAwaited ? "" : undefined}>
      <DeliveryTable deliveries={deliveries} names={names} isChoice={isChoice} isOfOne={isOfOne} />
    </section>
  )
  if (!isChoice) return table
  return (
    <Form action={action}>
      <Problem />
      {/* The script of the console shows it and does what it says. */}
      <label class="box choose-all" hidden>
        <input type="checkbox" data-choose-all="delivery" />
        <span>{words.chooseAll}</span>
      </label>
      {table}
      <p class="resend">
        <QuietButton label={words.resendChosen} />
      </p>
    </Form>
  )
}

interface ConfirmationProps {
  action: string
  told: string
  send: string
  /** Where the address names none. */
  ids?: readonly string[]
}

/** Asks before what was delivered is sent again. */
export function Confirmation({ action, told, send, ids = [] }: ConfirmationProps) {
  return (
    <Form action={action}>
      <p class="notice" role="alert">
        {told}
      </p>
      {ids.map((id) => (
        <input key={id} type="hidden" name="delivery" value={id} />
      ))}
      <input type="hidden" name="confirmed" value="yes" />
      <p class="actions">
        <button type="submit">{send}</button>
        <LinkButton href={action} label={commonWords.cancel} />
      </p>
    </Form>
  )
}

function flashIn(query: PageContext["query"]): string | undefined {
  const [resent, refused, replayed] = ["resent", "refused", "replayed"].map((name) =>
    /^\d{1,9}$/.test(query[name] ?? "") ? Number(query[name]) : undefined,
  )
  if (replayed !== undefined) return words.replayed(replayed)
  if (resent === undefined) return undefined
  return [words.resent(resent), ...(refused ? [words.notResent(refused)] : [])].join(" ")
}

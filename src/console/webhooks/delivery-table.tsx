import { type EventType, formEvent } from "../../webhooks/endpoints/event-types.ts"
import type { FoundDelivery } from "../../webhooks/messages/search-deliveries.ts"
import { Table } from "../kit/components.tsx"
import { Time } from "../kit/dates.tsx"
import { lastResult, StateTag } from "./outcome.tsx"
import { words } from "./words.fr.ts"

/** By id, as a list of deliveries shows them. */
export interface Names {
  forms: ReadonlyMap<string, string>
  endpoints: ReadonlyMap<string, string>
}

interface TableProps {
  deliveries: readonly FoundDelivery[]
  names: Names
  isChoice: boolean
  /** Whether they are all of one endpoint, which the page names. */
  isOfOne: boolean
}

export function DeliveryTable({ deliveries, names, isChoice, isOfOne }: TableProps) {
  const { columns } = words
  const head = [
    ...(isChoice ? [columns.chosen] : []),
    columns.person,
    columns.state,
    ...(isOfOne ? [] : [columns.endpoint]),
    columns.result,
    columns.attempts,
    columns.at,
  ]
  return (
    <Table label={words.deliveries} head={head} isChoice={isChoice}>
      {deliveries.map((delivery) => {
        const { id, formId, type, person, endpointId, createdAt, attemptsMade } = delivery
        const event = type === formEvent ? undefined : words.eventNames[type as EventType]
        const name = person ?? event ?? words.nobody
        return (
          <tr key={id} id={id}>
            {isChoice && (
              <td class="choice">
                <input type="checkbox" name="delivery" value={id} aria-label={words.choose(name)} />
              </td>
            )}
            <td class="lead">
              <a href={`/console/deliveries/${id}`}>{name}</a>
              {event !== undefined ? null : formId === null ? (
                // On every screen: the person is invented.
                <div class="hint">{words.testMessage}</div>
              ) : (
                <div class="hint wide">{names.forms.get(formId) ?? words.removedForm}</div>
              )}
            </td>
            <td class="top">
              <StateTag state={delivery.state} />
            </td>
            {!isOfOne && <td class="grow">{names.endpoints.get(endpointId) ?? words.removedAddress}</td>}
            <td class={isOfOne ? "grow" : "result"}>{deliveryResult(delivery, isOfOne)}</td>
            <td class="wide">{words.ofEight(attemptsMade)}</td>
            <td class="when">
              <Time at={createdAt} />
            </td>
          </tr>
        )
      })}
    </Table>
  )
}

/** Where there is room, how long it took. */
function deliveryResult(delivery: FoundDelivery, hasRoom: boolean) {
  if (delivery.isBeingResent) return words.beingResent
  if (delivery.isWaiting) return words.waitsShort
  const { lastDurationMs } = delivery
  return (
    <>
      {lastResult(delivery)}
      {hasRoom && lastDurationMs !== null && (
        <span class="hint wide">{` · ${words.milliseconds(lastDurationMs)}`}</span>
      )}
    </>
  )
}

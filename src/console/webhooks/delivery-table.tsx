/** @jsxImportSource preact */
import type { FoundDelivery } from "../../webhooks/messages/search-deliveries.ts"
import { Table } from "../kit/components.tsx"
import { messages } from "../messages/destinations.fr.ts"
import { messages as webhooksMessages } from "../messages/webhooks.fr.ts"
import { lastResult, StateTag } from "./outcome.tsx"

/** By id, as a list of deliveries shows them. */
export interface Names {
  forms: ReadonlyMap<string, string>
  endpoints: ReadonlyMap<string, string>
}

interface TableProps {
  deliveries: readonly FoundDelivery[]
  names: Names
  date: (at: number) => string
  /** Whether the rows can be chosen, to be sent again. */
  isChoice: boolean
  /** Whether they are all of one endpoint, which the page names. */
  isOfOne: boolean
}

export function DeliveryTable({ deliveries, names, date, isChoice, isOfOne }: TableProps) {
  const { columns } = messages
  const head = [
    ...(isChoice ? [columns.chosen] : []),
    columns.at,
    columns.form,
    columns.person,
    ...(isOfOne ? [] : [columns.endpoint]),
    columns.state,
    columns.result,
    columns.duration,
    columns.attempts,
  ]
  return (
    <Table label={messages.deliveries} head={head}>
      {deliveries.map((delivery) => {
        const { id, formId, person, endpointId, createdAt, lastDurationMs, attemptsMade } = delivery
        const name = person ?? messages.nobody
        return (
          <tr key={id} id={id}>
            {isChoice && (
              <td>
                <input type="checkbox" name="delivery" value={id} aria-label={messages.choose(name)} />
              </td>
            )}
            <td class="date">
              <a href={`/console/deliveries/${id}`}>{date(createdAt)}</a>
            </td>
            <td>
              {formId === null ? messages.testMessage : (names.forms.get(formId) ?? messages.removedForm)}
            </td>
            <td>{name}</td>
            {!isOfOne && <td>{names.endpoints.get(endpointId) ?? webhooksMessages.removedAddress}</td>}
            <td>
              <StateTag state={delivery.state} />
            </td>
            <td>{delivery.isBeingResent ? messages.beingResent : lastResult(delivery)}</td>
            <td>{lastDurationMs === null ? "–" : webhooksMessages.milliseconds(lastDurationMs)}</td>
            <td>{messages.ofEight(attemptsMade)}</td>
          </tr>
        )
      })}
    </Table>
  )
}

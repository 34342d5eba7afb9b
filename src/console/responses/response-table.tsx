import type { Member } from "../../accounts/operator.ts"
import type { Form as FormOf } from "../../forms/definition/form.ts"
import type { FormResponse } from "../../forms/responses/form-response.ts"
import type { ResponseDelivery } from "../../webhooks/messages/of-responses.ts"
import { formPath } from "../forms/one-form.tsx"
import { addressWith, Table, Tag } from "../kit/components.tsx"
import { Time } from "../kit/dates.tsx"
import { StateTag } from "../webhooks/outcome.tsx"
import { responseSummary } from "./summary.ts"
import { words } from "./words.fr.ts"

interface TableProps {
  responses: readonly FormResponse[]
  forms: ReadonlyMap<string, FormOf>
  deliveries: ReadonlyMap<string, readonly ResponseDelivery[]>
  members: readonly Member[]
  /** Parameters of this list, to return to it. */
  back: Record<string, string | undefined>
  isOfMany: boolean
}

export function ResponseTable({ responses, forms, deliveries, members, back, isOfMany }: TableProps) {
  const emails = new Map(members.map(({ id, email }) => [id, email]))
  // Where nothing is sent to an application, nothing is said of deliveries.
  const isDelivered = responses.some(({ id }) => deliveries.get(id)?.length)
  const head = [
    words.person,
    words.content,
    ...(isOfMany ? [words.form] : []),
    words.receivedAt,
    ...(isDelivered ? [words.deliveries] : []),
  ]
  return (
    <Table label={words.title} head={head}>
      {responses.map((response) => {
        const form = forms.get(response.formId)
        const { name, email, line } = responseSummary(form, response)
        const isUnread = response.readAt === null
        return (
          <tr key={response.id} id={response.id} class={isUnread ? "unread" : undefined}>
            <td class="lead from">
              <a href={addressWith(form ? `${formPath(form)}/responses/${response.id}` : "", back)}>
                {name || email || words.nobody}
              </a>
              {isUnread && <span class="sr"> ({words.unread})</span>}
              {name && email && <div class="hint wide">{email}</div>}
            </td>
            <td class="grow">
              {line || <span class="hint">{words.nothing}</span>}
              <FollowUp response={response} assignee={emails.get(response.assignee ?? "")} />
            </td>
            {isOfMany && <td class="of wide">{form?.name}</td>}
            <td class="when top">
              <Time at={response.createdAt} />
            </td>
            {isDelivered && (
              <td>
                <Deliveries deliveries={deliveries.get(response.id) ?? []} />
              </td>
            )}
          </tr>
        )
      })}
    </Table>
  )
}

/** Empty for a response that is neither begun nor assigned. */
function FollowUp({ response, assignee }: { response: FormResponse; assignee: string | undefined }) {
  const { progress } = response
  if (progress === "todo" && !assignee) return null
  return (
    <div class="hint">
      <Tag mood={progress === "done" ? "good" : "plain"}>{words.progresses[progress]}</Tag> {assignee}
    </div>
  )
}

function Deliveries({ deliveries }: { deliveries: readonly ResponseDelivery[] }) {
  const count = (state: ResponseDelivery["state"]) =>
    deliveries.filter((delivery) => delivery.state === state).length
  const [failed, pending, delivered] = [count("failed"), count("pending"), count("delivered")]
  if (failed > 0) return <Tag mood="bad">{words.someFailed(failed, deliveries.length)}</Tag>
  if (pending > 0) return <StateTag state="pending" />
  if (delivered > 0) return <Tag mood="good">{words.deliveredAll(delivered)}</Tag>
  return deliveries.length > 0 ? <StateTag state="cancelled" /> : <span class="hint">{words.noDelivery}</span>
}

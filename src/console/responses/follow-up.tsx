import type { Member } from "../../accounts/operator.ts"
import type { Form as FormOf } from "../../forms/definition/form.ts"
import { type FollowedResponse, maxNotes, mayErase, progressStates } from "../../forms/responses/follow-up.ts"
import { Facts, Section } from "../kit/components.tsx"
import { Time } from "../kit/dates.tsx"
import { Field, Form } from "../kit/forms/fields.tsx"
import { usePage } from "../kit/page-context.ts"
import { words as commonWords } from "../kit/words.fr.ts"
import { responseAddress } from "./response-list.tsx"
import { words } from "./words.fr.ts"

interface Props {
  form: FormOf
  response: FollowedResponse
  members: readonly Member[]
}

/** How far the workspace is with a response, who has it, and the notes about it. */
export function FollowUp({ form, response, members }: Props) {
  const context = usePage()
  const { may, session, held } = context
  const isEditor = may("editor")
  const to = (action: string) => responseAddress(context, form, `${response.id}/${action}`)
  const assignee = members.find(({ id }) => id === response.assignee)
  return (
    <Section id="follow-up" title={words.followUp}>
      {isEditor ? (
        <Form action={to("follow-up")} send={commonWords.save} look="quiet" only="progress">
          <div class="pair">
            <Field
              name="progress"
              label={words.progress}
              value={response.progress}
              choices={progressStates.map((each) => [each, words.progresses[each]])}
            />
            <Field
              name="assignee"
              label={words.assignee}
              value={assignee?.id ?? ""}
              choices={[["", words.noAssignee], ...members.map(({ id, email }) => [id, email] as const)]}
            />
          </div>
        </Form>
      ) : (
        <Facts
          of={[
            [words.progress, words.progresses[response.progress]],
            [words.assignee, assignee?.email ?? words.noAssignee],
          ]}
        />
      )}
      <h3>{words.notes}</h3>
      {response.notes.length === 0 && <p class="hint">{words.noNotes}</p>}
      <ol class="notes">
        {response.notes.map(({ id, author, note, createdAt }) => (
          <li key={id}>
            <p class="hint">
              {author}, <Time at={createdAt} />
            </p>
            <p class="lines">{note}</p>
            {isEditor && mayErase({ author }, { name: session.operator.email, held }) && (
              <Form
                action={to(`notes/${id}/removal`)}
                confirm={words.eraseNoteConfirm}
                send={words.erase}
                spoken={words.eraseNoteOf(author)}
                look="quiet"
              />
            )}
          </li>
        ))}
      </ol>
      {isEditor && response.notes.length < maxNotes && (
        <Form action={to("notes")} send={words.addNote} look="quiet" only="text" singleSubmit>
          <Field name="text" label={words.note} hint={words.noteHint} rows={2} />
        </Form>
      )}
    </Section>
  )
}

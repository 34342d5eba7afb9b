/** @jsxImportSource preact */
import type { Documented } from "../kit/openapi.ts"
import { exampleAnswer } from "./examples.ts"
import { Fields, fieldsOf, type Schema } from "./field-list.tsx"
import { Samples } from "./samples.tsx"
import type { Shown, ShownOperation } from "./shown.ts"
import { Code, Text } from "./text.tsx"
import { words } from "./words.fr.ts"

/** An operation: its fields, and beside them a request and what comes back. */
export function Operation({ operation, shown }: { operation: ShownOperation; shown: Shown }) {
  const { document, publicUrl } = shown
  const { method, path, summary, operationId, security, parameters = [], requestBody, responses } = operation
  const scopes = security.flatMap(({ token }) => token)
  const body = requestBody?.content["application/json"]
  // The body of what is added tells the deeper fields.
  const isChange = method === "PATCH"
  const statuses = Object.keys(responses)
  const answers = Object.entries(responses).filter(([status]) => status < "400")
  return (
    <article id={operationId}>
      <h2>
        <Text text={summary} />
      </h2>
      <p>
        <code class="route">
          {method} {path}
        </code>
      </p>
      <div class="sides">
        <div>
          <p class="hint">
            {scopes.length === 0 ? words.withoutToken : `${words.scope} `}
            {scopes.map((scope) => (
              <code key={scope}>{scope} </code>
            ))}
          </p>
          {parameters.length > 0 && (
            <Fields
              title={words.parameters}
              fields={parameters.map(({ name, in: place, description, required, schema }) => ({
                name,
                schema: { ...schema, description },
                isRequired: required === true || place === "path",
                depth: 0,
              }))}
            />
          )}
          {body && (
            <Fields title={words.body} fields={fieldsOf(body.schema as Schema, document, isChange ? 1 : 2)} />
          )}
          {answers.map(([status, { content = {} }]) => (
            <AnswerFields
              key={status}
              status={status}
              content={content}
              document={document}
              // The body that was sent, or the list, tells the deeper ones.
              deepest={body || path.endsWith("/{id}") ? 1 : 2}
            />
          ))}
          <p class="hint">
            {words.refusals} {statuses.filter((status) => status >= "400").join(", ")}
          </p>
        </div>
        <div class="examples">
          <Samples operation={operation} publicUrl={publicUrl} />
          {answers.map(([status, { content = {} }]) => (
            <Answer key={status} status={status} content={content} />
          ))}
        </div>
      </div>
    </article>
  )
}

type Content = Record<string, { schema: object; example?: unknown }>

function AnswerFields({
  status,
  content,
  document,
  deepest,
}: {
  status: string
  content: Content
  document: Documented
  deepest: number
}) {
  const schema = content["application/json"]?.schema as Schema | undefined
  if (!schema) return null
  return (
    <details>
      <summary>{words.answerFields(status)}</summary>
      <Fields fields={fieldsOf(schema, document, deepest)} />
    </details>
  )
}

function Answer({ status, content }: { status: string; content: Content }) {
  const [type, media] = Object.entries(content)[0] ?? []
  if (!type || !media) return <p>{words.emptyAnswer(status)}</p>
  if (type !== "application/json") return <p>{words.otherAnswer(status, type)}</p>
  return <Code title={words.answer(status)} code={JSON.stringify(media.example, null, 2)} />
}

/** An event that is sent to endpoints. */
export function Message({
  event,
  operation,
  document,
}: {
  event: string
  operation: Documented["webhooks"][string]["post"]
  document: Documented
}) {
  const schema = operation.requestBody.content["application/json"]?.schema as Schema
  return (
    <article id={event}>
      <h2>
        <code>{event}</code> {operation.summary}
      </h2>
      <div class="sides">
        <div>
          <Fields
            title={words.headers}
            fields={operation.parameters.map(({ name, description }) => ({
              name,
              schema: { type: "string", description },
              isRequired: true,
              depth: 0,
            }))}
          />
          <Fields title={words.body} fields={fieldsOf(schema, document)} />
        </div>
        <div class="examples">
          <Code
            title={words.body}
            code={JSON.stringify(exampleAnswer(schema, document.components.schemas), null, 2)}
          />
        </div>
      </div>
    </article>
  )
}

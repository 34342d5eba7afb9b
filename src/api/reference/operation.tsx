import type { Documented } from "../kit/openapi.ts"
import { exampleAnswer } from "./examples.ts"
import { Fields, listFields, type Schema } from "./field-list.tsx"
import { Samples } from "./samples.tsx"
import type { Shown, ShownOperation } from "./shown.ts"
import { Code, Text } from "./text.tsx"
import { words } from "./words.fr.ts"

interface OperationProps {
  operation: ShownOperation
  /** On the same page. */
  above: readonly ShownOperation[]
  shown: Shown
}

/** An operation: its fields, and beside them a request and what comes back. */
export function Operation({ operation, above, shown }: OperationProps) {
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
            <Fields
              title={words.body}
              fields={listFields(body.schema as Schema, document, isChange ? 1 : 2)}
            />
          )}
          {answers.map(([status, { content = {} }]) => (
            <AnswerFields
              key={status}
              status={status}
              content={content}
              document={document}
              above={above}
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
  above,
  deepest,
}: {
  status: string
  content: Content
  document: Documented
  above: readonly ShownOperation[]
  deepest: number
}) {
  const schema = content["application/json"]?.schema as Schema | undefined
  if (!schema) return null
  const earlier = above.find((operation) => recordsIn(operation).includes(schema["$ref"]))
  if (earlier)
    return (
      <p>
        {words.sameFields(status)} <a href={`#${earlier.operationId}`}>{earlier.summary}</a>
      </p>
    )
  return (
    <details>
      <summary>{words.answerFields(status)}</summary>
      <Fields fields={listFields(schema, document, deepest)} />
    </details>
  )
}

/** The records that an operation answers with, alone or in a list, by their references. */
function recordsIn({ responses }: ShownOperation): unknown[] {
  return Object.entries(responses).flatMap(([status, { content = {} }]) => {
    const schema = content["application/json"]?.schema as Schema | undefined
    const listed = (schema?.["properties"] as Record<string, Schema> | undefined)?.["items"]?.["items"]
    const references = [schema?.["$ref"], (listed as Schema | undefined)?.["$ref"]]
    return status < "400" ? references.filter((reference) => reference !== undefined) : []
  })
}

function Answer({ status, content }: { status: string; content: Content }) {
  const [type, media] = Object.entries(content)[0] ?? []
  if (!type || !media) return <p>{words.emptyAnswer(status)}</p>
  if (type !== "application/json") return <p>{words.otherAnswer(status, type)}</p>
  return <Code title={words.answer(status)} code={JSON.stringify(media.example, null, 2)} />
}

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
          <Fields title={words.body} fields={listFields(schema, document)} />
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

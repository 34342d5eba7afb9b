/** @jsxImportSource preact */
import type { Documented, DocumentedOperation } from "../kit/openapi.ts"
import { exampleAnswer } from "./examples.ts"
import { Fields, fieldsOf, type Schema } from "./field-list.tsx"
import { Samples } from "./samples.tsx"
import { Code, Text } from "./text.tsx"
import { words } from "./words.fr.ts"

export interface ShownOperation extends DocumentedOperation {
  path: string
  method: string
}

interface OperationProps {
  operation: ShownOperation
  document: Documented
  publicUrl: string
}

export function Operation({ operation, document, publicUrl }: OperationProps) {
  const { method, path, summary, operationId, security, parameters = [], requestBody, responses } = operation
  const scopes = security.flatMap(({ token }) => token)
  const body = requestBody?.content["application/json"]?.schema as Schema | undefined
  const refusals = Object.entries(responses).filter(([status]) => status >= "400")
  return (
    <article id={operationId}>
      <h3>
        <Text text={summary} />
      </h3>
      <p>
        <code class="route">
          {method} {path}
        </code>
      </p>
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
      {body && <Fields title={words.body} fields={fieldsOf(body, document)} />}
      <Samples operation={operation} body={body} document={document} publicUrl={publicUrl} />
      {Object.entries(responses)
        .filter(([status]) => status < "400")
        .map(([status, { content = {} }]) => (
          <Answer key={status} status={status} content={content} document={document} />
        ))}
      <p class="hint">
        {words.refusals} {refusals.map(([status]) => status).join(", ")}
      </p>
    </article>
  )
}

function Answer({
  status,
  content,
  document,
}: {
  status: string
  content: Record<string, { schema: object }>
  document: Documented
}) {
  const [type, media] = Object.entries(content)[0] ?? []
  if (!type || !media) return <p>{words.emptyAnswer(status)}</p>
  if (type !== "application/json") return <p>{words.otherAnswer(status, type)}</p>
  const schema = media.schema as Schema
  return (
    <details>
      <summary>{words.answer(status)}</summary>
      <Code code={JSON.stringify(exampleAnswer(schema, document.components.schemas), null, 2)} />
      <Fields title={words.answerFields} fields={fieldsOf(schema, document)} />
    </details>
  )
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
      <h3>
        <code>{event}</code> {operation.summary}
      </h3>
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
      <Code code={JSON.stringify(exampleAnswer(schema, document.components.schemas), null, 2)} />
    </article>
  )
}

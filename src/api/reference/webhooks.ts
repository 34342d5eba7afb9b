import { responseData } from "../../forms/responses/form-response.ts"
import type { EventType } from "../../webhooks/endpoints/event-types.ts"
import { eventData } from "../../webhooks/messages/events/event.ts"

/** The messages that Guichet sends, as OpenAPI 3.1 `webhooks` (specification, part 2 B and part 4 B). */

export interface WebhookOperation {
  summary: string
  parameters: { name: string; in: "header"; required: true; description: string; schema: object }[]
  requestBody: { required: true; content: Record<string, { schema: object }> }
  responses: Record<string, { description: string }>
}

const header = (name: string, description: string) => ({
  name,
  in: "header" as const,
  required: true as const,
  description,
  schema: { type: "string" },
})

const parameters = [
  header("webhook-id", "Identifiant du message, le même à chaque tentative et à chaque renvoi."),
  header("webhook-timestamp", "Date de l’envoi, en secondes ; renouvelée à chaque tentative."),
  header(
    "webhook-signature",
    "Signatures séparées par une espace, chacune `v1,` suivi d’un HMAC-SHA256 en base64 de `webhook-id.webhook-timestamp.corps`.",
  ),
]

function operation(summary: string, schema: string): { post: WebhookOperation } {
  const content = { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } }
  return {
    post: {
      summary,
      parameters,
      requestBody: { required: true, content },
      responses: {
        "2XX": { description: "Traité, ou déjà vu ; en moins de 10 secondes" },
        "401": { description: "Aucune signature ne convient" },
      },
    },
  }
}

export const webhooks: Record<EventType, { post: WebhookOperation }> = {
  "form.response.created": operation("Un visiteur a envoyé un formulaire", "WebhookMessage"),
  "endpoint.failing": operation(
    "Toutes les tentatives vers une autre destination échouent depuis 24 heures ; une fois par jour au plus. À demander.",
    "EndpointFailingMessage",
  ),
  "project.index_failed": operation(
    "La documentation d’un projet n’a pas pu être lue, alors que la fois d’avant avait réussi. À demander.",
    "ProjectIndexFailedMessage",
  ),
  "questions.unanswered": operation(
    "Questions d’hier auxquelles la documentation d’un projet ne répond pas, s’il y en a. À demander.",
    "QuestionsUnansweredMessage",
  ),
}

export const messageSchemas: Record<string, object> = Object.fromEntries(
  [
    ["form.response.created", "WebhookMessage", responseData] as const,
    ...Object.entries(eventData).map(([type, data]) => [type, `${data.$id}Message`, data] as const),
  ].flatMap(([type, name, { $id = "", ...schema }]) => [
    [name, messageSchema(type, $id)],
    [$id, schema],
  ]),
)

function messageSchema(type: string, data: string): object {
  return {
    type: "object",
    required: ["type", "timestamp", "data"],
    properties: {
      type: { type: "string", enum: [type] },
      timestamp: { type: "string", format: "date-time" },
      data: { $ref: `#/components/schemas/${data}` },
    },
  }
}

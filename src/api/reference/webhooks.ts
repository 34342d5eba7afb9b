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

export const webhooks: Record<string, { post: WebhookOperation }> = {
  "form.response.created": {
    post: {
      summary: "Un visiteur a envoyé un formulaire",
      parameters: [
        header("webhook-id", "Identifiant du message, le même à chaque tentative et à chaque renvoi."),
        header("webhook-timestamp", "Date de l’envoi, en secondes ; renouvelée à chaque tentative."),
        header(
          "webhook-signature",
          "Signatures séparées par une espace, chacune `v1,` suivi d’un HMAC-SHA256 en base64 de `webhook-id.webhook-timestamp.corps`.",
        ),
      ],
      requestBody: {
        required: true,
        content: { "application/json": { schema: { $ref: "#/components/schemas/WebhookMessage" } } },
      },
      responses: {
        "2XX": { description: "Traité, ou déjà vu ; en moins de 10 secondes" },
        "401": { description: "Aucune signature ne convient" },
      },
    },
  },
}

/** The body of a message, whose `data` is what the API lists. */
export const messageSchemas = {
  WebhookMessage: {
    type: "object",
    required: ["type", "timestamp", "data"],
    properties: {
      type: { type: "string", enum: Object.keys(webhooks) },
      timestamp: { type: "string", format: "date-time" },
      data: { $ref: "#/components/schemas/FormResponse" },
    },
  },
}

import { sql } from "kysely"

/** Of the form whose response a message tells of, as the message itself says it. */
const formId = sql`json_extract(CAST(message.payload AS TEXT), '$.data.form_id')`

/**
 * Whether the endpoint of a `delivery` gets the form of its `message` as it is limited now, in a query that
 * has both. Whoever limits an endpoint to one client must not see another's responses arrive there from a
 * backlog. A test message goes wherever it was asked for.
 */
export const isTaken = sql<boolean>`(message.response_id IS NULL OR EXISTS (
  SELECT 1 FROM endpoint WHERE endpoint.id = delivery.endpoint_id AND (
    endpoint.limited = 0
    OR EXISTS (SELECT 1 FROM endpoint_form WHERE endpoint_id = endpoint.id AND form_id = ${formId})
    OR EXISTS (
      SELECT 1 FROM endpoint_project JOIN form ON form.project_id = endpoint_project.project_id
      WHERE endpoint_project.endpoint_id = endpoint.id AND form.id = ${formId}))))`

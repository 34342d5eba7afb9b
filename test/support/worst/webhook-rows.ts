import { sql } from "kysely"
import { hourMs } from "../../../src/base/clock.ts"
import { newId } from "../../../src/base/ids.ts"
import type { webhookTables } from "../../../src/db/tables/webhooks.ts"
import { maxAttempts } from "../../../src/webhooks/endpoints/replayable.ts"
import { isAmongLast, type WorstIds } from "./ids.ts"
import type { WorstRows } from "./rows.ts"
import { nearly, words } from "./texts.ts"

/** The newest of them are as long as they may be, and so are their attempts. */
const long = { messages: 100, deliveries: 60 }

function numberOf(id: string) {
  return sql<number>`(SELECT number FROM delivery WHERE id = ${id})`
}

const answeredHeaders = JSON.stringify(Array.from({ length: 16 }, () => ["x-head", nearly(190)]))

export function webhookRows(of: WorstIds): Pick<WorstRows, keyof typeof webhookTables> {
  return {
    endpoint: {
      rows: of.endpoints.length,
      row: (at) => ({
        id: of.endpoints[at] as string,
        url: `https://hooks${at}.acme.fr/${nearly(1900)}`,
        description: nearly(200),
        filtered: 1,
        headers: JSON.stringify(
          Array.from({ length: 10 }, (_, n) => ({ name: `x-${n}`, sealed: nearly(5500) })),
        ),
        conditions: JSON.stringify(
          Array.from({ length: 10 }, () => ({
            form: of.form,
            field: "message",
            values: Array(20).fill(nearly(190)),
          })),
        ),
        in_order: 1,
        rate: 1000,
        rate_per: "hour",
        events: JSON.stringify(["form.response.created", "endpoint.failing"]),
        ...(at === 0 && { kind: "test" as const, test_answer: "ok" as const }),
      }),
    },
    endpoint_project: {
      rows: of.endpoints.length * of.projects.length,
      row: (at) => ({
        endpoint_id: of.endpoints[at % of.endpoints.length] as string,
        project_id: of.projects[Math.floor(at / of.endpoints.length)] as string,
      }),
    },
    endpoint_form: {
      rows: of.endpoints.length * of.forms.length,
      row: (at) => ({
        endpoint_id: of.endpoints[at % of.endpoints.length] as string,
        form_id: of.forms[Math.floor(at / of.endpoints.length)] as string,
      }),
    },
    message: {
      rows: of.messages.length,
      row: (at) => ({
        id: of.messages[at] as string,
        workspace_id: of.workspace,
        response_id: of.responses[at % of.responses.length] as string,
        form_id: of.form,
        type: "form.response.created",
        person: nearly(120),
        search_text: at % 2 === 0 ? nearly(400) : words(400),
        payload: new TextEncoder().encode(
          `{"data":"${"é".repeat(isAmongLast(at, of.messages, long.messages) ? 120_000 : 10)}"}`,
        ),
        created_at: of.nowMs,
      }),
    },
    delivery: {
      rows: of.messages.length,
      row: (at) => ({
        id: of.deliveries[at] as string,
        message_id: of.messages[at] as string,
        endpoint_id: of.endpoint,
        state: at % 2 === 0 ? "failed" : "cancelled",
        attempts_made: 8,
        created_at: of.nowMs,
        ended_at: of.nowMs,
        due_at: null,
        due_is_late: 0,
        resend_at: null,
        resend_is_late: 0,
        last_outcome: "http_status",
        last_status: 500,
        last_duration_ms: 10,
        last_cause: "certificate_not_yet_valid",
      }),
    },
    attempt: {
      rows: long.deliveries * maxAttempts,
      row: (at) => ({
        delivery_number: numberOf(of.deliveries.at(-1 - Math.floor(at / maxAttempts)) as string) as never,
        number: (at % maxAttempts) + 1,
        kind: "manual",
        at: of.nowMs,
        outcome: "http_status",
        status: 500,
        duration_ms: 10,
        response_excerpt: nearly(4096),
        response_headers: answeredHeaders,
      }),
    },
    lease: "one for each running service",
    endpoint_failure: {
      rows: of.endpoints.length,
      row: (at) => ({
        endpoint_id: of.endpoints[at] as string,
        first_at: of.nowMs,
        last_at: of.nowMs,
        outcome: "timeout",
        status: null,
        notified_at: null,
      }),
    },
    endpoint_hour: {
      rows: 720 * of.endpoints.length,
      row: (at) => ({
        endpoint_id: of.endpoints[at % of.endpoints.length] as string,
        hour_at: (Math.floor(of.nowMs / hourMs) - Math.floor(at / of.endpoints.length)) * hourMs,
        delivered: 1,
        failed_attempts: 1,
        given_up: 1,
        last_delivered_at: of.nowMs,
      }),
    },
    endpoint_pace: {
      rows: of.endpoints.length,
      row: (at) => ({ endpoint_id: of.endpoints[at] as string, free_at: of.nowMs }),
    },
    test_request: {
      rows: 200,
      row: (at) => ({
        id: newId("req", of.nowMs - 200 + at),
        endpoint_id: of.endpoints[0] as string,
        message_id: of.messages.at(-1 - at) as string,
        at: of.nowMs,
        headers: answeredHeaders,
        body_bytes: 240_000,
        signature: "right",
        answer: "ok",
      }),
    },
    message_order: "filled by whoever polls",
  }
}

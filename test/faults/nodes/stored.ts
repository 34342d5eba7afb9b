import { eventually } from "../../support/processes.ts"
import type { Cluster } from "./cluster.ts"

/** What the database holds once nothing is under way any more. */
export interface Stored {
  responses: { id: string; key: string; email: string | null }[]
  deliveries: StoredDelivery[]
  /** Of all deliveries, in the order in which they ended. */
  attempts: StoredAttempt[]
  mailsLeft: number
  nodes: number
  liveGenerations: number
}

export interface StoredDelivery {
  number: number
  state: "pending" | "delivered" | "failed" | "cancelled"
  attemptsMade: number
  responseId: string
  /** By the host of the endpoint and the webhook-id, as the receivers have it. */
  key: string
}

export interface StoredAttempt {
  deliveryNumber: number
  kind: "automatic" | "manual"
  atMs: number
  durationMs: number | null
  outcome: string
  status: number | null
}

/** What was due before this moment was done, and nothing is in flight. */
const underWay = `
  SELECT (SELECT count(*) FROM delivery WHERE due_at <= now_ms) + (SELECT count(*) FROM lease)
    + (SELECT count(*) FROM indexing_request)
    + (SELECT count(*) FROM mail WHERE failed_at IS NULL AND due_at <= now_ms) AS count
  FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms) clock`

const settledWithinMs = 120_000

/** Waits for the nodes to come to rest; rejects when they do not. */
export async function settled({ database }: Cluster): Promise<void> {
  const sql = new Bun.SQL(database, { max: 1 })
  try {
    await eventually(async () => {
      const [{ count }] = await sql.unsafe(underWay)
      if (Number(count) === 0) return true
      await Bun.sleep(250)
      return false
    }, settledWithinMs)
  } finally {
    await sql.close()
  }
}

export async function readStored({ database }: Cluster): Promise<Stored> {
  const sql = new Bun.SQL(database, { max: 1 })
  const count = async (from: string) =>
    Number((await sql.unsafe(`SELECT count(*) AS count FROM ${from}`))[0].count)
  try {
    const responses = await sql.unsafe(
      `SELECT id, (field_values::json) ->> 'reference' AS key, email FROM form_response`,
    )
    const deliveries = await sql.unsafe(`
      SELECT delivery.number, state, attempts_made, response_id,
        replace(replace(url, 'https://', ''), '/in', '') || ' ' || message_id AS key
      FROM delivery JOIN message ON message.id = message_id JOIN endpoint ON endpoint.id = endpoint_id`)
    const attempts = await sql.unsafe(
      "SELECT delivery_number, kind, at, duration_ms, outcome, status FROM attempt ORDER BY delivery_number, number",
    )
    return {
      responses: [...responses],
      deliveries: deliveries.map(deliveryOf),
      attempts: attempts.map(attemptOf),
      mailsLeft: await count("mail"),
      nodes: await count("node"),
      liveGenerations: await count("generation WHERE live = 1"),
    }
  } finally {
    await sql.close()
  }
}

type Row = Record<string, unknown>

function deliveryOf(row: Row): StoredDelivery {
  return {
    number: Number(row["number"]),
    state: row["state"] as StoredDelivery["state"],
    attemptsMade: Number(row["attempts_made"]),
    responseId: String(row["response_id"]),
    key: String(row["key"]),
  }
}

function attemptOf(row: Row): StoredAttempt {
  return {
    deliveryNumber: Number(row["delivery_number"]),
    kind: row["kind"] as StoredAttempt["kind"],
    atMs: Number(row["at"]),
    durationMs: row["duration_ms"] === null ? null : Number(row["duration_ms"]),
    outcome: String(row["outcome"]),
    status: row["status"] === null ? null : Number(row["status"]),
  }
}

import { type ExpressionBuilder, type SqlBool, sql } from "kysely"
import type { Db } from "./connection.ts"
import { serverNow } from "./postgres/clock.ts"
import type { Row, Schema } from "./schema.ts"

/** The running services of a PostgreSQL database. Their beats are timed by the clock of the server alone. */

/** States that a node is alive: adds its row, or renews it. */
export async function beat(db: Db, node: Omit<Row<"node">, "started_at" | "beat_at">): Promise<void> {
  await db
    .insertInto("node")
    .values({ ...node, started_at: serverNow, beat_at: serverNow })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ beat_at: serverNow }))
    .execute()
}

/** Removes the nodes that were silent for `silentMs`, and returns them: what they held is free from now on. */
export function removeDead(db: Db, silentMs: number): Promise<Row<"node">[]> {
  return db
    .deleteFrom("node")
    .where("beat_at", "<", sql<number>`${serverNow} - ${silentMs}::bigint`)
    .returningAll()
    .execute()
}

export async function removeNode(db: Db, id: string): Promise<void> {
  await db.deleteFrom("node").where("id", "=", id).execute()
}

/** All nodes, the oldest first, with the time since their last beat. */
export function listNodes(db: Db): Promise<(Row<"node"> & { silentMs: number })[]> {
  return db
    .selectFrom("node")
    .selectAll()
    .select(sql<number>`${serverNow} - beat_at`.as("silentMs"))
    .orderBy("started_at")
    .orderBy("id")
    .execute()
}

type HoldingTable = "job" | "mail" | "indexing_request"

/** Condition on a row that a node held which is gone. On SQLite no row is held by a node. */
export function isOrphaned<Table extends HoldingTable>(table: Table) {
  return (expression: ExpressionBuilder<Schema, Table>) => {
    const holder = sql.ref<string>(`${table}.node_id`)
    const nodes = sql`(SELECT id FROM node)`
    return expression.and([sql<SqlBool>`${holder} IS NOT NULL`, sql<SqlBool>`${holder} NOT IN ${nodes}`])
  }
}

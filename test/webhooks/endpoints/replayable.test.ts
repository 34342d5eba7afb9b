import { expect } from "bun:test"
import { CompiledQuery } from "kysely"
import { hasState, replayable, replayedStates } from "../../../src/webhooks/endpoints/replayable.ts"
import { onSqlite } from "../../support/postgres.ts"
import { aService } from "../../support/service-builder.ts"

onSqlite(
  "failed and cancelled deliveries are found by their own index, not by a walk through the log",
  async () => {
    await using service = await aService().started()
    const { db } = service.app
    for (const state of replayedStates)
      for (const query of [replayable(db, state, 0), db.selectFrom("delivery").where(hasState(state))]) {
        const { sql, parameters } = query
          .select("delivery.number")
          .where("delivery.endpoint_id", "=", "ep_1")
          .compile()
        const explain = CompiledQuery.raw(`EXPLAIN QUERY PLAN ${sql}`, [...parameters])
        const plan = await db.transaction().execute((transaction) => transaction.executeQuery(explain))
        expect(JSON.stringify(plan.rows)).toContain("INDEX delivery_undelivered (endpoint_id=? AND state=?)")
      }
  },
)

import { expect, test } from "bun:test"
import { engine } from "../support/postgres.ts"
import { killRepeatedly } from "./kill.ts"

test("kill -9 under form posts and deliveries loses nothing that was acknowledged", async () => {
  const { acknowledged, ...verdict } = await killRepeatedly(3)
  expect(acknowledged).toBeGreaterThan(0)
  expect(verdict).toMatchObject({
    responsesLost: 0,
    deliveriesLost: 0,
    undelivered: 0,
    duplicatesThatDiffer: 0,
    integrity: engine === "sqlite" ? ["ok"] : [],
  })
})

import { expect, test } from "bun:test"
import { maxConcurrentHashes, queueHash } from "../../../src/accounts/hashing.ts"
import { secondMs } from "../../../src/base/clock.ts"
import { idleSeconds } from "../../../src/http/extend-timeout.ts"
import { consoleClient, password, signedIn } from "../../support/operator.ts"
import { aService } from "../../support/service-builder.ts"

test("who waits in the line of passwords is let in, however long the line is", async () => {
  await using service = await aService().started()
  const { email } = await signedIn(service)
  // Bun closes a silent connection up to four seconds later than it says.
  const busyMs = (idleSeconds + 6) * secondMs
  const before = Array.from({ length: maxConcurrentHashes }, () => queueHash(() => Bun.sleep(busyMs)))
  const { status } = await consoleClient(service).post(
    "/console/sign-in",
    { email, password },
    { token: null },
  )
  await Promise.all(before)
  expect(status).toBe(303)
})

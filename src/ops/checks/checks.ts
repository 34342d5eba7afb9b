import { secondMs } from "../../base/clock.ts"
import { type Check, checked } from "./check.ts"
import { checkClock, checkDatabase, checkDeliveries, checkIndex } from "./data.ts"
import { checkDisk, checkDns } from "./machine.ts"
import { checkModel, checkPublicUrl, checkSmtp, type Services } from "./services.ts"

const timeoutMs = 10 * secondMs

/**
 * Looks at every part at once. `wholeDatabase` reads all of the database, which stops the event loop: for a
 * process of its own, not for the one that answers. `workspaceId`: whoever looks may know the projects of
 * this one alone.
 */
export function runChecks(
  parts: Services,
  { wholeDatabase, workspaceId }: { wholeDatabase: boolean; workspaceId?: string },
): Promise<Check[]> {
  const { config, db, clock } = parts
  return Promise.all([
    checked("database", () => checkDatabase(parts, wholeDatabase), timeoutMs),
    checked("index", () => checkIndex(parts, workspaceId), timeoutMs),
    checked("disk", () => checkDisk(config.dataDir, config.minFreeDiskBytes), timeoutMs),
    checked("clock", () => checkClock(db, clock.now()), timeoutMs),
    checked("dns", checkDns, timeoutMs),
    checked("smtp", () => checkSmtp(parts), timeoutMs),
    checked("model", () => checkModel(parts), timeoutMs),
    checked("public_url", () => checkPublicUrl(config.publicUrl), timeoutMs),
    checked("deliveries", () => checkDeliveries(db, clock.now()), timeoutMs),
  ])
}

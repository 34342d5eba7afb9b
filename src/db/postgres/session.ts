import { secondMs } from "../../base/clock.ts"
import { openClient, type Server } from "./client.ts"

const waitMs = 3 * secondMs

/**
 * Whether a connection keeps one session of the server, as locks and prepared statements need. PgBouncer in
 * transaction mode gives a session away as soon as another connection wants one.
 */
export async function keepsSession(server: Server): Promise<boolean> {
  const open = () => openClient(server, { isRelaxed: false, statementTimeoutMs: 2 * waitMs })
  const [probed, other] = await Promise.all([open(), open()])
  try {
    await probed.run("SET guichet.session = 'kept'", [])
    // Takes the session that was given back last, and does not give it back.
    await other.run("BEGIN", [])
    const probe = probed.run("SELECT current_setting('guichet.session', true) AS session", [])
    const answered = await Promise.race([probe, Bun.sleep(waitMs)])
    // The only session of the pool: it comes free when the other connection ends.
    other.close()
    await probe
    return answered?.[0]?.["session"] === "kept"
  } finally {
    probed.close()
    other.close()
  }
}

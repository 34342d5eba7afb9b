import { Elysia } from "elysia"
import { withTimeout } from "../base/async.ts"
import { secondMs } from "../base/clock.ts"

interface Health {
  /** False when the database cannot be written to, for example because the disk is full. */
  writable(): Promise<boolean>
  /** True once a shutdown has been requested. */
  stopping(): boolean
}

/** A database behind a network that swallows packets is away, long before its statement is given up. */
const answerWithinMs = 2 * secondMs
const tooLate = () => new Error("no answer from the database")

/** `/healthz`: the process is alive. `/readyz`: it can take requests, so a proxy may send some. */
export function healthRoutes(health: Health) {
  return new Elysia({ name: "health" })
    .get("/healthz", () => said("ok"))
    .get("/readyz", async () => {
      if (health.stopping()) return said("stopping", 503)
      if (!(await withTimeout(health.writable(), answerWithinMs, tooLate).catch(() => false)))
        return said("database not writable", 503)
      return said("ok")
    })
}

function said(text: string, status = 200): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8" },
  })
}

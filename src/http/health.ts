import { Elysia } from "elysia"

interface Health {
  /** False when the database cannot be written to, for example because the disk is full. */
  writable(): Promise<boolean>
  /** True once a shutdown has been requested. */
  stopping(): boolean
}

/** `/healthz`: the process is alive. `/readyz`: it can take requests, so a proxy may send some. */
export function healthRoutes(health: Health) {
  return new Elysia({ name: "health" })
    .get("/healthz", () => said("ok"))
    .get("/readyz", async () => {
      if (health.stopping()) return said("stopping", 503)
      if (!(await health.writable())) return said("database not writable", 503)
      return said("ok")
    })
}

function said(text: string, status = 200): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8" },
  })
}

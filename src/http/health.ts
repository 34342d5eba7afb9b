import { Elysia } from "elysia"

interface Health {
  /** False when the database cannot be written to. */
  writable(): Promise<boolean>
  /** True from the moment a stop was asked for. */
  stopping(): boolean
}

/** `/healthz`: the process answers. `/readyz`: it can take requests, so a proxy may send some. */
export function healthRoutes(health: Health) {
  return new Elysia({ name: "health" })
    .get("/healthz", () => new Response("ok\n"))
    .get("/readyz", async () => {
      if (health.stopping()) return new Response("stopping\n", { status: 503 })
      if (!(await health.writable())) return new Response("database not writable\n", { status: 503 })
      return new Response("ok\n")
    })
}

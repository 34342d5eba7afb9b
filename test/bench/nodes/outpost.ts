/**
 * Outpost (github.com/hookdeck/outpost), with its own Redis and RabbitMQ and the bench's PostgreSQL, in processes below
 * this one. As its compose file has it: an API, a delivery and a log service; Redis saves every 20 seconds. It signs by
 * Standard Webhooks, allows 10 seconds and 8 attempts, and logs every attempt. Takes `fill N`, `start` and `stop` of
 * the delivery service; `count` tells the attempts that it has logged since.
 */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { SQL } from "bun"
import { freePort } from "../../support/port.ts"
import { eventually } from "../../support/processes.ts"
import { temporaryFolder } from "../../support/service.ts"
import { answerCommands } from "./child.ts"

export interface OutpostWork {
  /** Folder of `outpost` and `outpost-server`. */
  programs: string
  database: string
  receiver: { port: number; host: string; caFile: string }
  endpoints: number
}

const { programs, database, receiver, endpoints } = JSON.parse(process.argv[2] as string) as OutpostWork
/** As long as Guichet's. */
const data = { type: "form.response.created", data: { values: { texte: "x".repeat(1010) } } }
const topic = "form.response.created"
/** Attempts at once, as many as Guichet's. */
const concurrency = "240"
const atOnce = 50

await using resources = new AsyncDisposableStack()
const folder = resources.use(temporaryFolder()).path
const [redisPort, amqpPort, distPort, epmdPort, apiPort, logPort, deliveryPort] = (await Promise.all(
  Array.from({ length: 7 }, () => freePort()),
)) as [number, number, number, number, number, number, number]

function spawn(command: readonly string[], env: Record<string, string | undefined>) {
  const child = Bun.spawn([...command], {
    env,
    cwd: folder,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  })
  return {
    async [Symbol.asyncDispose]() {
      child.kill()
      await child.exited
    },
  }
}

const { PATH } = process.env
const redis = [
  "redis-server",
  "--port",
  `${redisPort}`,
  "--bind",
  "127.0.0.1",
  "--save",
  "20 1",
  "--dir",
  folder,
]
resources.use(spawn(redis, { PATH }))
mkdirSync(join(folder, "rabbitmq"))
const broker = {
  PATH,
  HOME: folder,
  ERL_EPMD_PORT: String(epmdPort),
  ERL_EPMD_ADDRESS: "127.0.0.1",
  RABBITMQ_NODENAME: "bench@localhost",
  RABBITMQ_NODE_IP_ADDRESS: "127.0.0.1",
  RABBITMQ_NODE_PORT: String(amqpPort),
  RABBITMQ_DIST_PORT: String(distPort),
  RABBITMQ_MNESIA_BASE: join(folder, "rabbitmq"),
  RABBITMQ_LOG_BASE: join(folder, "rabbitmq"),
  RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, "rabbitmq/plugins"),
}
// The name server of Erlang outlives the broker.
resources.defer(() => void Bun.spawnSync(["epmd", "-port", String(epmdPort), "-kill"], { env: { PATH } }))
resources.use(spawn(["/usr/lib/rabbitmq/bin/rabbitmq-server"], broker))

const settings = {
  PATH: `${programs}:${PATH}`,
  SSL_CERT_FILE: receiver.caFile,
  API_KEY: "bench",
  API_JWT_SECRET: "bench",
  AES_ENCRYPTION_SECRET: "encryptionsecretencryptionsecret",
  TOPICS: topic,
  LOG_LEVEL: "error",
  REDIS_HOST: "127.0.0.1",
  REDIS_PORT: String(redisPort),
  POSTGRES_URL: `${database}?sslmode=disable`,
  RABBITMQ_SERVER_URL: `amqp://guest:guest@127.0.0.1:${amqpPort}`,
  DELIVERY_MAX_CONCURRENCY: concurrency,
  LOG_MAX_CONCURRENCY: concurrency,
  LOG_BATCH_THRESHOLD_SECONDS: "1",
  DELIVERY_TIMEOUT_SECONDS: "10",
  MAX_RETRY_LIMIT: "7",
  DESTINATIONS_WEBHOOK_MODE: "standard",
  DISABLE_TELEMETRY: "true",
}
/** Each of them tells at a port of its own how it is. */
const ports = { api: apiPort, log: logPort, delivery: deliveryPort }
const serve = (service: keyof typeof ports) =>
  spawn([join(programs, "outpost-server")], {
    ...settings,
    SERVICE: service,
    API_PORT: String(ports[service]),
  })

await eventually(() => isOpen(redisPort))
await eventually(() => isOpen(amqpPort))
const migrated = Bun.spawnSync([join(programs, "outpost"), "migrate", "apply", "--yes"], {
  env: settings,
  cwd: folder,
})
if (!migrated.success) throw new Error(`outpost migrate: ${migrated.stderr}${migrated.stdout}`)
for (const service of ["api", "log"] as const) resources.use(serve(service))
const api = `http://127.0.0.1:${apiPort}/api/v1`
await eventually(() => isOpen(apiPort))

async function call(method: string, path: string, body?: object): Promise<void> {
  const response = await fetch(`${api}${path}`, {
    method,
    headers: { authorization: "Bearer bench", "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  await response.body?.cancel()
}

for (let tenant = 0; tenant < endpoints; tenant++) {
  await call("PUT", `/tenants/${tenant}`)
  await call("POST", `/tenants/${tenant}/destinations`, {
    type: "webhook",
    topics: ["*"],
    config: { url: `https://${receiver.host}:${receiver.port}/hook` },
  })
}

async function fill(count: number): Promise<void> {
  let next = 0
  const publish = async () => {
    while (next < count)
      await call("POST", "/publish", { tenant_id: String(next++ % endpoints), topic, data })
  }
  await Promise.all(Array.from({ length: atOnce }, publish))
}

const sql = new SQL(database, { max: 1 })
resources.defer(() => sql.close())
let logged = 0
const count = async () => Number((await sql`SELECT count(*) AS attempts FROM attempts`)[0].attempts)
let delivery: AsyncDisposable | undefined
await answerCommands("ready", async (command) => {
  const [what, number] = command.split(" ")
  if (what === "count") {
    // Asked as often as the bench asks, counting would be work of its own.
    await Bun.sleep(100)
    return String((await count()) - logged)
  }
  if (what === "fill") await fill(Number(number))
  else if (what === "start") {
    logged = await count()
    delivery = serve("delivery")
  } else await delivery?.[Symbol.asyncDispose]()
  return command
})

async function isOpen(port: number): Promise<boolean> {
  try {
    const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } })
    socket.end()
    return true
  } catch {
    await Bun.sleep(50)
    return false
  }
}

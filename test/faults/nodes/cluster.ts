import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { type Authority, openAuthority } from "../../support/authority.ts"
import { guichet } from "../../support/cli.ts"
import { manyPosts } from "../../support/many-posts.ts"
import { password } from "../../support/operator.ts"
import { serverSettings } from "../../support/postgres.ts"
import { administer, type OwnPostgres, startPostgres } from "../../support/postgres-server.ts"
import { type NetworkProxy, openProxy } from "../../support/proxy.ts"
import { type S3Server, startS3Server } from "../../support/s3-server.ts"
import { temporaryFolder } from "../../support/service.ts"
import { type Balancer, openBalancer } from "./balancer.ts"
import { type Mailboxes, startMailboxes } from "./mailboxes.ts"
import { type Manual, startManual } from "./manual.ts"
import { type NodeProcess, openNode, removeFakeClocks } from "./node-process.ts"
import { busy, hanging, type Receivers, startReceivers } from "./receivers.ts"

/** Three nodes and everything that they share, on the loopback of this machine. */
export interface Cluster extends AsyncDisposable {
  nodes: readonly NodeProcess[]
  balancer: Balancer
  postgres: OwnPostgres
  /** Address of the database, past the network that can be cut. */
  database: string
  /** Between the node `cutNode` and PostgreSQL. */
  network: NetworkProxy
  store: S3Server
  receivers: Receivers
  mailboxes: Mailboxes
  manual: Manual
  /** Bearer token of the management API. */
  token: string
  /** Folder of the logs. */
  folder: string
}

export const clocksSeconds = [0, 20, -7]
export const cutNode = 1
export const operator = "camille@exemple.fr"
export const publicUrl = "http://localhost:8080"
export const busyHosts = Array.from({ length: 12 }, (_, index) => `hooks-${index}.acme.fr`)
export const hangingHost = "slow.acme.fr"
/** Of one visitor and day. */
export const visitorLimits = { questions: 20, posts: 25 }

const plenty = "1000000000"

export async function startCluster(program: string | undefined): Promise<Cluster> {
  await using resources = new AsyncDisposableStack()
  const { path: folder } = resources.use(temporaryFolder())
  resources.defer(removeFakeClocks)
  const postgres = resources.use(await startPostgres(["fsync=on", "max_connections=200"]))
  const database = postgres.url("guichet")
  await administer(postgres.url("postgres"), "CREATE DATABASE guichet TEMPLATE template0")
  const network = resources.use(openProxy(postgres.port))
  const store = resources.use(await startS3Server())
  const authority: Authority = resources.use(openAuthority())
  const manners = new Map([
    ...busyHosts.map((host) => [host, busy] as const),
    [hangingHost, hanging] as const,
  ])
  const receivers = resources.use(await startReceivers(authority, clocksSeconds.length, manners))
  const mailboxes = resources.use(await startMailboxes(clocksSeconds.length))
  const manual = resources.use(startManual())
  const shared = {
    ...manyPosts,
    ...store.settings(),
    GUICHET_EMBEDDING: "none",
    GUICHET_FEED_ALLOW_PRIVATE: "true",
    GUICHET_PUBLIC_URL: publicUrl,
    GUICHET_OPERATOR_EMAIL: operator,
    GUICHET_OPERATOR_PASSWORD: password,
    GUICHET_ASK_PER_MINUTE: plenty,
    GUICHET_ASK_PER_PROJECT_DAY: plenty,
    GUICHET_ASK_PER_ORGANISATION_MONTH: plenty,
    GUICHET_ASK_PER_VISITOR_DAY: String(visitorLimits.questions),
    GUICHET_FORM_PER_VISITOR_DAY: String(visitorLimits.posts),
  }
  const nodes: NodeProcess[] = []
  for (const [index, clockSeconds] of clocksSeconds.entries()) {
    const dataDir = join(folder, `node-${index}`)
    mkdirSync(dataDir)
    const url = new URL(database)
    if (index === cutNode) url.port = String(network.port)
    const environment = {
      ...shared,
      ...serverSettings(url.href),
      ...receivers.settingsOf(index),
      ...mailboxes.settingsOf(index),
      GUICHET_DATA_DIR: dataDir,
    }
    const log = join(folder, `node-${index}.log`)
    nodes.push(resources.use(await openNode({ index, environment, clockSeconds, log, program })))
  }
  const [first, ...others] = nodes
  await first?.start()
  await Promise.all(others.map((node) => node.start()))
  const made = await guichet(["token", "create", "--json"], {
    ...shared,
    ...serverSettings(database),
    GUICHET_DATA_DIR: join(folder, "command"),
  })
  if (made.exitCode !== 0) throw new Error(made.stderr)
  const balancer = resources.use(openBalancer(nodes.map(({ url }) => url)))
  const kept = resources.move()
  return {
    nodes,
    balancer,
    postgres,
    database,
    network,
    store,
    receivers,
    mailboxes,
    manual,
    token: JSON.parse(made.stdout).token,
    folder,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

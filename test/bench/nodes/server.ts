import { readFileSync } from "node:fs"
import { administer, startPostgres } from "../../support/postgres-server.ts"
import { processorMsOfTree } from "../process-tree.ts"

/** PostgreSQL as it runs in earnest: what is acknowledged is on the disk. */
export interface BenchServer extends Disposable {
  /** A new database; its address. */
  database(): Promise<string>
  /** Processor time of all its processes so far, those that ended included. */
  processorMs(): number
  run<Row>(url: string, statement: string): Promise<Row[]>
}

const settings = [
  "fsync=on",
  "synchronous_commit=on",
  "shared_buffers=512MB",
  "max_wal_size=4GB",
  "max_connections=300",
]

export async function startBenchServer(): Promise<BenchServer> {
  const server = await startPostgres(settings)
  let made = 0
  return {
    async database() {
      const name = `bench_${made++}`
      await administer(server.url("postgres"), `CREATE DATABASE ${name}`)
      return server.url(name)
    },
    processorMs: () => processorMsOfTree(server.pid()) + endedChildrenMs(server.pid()),
    async run(url, statement) {
      const sql = new Bun.SQL(url, { max: 1 })
      try {
        return await sql.unsafe(statement)
      } finally {
        await sql.close()
      }
    },
    [Symbol.dispose]: server[Symbol.dispose],
  }
}

/** Processor time of the children that a process has outlived: cutime and cstime of proc(5). */
function endedChildrenMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[13]) + Number(fields[14])) * 10
}

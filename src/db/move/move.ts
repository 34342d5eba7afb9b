import { Refusal } from "../../base/errors.ts"
import { tables as declared, tableNames } from "../schema.ts"
import { openBatches } from "../search.ts"
import { canonical, type Row, type Source, type Table, type Target, type Value } from "./side.ts"

/** Rows of a table, and the checksum of their contents in the order of their keys. */
export interface TableSum {
  table: string
  rows: number
  /** SHA-256, of the rows as `canonical` writes them. */
  checksum: string
}

export interface MoveResult {
  tables: TableSum[]
  /** The rows were all there before. */
  wasMoved: boolean
}

export type OnProgress = (label: string, done: number, total: number | undefined) => void

/** Indexes are built again from the documents, and nodes say for themselves that they run. */
const leftOut = ["archive_part", "node"]

/** In this order, rows that others refer to come before these. */
export const tablesToMove: readonly Table[] = tableNames
  .filter((name) => !leftOut.includes(name))
  .map((name) => ({ name, columns: Object.keys(declared[name].columns), key: declared[name].key }))

/** Rows of a table that has no key. */
const mostWithoutKey = 100

/**
 * Copies every table, compares the two databases, and publishes the new one if they are the same. After a kill at
 * any point the same call goes on. Throws Refusal `conflict`, and publishes nothing, when they differ, or when the
 * place of the new one is taken.
 */
export async function moveDatabase(
  tables: readonly Table[],
  source: Source,
  target: Target,
  onProgress: OnProgress,
): Promise<MoveResult> {
  if (target.published) {
    const sums = await compare(tables, source, target.published, onProgress, otherData)
    return { tables: sums, wasMoved: true }
  }
  for (const table of tables) await copyTable(table, source, target, onProgress)
  const sums = await compare(tables, source, target, onProgress, notTheSame)
  await target.publish()
  return { tables: sums, wasMoved: false }
}

async function copyTable(table: Table, source: Source, target: Target, onProgress: OnProgress) {
  if (table.key.length === 0) {
    await target.replace(table, await source.read(table, { after: undefined, atMost: mostWithoutKey }))
    return
  }
  const total = await source.count(table)
  let done = await target.count(table)
  await eachBatch(table, source, await target.last(table), async (rows) => {
    await target.insert(table, rows)
    done += rows.length
    onProgress(`copying ${table.name}`, done, total)
  })
}

/** Throws what `refuse` makes of the differences. */
async function compare(
  tables: readonly Table[],
  source: Source,
  other: Source,
  onProgress: OnProgress,
  refuse: (differences: string[]) => Refusal,
): Promise<TableSum[]> {
  const sums: TableSum[] = []
  const differences: string[] = []
  for (const [index, table] of tables.entries()) {
    onProgress("comparing tables", index, tables.length)
    const [here, there] = await Promise.all([sumTable(table, source), sumTable(table, other)])
    sums.push(here)
    if (here.rows !== there.rows)
      differences.push(`${table.name} has ${here.rows} rows here, ${there.rows} there`)
    else if (here.checksum !== there.checksum) differences.push(`rows of ${table.name} are not the same`)
  }
  if (differences.length > 0) throw refuse(differences)
  return sums
}

async function sumTable(table: Table, source: Source): Promise<TableSum> {
  const hasher = new Bun.CryptoHasher("sha256")
  let rows = 0
  await eachBatch(table, source, undefined, async (batch) => {
    rows += batch.length
    for (const row of batch) hasher.update(`${canonical(row)}\n`)
  })
  return { table: table.name, rows, checksum: hasher.digest("hex") }
}

/** Batches are small where rows are large, so that a few megabytes are in memory. */
async function eachBatch(
  table: Table,
  source: Source,
  from: Row | undefined,
  use: (rows: Row[]) => Promise<void>,
): Promise<void> {
  const batches = openBatches()
  let after = from
  for (;;) {
    const atMost = table.key.length > 0 ? batches.size() : mostWithoutKey
    const rows = await source.read(table, { after, atMost })
    if (rows.length > 0) await use(rows)
    if (rows.length < atMost) return
    for (const row of rows) await batches.add(row.filter(hasLength))
    await batches.end()
    after = rows.at(-1)
  }
}

function hasLength(value: Value): value is string | Uint8Array {
  return typeof value === "string" || value instanceof Uint8Array
}

function notTheSame(differences: string[]): Refusal {
  return new Refusal("conflict", "", {
    reason: `the copy is not what the database holds, and is not used: ${differences.join("; ")} (--restart copies everything again)`,
  })
}

function otherData(differences: string[]): Refusal {
  return new Refusal("conflict", "", {
    reason: `the target holds other data, and nothing is overwritten: ${differences.join("; ")}`,
  })
}

import { dlopen } from "bun:ffi"

/**
 * LanceDB 0.31 builds a full-text index on a pool with two threads fewer than the machine has cores. The
 * writer of a large index holds one of these threads while it waits for another, so on two cores building
 * 100,000 passages deadlocked (lancedb/lancedb#3568). A single writer with a larger pool cannot deadlock.
 */
const threads = { LANCE_CPU_THREADS: "4", LANCE_FTS_NUM_SHARDS: "1" }

let isSet = false

/**
 * Sets LanceDB's thread settings; call before any use of LanceDB, which reads them once. LanceDB reads the
 * environment of C, which assignments in JavaScript do not change. Values that are already set stay.
 */
export function setLanceThreads(): void {
  if (isSet) return
  isSet = true
  const library = process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6"
  try {
    const libc = dlopen(library, { setenv: { args: ["cstring", "cstring", "int"], returns: "int" } })
    for (const [name, value] of Object.entries(threads)) libc.symbols.setenv(cString(name), cString(value), 0)
    libc.close()
  } catch {
    // Where memory may not be made executable, C cannot be called: LanceDB then uses its own thread count.
  }
}

/** A zero-terminated string, as C requires. */
function cString(value: string): Buffer {
  return Buffer.from(`${value}\0`)
}

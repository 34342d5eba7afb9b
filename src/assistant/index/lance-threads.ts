import { dlopen } from "bun:ffi"

/**
 * LanceDB 0.31 builds a full-text index on a pool of as many threads as the machine has cores, less two.
 * Whoever writes a large index holds one of them while waiting for another: on a machine of two cores the
 * building of 100,000 passages stood still for ever (lancedb/lancedb#3568). One writer and a pool that is
 * larger cannot.
 */
const threads = { LANCE_CPU_THREADS: "4", LANCE_FTS_NUM_SHARDS: "1" }

let isSet = false

/**
 * To be called before LanceDB does anything: it looks once, in the environment that C sees, which assigning
 * in JavaScript does not change. What the owner of the machine has set stays.
 */
export function provideThreads(): void {
  if (isSet) return
  isSet = true
  const library = process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6"
  try {
    const libc = dlopen(library, { setenv: { args: ["cstring", "cstring", "int"], returns: "int" } })
    for (const [name, value] of Object.entries(threads)) libc.symbols.setenv(text(name), text(value), 0)
    libc.close()
  } catch {
    // Where memory may not be made executable there is no calling into C: the machine's own number of threads
    // has to do.
  }
}

/** As C wants it: ending with a zero. */
function text(value: string): Buffer {
  return Buffer.from(`${value}\0`)
}

import { dlopen } from "bun:ffi"

/**
 * Collects garbage, and has the C library give freed memory back to the system, which it keeps for later otherwise
 * (malloc_trim(3) of glibc; other libraries have no such function and are left alone).
 */
export function releaseMemory(): void {
  Bun.gc(true)
  try {
    const libc = dlopen("libc.so.6", { malloc_trim: { args: ["usize"], returns: "int" } })
    libc.symbols.malloc_trim(0)
    libc.close()
  } catch {
    // Not glibc.
  }
}

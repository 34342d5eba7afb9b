import { stat } from "node:fs/promises"
import { indexBytes, listIndexes, vocabularyFile } from "../../index/lance/index-files.ts"

export type CacheSpace = ReturnType<typeof openCacheSpace>

/** The disk that the indexes of a node take, and which of them go when it is too much. */
export function openCacheSpace(indexDir: string, maxBytes: number) {
  /** The one used least recently first. */
  const order = new Set<string>()
  const sizes = new Map<string, number>()

  /** Notes that a question was answered from an index. */
  function used(name: string): void {
    order.delete(name)
    order.add(name)
  }

  /**
   * Looks at the folder: complete indexes with their sizes. An index never changes, so that it is measured once. One
   * that is gone is forgotten.
   */
  async function measure(): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>()
    for (const name of await listIndexes(indexDir)) {
      const bytes = sizes.get(name) ?? (await sizeWhenComplete(name))
      if (bytes !== undefined) found.set(name, bytes)
    }
    sizes.clear()
    for (const [name, bytes] of found) sizes.set(name, bytes)
    for (const name of order) if (!found.has(name)) order.delete(name)
    return found
  }

  async function sizeWhenComplete(name: string): Promise<number | undefined> {
    const isComplete = await stat(vocabularyFile(indexDir, name)).catch(() => undefined)
    return isComplete && indexBytes(indexDir, name)
  }

  /** The least recently used indexes to delete so that the rest fits. */
  function surplus(measured: ReadonlyMap<string, number>): string[] {
    let bytes = totalOf(measured)
    if (bytes <= maxBytes) return []
    const unused = [...measured.keys()].filter((name) => !order.has(name))
    const surplus: string[] = []
    for (const name of [...unused, ...order]) {
      if (bytes <= maxBytes) break
      bytes -= measured.get(name) ?? 0
      if (measured.has(name)) surplus.push(name)
    }
    return surplus
  }

  return { used, measure, surplus }
}

export function totalOf(sizes: ReadonlyMap<string, number>): number {
  return [...sizes.values()].reduce((total, bytes) => total + bytes, 0)
}

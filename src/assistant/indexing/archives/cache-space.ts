import { stat } from "node:fs/promises"
import { listIndexes, sizeOf, vocabularyFile } from "../../index/index-files.ts"

/** The disk that the indexes of a node take, and which of them go when it is too much. */
export interface CacheSpace {
  /** Notes that a question was answered from an index. */
  used(name: string): void
  hasRoomFor(bytes: number): Promise<boolean>
  /** The indexes used least recently, so many that the rest is small enough. */
  surplus(): Promise<string[]>
}

export function openCacheSpace(indexDir: string, maxBytes: number): CacheSpace {
  /** The one used least recently first. */
  const order = new Set<string>()
  const sizes = new Map<string, number>()

  function used(name: string): void {
    order.delete(name)
    order.add(name)
  }

  /** Complete indexes with their sizes. An index never changes, so that it is measured once. */
  async function measured(): Promise<Map<string, number>> {
    const found = new Map<string, number>()
    for (const name of await listIndexes(indexDir)) {
      const bytes = sizes.get(name) ?? (await sizeWhenComplete(name))
      if (bytes !== undefined) found.set(name, bytes)
    }
    sizes.clear()
    for (const [name, bytes] of found) sizes.set(name, bytes)
    return found
  }

  async function sizeWhenComplete(name: string): Promise<number | undefined> {
    const isComplete = await stat(vocabularyFile(indexDir, name)).catch(() => undefined)
    return isComplete && sizeOf(indexDir, name)
  }

  async function surplus(): Promise<string[]> {
    const found = await measured()
    let bytes = sum(found)
    if (bytes <= maxBytes) return []
    const unused = [...found.keys()].filter((name) => !order.has(name))
    const surplus: string[] = []
    for (const name of [...unused, ...order]) {
      if (bytes <= maxBytes) break
      if (!found.has(name)) continue
      bytes -= found.get(name) as number
      surplus.push(name)
    }
    return surplus
  }

  return {
    used,
    hasRoomFor: async (bytes) => sum(await measured()) + bytes <= maxBytes,
    surplus,
  }
}

function sum(sizes: ReadonlyMap<string, number>): number {
  return [...sizes.values()].reduce((total, bytes) => total + bytes, 0)
}

import { heapStats } from "bun:jsc"
import { writeFileSync } from "node:fs"
import { objectsPath } from "./object-counts.ts"

/**
 * Loaded before the service: at SIGUSR2 it writes down how many objects of which type live after a full
 * collection.
 */
process.on("SIGUSR2", () => {
  Bun.gc(true)
  writeFileSync(objectsPath(process.pid), JSON.stringify(heapStats().objectTypeCounts))
})

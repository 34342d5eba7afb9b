import { shareLock, takeLock } from "./lock.ts"

/**
 * A service works with the database of the version that it knows. While one runs, no program of a newer
 * version brings the database up under it: a command typed between the replacing of the file and the restart
 * would make it refuse every form.
 */
export function announceService(dataDir: string, version: number): Disposable | undefined {
  return shareLock(dataDir, nameOf(version))
}

/** Whether a service runs that knows the database of this version. */
export function isServed(dataDir: string, version: number): boolean {
  const lock = takeLock(dataDir, nameOf(version))
  lock?.[Symbol.dispose]()
  return lock === undefined
}

function nameOf(version: number): string {
  return `service-${version}`
}

import { shareLock, takeLock } from "./lock.ts"

/**
 * Locks the database at this service's version, until disposed of. While the lock is held, no newer program
 * migrates the database: a command run between the update of the binary and the restart of the service would
 * otherwise make the running service refuse every form. Undefined when the lock cannot be taken.
 */
export function holdVersionLock(dataDir: string, version: number): Promise<Disposable | undefined> {
  return shareLock(dataDir, lockName(version))
}

/** Whether a running service holds the lock of this version. */
export function isVersionLocked(dataDir: string, version: number): boolean {
  const lock = refuseServices(dataDir, version)
  lock?.[Symbol.dispose]()
  return lock === undefined
}

/** Keeps every service of this version from starting, until disposed of. Undefined while one runs. */
export function refuseServices(dataDir: string, version: number): Disposable | undefined {
  return takeLock(dataDir, lockName(version))
}

function lockName(version: number): string {
  return `service-${version}`
}

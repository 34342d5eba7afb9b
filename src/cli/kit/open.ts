import { existsSync, readdirSync } from "node:fs"
import { type App, openApp } from "../../app.ts"
import { UsageError } from "../../base/errors.ts"
import { type Config, readConfig } from "../../config/config.ts"
import type { Environment } from "../../config/parse.ts"
import { databasePath } from "../../db/sqlite/connection.ts"

/** Opens the data that a command works on. Rejects as `requireData` throws. */
export async function openData(environment: Environment): Promise<App> {
  const config = readConfig(environment)
  requireData(config)
  return openApp(config)
}

/**
 * Throws UsageError where there is no data, so that a mistyped folder is not filled with an empty installation; a
 * folder that is there and empty was made for one.
 */
export function requireData({ dataDir, secrets }: Config): void {
  if (!secrets.database && !existsSync(databasePath(dataDir)) && !isEmptyFolder(dataDir))
    throw new UsageError(
      `there is no Guichet data in ${dataDir}: set GUICHET_DATA_DIR to the folder of the service, or start a new one with guichet serve`,
    )
}

function isEmptyFolder(path: string): boolean {
  try {
    return readdirSync(path).length === 0
  } catch {
    return false
  }
}

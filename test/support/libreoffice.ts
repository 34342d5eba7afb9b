import { existsSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"

/** The library of each program, beside the command that all of them share. */
const libraries = { calc: "libsclo.so", writer: "libswlo.so" }

/**
 * Whether LibreOffice is there with this program, which Debian packs by itself. Without it the command ends with 0
 * and converts nothing.
 */
export function hasLibreOffice(program: keyof typeof libraries): boolean {
  const command = Bun.which("soffice")
  return command !== null && existsSync(join(dirname(realpathSync(command)), libraries[program]))
}

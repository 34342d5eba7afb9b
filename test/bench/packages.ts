/** Ends a bench whose packages are missing with the command that installs them. The suite does without them. */
export function requirePackage(name: string): void {
  try {
    Bun.resolveSync(name, import.meta.dir)
  } catch {
    process.stderr.write(`${name} is missing: bun install --frozen-lockfile --cwd test/bench\n`)
    process.exit(1)
  }
}

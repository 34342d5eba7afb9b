const told = new Set<string>()

/**
 * Whether tests are skipped because a program of others is missing, which `line` says, once. Where CI is set they
 * run all the same and fail: it may leave none out.
 */
export function isMissing(isThere: boolean, line: string): boolean {
  if (isThere) return false
  if (!told.has(line)) process.stderr.write(`${line}\n`)
  told.add(line)
  return !process.env["CI"]
}

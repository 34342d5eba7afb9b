/** Runs a program to its end; throws when it fails. */
export async function run(command: string[], folder: string): Promise<void> {
  const child = Bun.spawn(command, { cwd: folder, stdout: "ignore", stderr: "inherit" })
  if ((await child.exited) !== 0) throw new Error(`failed: ${command.join(" ")}`)
}

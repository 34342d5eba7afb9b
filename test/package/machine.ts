import { copyFileSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"

/** A fresh Debian in a folder, entered by chroot. */
export interface Machine extends AsyncDisposable {
  /** Puts a file into /root. */
  add(file: string, name: string): void
  /** Runs a script as root. */
  inside(script: string): Promise<Ran>
  /** Runs a script as another account. */
  as(account: string, script: string): Promise<Ran>
}

export interface Ran {
  exitCode: number
  stdout: string
  stderr: string
}

const longestMs = 180_000

export async function openMachine(root: string, packages: readonly string[]): Promise<Machine> {
  mkdirSync(root, { recursive: true })
  const made = await runHere([
    "debootstrap",
    "--variant=minbase",
    `--include=${packages.join(",")}`,
    "bookworm",
    root,
  ])
  if (made.exitCode !== 0) throw new Error(`debootstrap failed: ${made.stdout.slice(-500)}`)
  await runHere(["mount", "-t", "proc", "proc", join(root, "proc")])
  const environment = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive"]
  const enter = (script: string, ...before: string[]) =>
    runHere(["chroot", root, ...environment, ...before, "sh", "-c", script])
  return {
    add: (file, name) => copyFileSync(file, join(root, "root", name)),
    inside: (script) => enter(script),
    as: (account, script) => enter(script, "runuser", "-u", account, "--"),
    async [Symbol.asyncDispose]() {
      await runHere(["umount", join(root, "proc")])
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Runs a program on this machine, for three minutes at most. */
export async function runHere(command: string[]): Promise<Ran> {
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe", timeout: longestMs })
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { exitCode, stdout, stderr }
}

import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Machine, openMachine, type Ran, runHere } from "./machine.ts"

/**
 * A fresh Debian that runs under its own systemd, in namespaces of its own, on the kernel of this machine and,
 * unless it has its own, on its network.
 */
export interface BootedMachine extends Machine {
  /** Path of its root folder on this machine. */
  root: string
  /** Ends every process at once, then boots again from what is on the disk. */
  cutPower(): Promise<void>
}

interface Surroundings {
  /** Of this machine, unless it has one of its own: without a way out, and without anybody else's ports. */
  ownNetwork?: boolean
  mirror?: string
}

/**
 * Sets up the surroundings that an init needs: its own view of processes, devices, control groups and mounts,
 * with propagation.
 */
const boot = `
  set -e
  cd "$1"
  mount --make-rprivate /
  mount --bind . .
  cd "$1"
  mountpoint -q proc || mount -t proc proc proc
  mount -t sysfs -o ro sysfs sys
  mount -t cgroup2 cgroup2 sys/fs/cgroup
  mount -t tmpfs -o mode=755 tmpfs run
  mount -t tmpfs tmpfs tmp
  mount -t tmpfs -o mode=755 tmpfs dev
  for name in null zero full random urandom tty; do touch dev/$name; mount --bind /dev/$name dev/$name; done
  mkdir dev/pts dev/shm
  mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
  mount -t tmpfs tmpfs dev/shm
  ln -s pts/ptmx dev/ptmx
  ln -s /proc/self/fd dev/fd
  mkdir -p .before
  pivot_root . .before
  umount -l /.before
  mount --make-rshared /
  exec env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd
`
const namespaces = ["--fork", "--kill-child", "--pid", "--mount", "--uts", "--ipc", "--cgroup"]

export async function openBootedMachine(
  root: string,
  packages: readonly string[],
  { ownNetwork = false, mirror }: Surroundings = {},
): Promise<BootedMachine> {
  const machine = await openMachine(root, [...packages, "systemd", "systemd-sysv", "dbus"], mirror)
  await runHere(["umount", join(root, "proc")])
  const group = ownGroup()
  let outside = await bootUp(root, group, ownNetwork).catch(async (error) => {
    await machine[Symbol.asyncDispose]()
    throw error
  })
  const inside = (script: string, ...before: string[]) =>
    runInside(outside.pid, ownNetwork, [...before, "sh", "-c", script])
  async function turnOff(): Promise<void> {
    outside.kill("SIGKILL")
    await outside.exited
  }
  return {
    ...machine,
    root,
    inside: (script) => inside(script),
    as: (account, script) => inside(script, "runuser", "-u", account, "--"),
    async cutPower() {
      await turnOff()
      outside = await bootUp(root, group, ownNetwork)
    },
    async [Symbol.asyncDispose]() {
      await turnOff()
      // A group can be removed a moment after its last process has ended.
      for (let tries = 0; existsSync(group) && tries < 50; tries++) {
        await runHere(["find", group, "-depth", "-type", "d", "-exec", "rmdir", "{}", ";"])
        await Bun.sleep(100)
      }
      await machine[Symbol.asyncDispose]()
    },
  }
}

/** Boots the folder, and resolves to the process outside of its namespaces once systemd is up. */
async function bootUp(root: string, group: string, ownNetwork: boolean): Promise<Bun.Subprocess> {
  // Enters a control group before its namespace begins, so that the namespace has that group as its root.
  const enterGroup = `mkdir -p ${group} && echo $$ > ${group}/cgroup.procs && exec unshare "$@"`
  const kinds = ownNetwork ? [...namespaces, "--net"] : namespaces
  const unshare = ["bash", "-c", enterGroup, "unshare", ...kinds, "bash", "-c", boot, "boot", root]
  const outside = Bun.spawn(unshare, { stdin: "ignore", stdout: "ignore", stderr: "ignore" })
  for (let tries = 0; tries < 300; tries++) {
    const asked = runInside(outside.pid, ownNetwork, ["systemctl", "is-system-running"])
    const { stdout } = await asked.catch(() => ({ stdout: "" }))
    if (/running|degraded/.test(stdout)) return outside
    await Bun.sleep(200)
  }
  outside.kill("SIGKILL")
  throw new Error("systemd did not come up")
}

function runInside(outside: number, ownNetwork: boolean, command: string[]): Promise<Ran> {
  const kinds = ["-m", "-p", "-u", "-i", "-C", ...(ownNetwork ? ["-n"] : [])]
  const environment = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive"]
  return runHere(["nsenter", "-t", String(initOf(outside)), ...kinds, "--", ...environment, ...command])
}

/** Process id, on this machine, of the first process of the new namespace. */
function initOf(outside: number): number {
  const [pid] = readFileSync(`/proc/${outside}/task/${outside}/children`, "utf8").split(" ")
  return Number(pid)
}

function ownGroup(): string {
  const [, hierarchy] = /^\S+ (\S+) cgroup2 /m.exec(readFileSync("/proc/mounts", "utf8")) ?? []
  if (!hierarchy) throw new Error("this machine has no cgroup2")
  const group = join(hierarchy, `guichet-trial-${process.pid}`)
  mkdirSync(group)
  return group
}

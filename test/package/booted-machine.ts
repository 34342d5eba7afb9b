import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Machine, openMachine, type Ran, runHere } from "./machine.ts"

/**
 * A fresh Debian that runs under its own systemd, in namespaces of its own, on the kernel and the network of
 * this machine.
 */
export interface BootedMachine extends Machine {
  /** Path of its root folder on this machine. */
  root: string
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

export async function openBootedMachine(root: string, packages: readonly string[]): Promise<BootedMachine> {
  const machine = await openMachine(root, [...packages, "systemd", "systemd-sysv", "dbus"])
  await runHere(["umount", join(root, "proc")])
  const group = ownGroup()
  // Enters a control group before its namespace begins, so that the namespace has that group as its root.
  const enterGroup = `echo $$ > ${group}/cgroup.procs && exec unshare "$@"`
  const unshare = ["bash", "-c", enterGroup, "unshare", ...namespaces, "bash", "-c", boot, "boot", root]
  const outside = Bun.spawn(unshare, { stdin: "ignore", stdout: "ignore", stderr: "ignore" })
  const inside = async (script: string, ...before: string[]): Promise<Ran> => {
    const enter = ["nsenter", "-t", String(initOf(outside.pid)), "-m", "-p", "-u", "-i", "-C", "--"]
    const environment = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive"]
    return runHere([...enter, ...environment, ...before, "sh", "-c", script])
  }
  const booted: BootedMachine = {
    ...machine,
    root,
    inside: (script) => inside(script),
    as: (account, script) => inside(script, "runuser", "-u", account, "--"),
    async [Symbol.asyncDispose]() {
      outside.kill("SIGKILL")
      await outside.exited
      // A group can be removed a moment after its last process has ended.
      for (let tries = 0; existsSync(group) && tries < 50; tries++) {
        await runHere(["find", group, "-depth", "-type", "d", "-exec", "rmdir", "{}", ";"])
        await Bun.sleep(100)
      }
      await machine[Symbol.asyncDispose]()
    },
  }
  for (let tries = 0; tries < 100; tries++) {
    const { stdout } = await inside("systemctl is-system-running").catch(() => ({ stdout: "" }))
    if (/running|degraded/.test(stdout)) return booted
    await Bun.sleep(200)
  }
  await booted[Symbol.asyncDispose]()
  throw new Error("systemd did not come up")
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

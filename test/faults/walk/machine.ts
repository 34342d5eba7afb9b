import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type BootedMachine, openBootedMachine } from "../../package/booted-machine.ts"
import { type Ran, runHere } from "../../package/machine.ts"

/** Addresses of the machine: where it is visited, and from where. */
export const addresses = { site: "198.51.100.1", guesser: "198.51.100.7", visitor: "198.51.100.8" }
export const host = "guichet.example.fr"

const packages = [
  ...["ca-certificates", "adduser", "curl", "iproute2", "procps", "openssl", "python3"],
  ...["postgresql", "haproxy", "fail2ban", "python3-systemd", "nftables", "prometheus"],
]

/** `sudo` of the documentation, on a machine where everything is typed by root. */
const sudo = `#!/bin/sh
if [ "$1" = -u ]; then account=$2; shift 2; exec runuser -u "$account" -- "$@"; fi
exec "$@"
`

export interface WalkedMachine extends BootedMachine {
  /** Gives the machine its addresses, which a boot takes away. */
  plugIn(): Promise<void>
  /** Runs the commands that a page of the installed documentation shows under a heading; `which` counts from 0. */
  documented(page: string, heading: string, which?: number): Promise<Ran>
  /** Asks for a path of the site over HTTPS, from one of the addresses. Resolves to the status; 0 without a reply. */
  visit(path: string, from?: string, more?: string): Promise<number>
}

/** A Debian with everything that stands around Guichet, without Guichet, on a network of its own. */
export async function openWalkedMachine(root: string, mirror: string): Promise<WalkedMachine> {
  const machine = await openBootedMachine(root, packages, { ownNetwork: true, mirror })
  writeFileSync(join(root, "usr/bin/sudo"), sudo, { mode: 0o755 })
  return {
    ...machine,
    async plugIn() {
      const add = Object.values(addresses).map((address) => `ip addr add ${address}/32 dev lo`)
      await machine.inside(
        `${add.join("; ")}; grep -q ${host} /etc/hosts || echo ${addresses.site} ${host} >> /etc/hosts`,
      )
    },
    documented(page, heading, which = 0) {
      const text = readFileSync(join(root, "usr/share/doc/guichet", page), "utf8")
      const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? ""
      const commands = [...section.matchAll(/```sh\n([\s\S]*?)```/g)][which]?.[1]
      if (commands === undefined) throw new Error(`${page} shows no commands under « ${heading} »`)
      return machine.inside(`cd /root; ${commands}`)
    },
    async visit(path, from = addresses.visitor, more = "") {
      const options = `-s -k -o /dev/null -w '%{http_code}' --max-time 10 --interface ${from} ${more}`
      return Number((await machine.inside(`curl ${options} https://${host}${path}`)).stdout)
    },
  }
}

/** Where this machine has its own Debian packages from, by the settings of apt. */
export async function mirrorOfThisMachine(): Promise<string> {
  const wanted = ["Created-By: Packages", "Codename: bookworm", "Component: main"]
  const { stdout } = await runHere(["apt-get", "indextargets", "--format", "$(REPO_URI)", ...wanted])
  const [mirror] = stdout.split("\n")
  if (!mirror) throw new Error("apt of this machine knows no Debian 12: --mirror names one")
  return mirror
}

/** Tries again for a minute. */
export async function eventually(holds: () => Promise<boolean>): Promise<boolean> {
  for (const endsAt = performance.now() + 60_000; performance.now() < endsAt; await Bun.sleep(250))
    if (await holds()) return true
  return false
}

import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Certified } from "./authority.ts"
import { isMissing } from "./missing.ts"
import { freePort } from "./port.ts"

/** The name of the examples. */
export const exampleName = "guichet.example.fr"
const examples = resolve(import.meta.dir, "../../data/operate/proxies")

export const example = (file: string) => readFileSync(join(examples, file), "utf8")

/** Where a proxy listens, and where everything is that its example names. */
export interface Place {
  /** Of https and of http. */
  port: number
  plainPort: number
  /** The service behind it. */
  service: string
  /** Its files. */
  folder: string
  cert: string
  key: string
}

interface ProxyProgram {
  program: string
  /** Writes its configuration, made of the example, and gives the command that runs it in the foreground. */
  configure(place: Place): string[]
}

/** Programs that Debian packages, each with its example of `data/operate/proxies`. */
export const proxyPrograms: Record<string, ProxyProgram> = {
  Caddy: {
    program: "caddy",
    configure({ port, plainPort, service, folder, cert, key }) {
      const site = replaced(example("Caddyfile"), {
        [`${exampleName} {`]: `${exampleName} {\n\ttls ${cert} ${key}`,
        "127.0.0.1:3000": service,
      })
      const options = `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\thttp_port ${plainPort}\n\thttps_port ${port}\n}\n`
      return [
        "caddy",
        "run",
        "--adapter",
        "caddyfile",
        "--config",
        written(folder, "Caddyfile", options + site),
      ]
    },
  },
  nginx: {
    program: "nginx",
    configure({ port, plainPort, service, folder, cert, key }) {
      const site = replaced(example("nginx.conf"), {
        "listen 80;\n  listen [::]:80;": `listen 127.0.0.1:${plainPort};`,
        "listen 443 ssl http2;\n  listen [::]:443 ssl http2;": `listen 127.0.0.1:${port} ssl http2;`,
        "127.0.0.1:3000": service,
        [certificateFile]: cert,
        [keyFile]: key,
      })
      const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      const temporary = kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join("\n")
      const own = `daemon off; pid ${join(folder, "pid")}; error_log stderr;\nevents {}\nhttp {\naccess_log off;\n`
      const asRoot = process.getuid?.() === 0 ? "user root;\n" : ""
      return ["nginx", "-c", written(folder, "nginx.conf", `${asRoot}${own}${temporary}\n${site}}\n`)]
    },
  },
  Apache: {
    program: "apache2",
    configure({ port, plainPort, service, folder, cert, key }) {
      const site = replaced(example("apache.conf"), {
        "*:80": `*:${plainPort}`,
        "*:443": `*:${port}`,
        "127.0.0.1:3000": service,
        [certificateFile]: cert,
        [keyFile]: key,
      })
      const modules = ["mpm_event", "authz_core", "alias", "ssl", "http2", "proxy", "proxy_http"]
      const load = modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
      const own = [
        ...load,
        `ServerRoot ${folder}`,
        `ServerName ${exampleName}`,
        `DefaultRuntimeDir ${folder}`,
        `PidFile ${join(folder, "pid")}`,
        "ErrorLog /dev/stderr",
        ...(process.getuid?.() === 0 ? ["User www-data", "Group www-data"] : []),
        `Listen 127.0.0.1:${plainPort}`,
        `Listen 127.0.0.1:${port}`,
      ]
      return ["apache2", "-DFOREGROUND", "-f", written(folder, "apache.conf", `${own.join("\n")}\n${site}`)]
    },
  },
  HAProxy: {
    program: "haproxy",
    configure({ port, plainPort, service, folder, cert, key }) {
      const pem = written(folder, "guichet.pem", readFileSync(cert, "utf8") + readFileSync(key, "utf8"))
      const site = replaced(example("haproxy.cfg"), {
        "bind :::80 v4v6": `bind 127.0.0.1:${plainPort}`,
        "bind :::443 v4v6": `bind 127.0.0.1:${port}`,
        "/etc/haproxy/guichet.pem": pem,
        "127.0.0.1:3000": service,
      })
      const own = `global\n  stats socket ${join(folder, "stats")}\n\n`
      return ["haproxy", "-db", "-f", written(folder, "haproxy.cfg", own + site)]
    },
  },
}

const certificateFile = `/etc/letsencrypt/live/${exampleName}/fullchain.pem`
const keyFile = `/etc/letsencrypt/live/${exampleName}/privkey.pem`

/**
 * Every text must be there: an example that has changed is not tried as something else. All at once, for a port may
 * begin with the digits of another.
 */
function replaced(text: string, changes: Record<string, string>): string {
  const missing = Object.keys(changes).find((from) => !text.includes(from))
  if (missing !== undefined) throw new Error(`the example does not say ${missing}`)
  const each = new RegExp(Object.keys(changes).map(RegExp.escape).join("|"), "g")
  return text.replace(each, (from) => changes[from] as string)
}

function written(folder: string, name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

export interface RunningProxy extends AsyncDisposable {
  port: number
  plainPort: number
  folder: string
}

/** Resolves once the service answers through it. */
export async function startProxyProgram(
  { configure }: ProxyProgram,
  service: string,
  folder: string,
  certified: Certified,
): Promise<RunningProxy> {
  mkdirSync(folder, { recursive: true })
  const cert = written(folder, "cert.pem", certified.cert)
  const key = written(folder, "key.pem", certified.key)
  const [port, plainPort] = [await freePort(), await freePort()]
  const command = configure({ port, plainPort, service, folder, cert, key })
  const said = join(folder, "said")
  const child = Bun.spawn(command, {
    // Caddy keeps what it stores in the home folder.
    env: { PATH: "/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin", HOME: folder },
    stdout: "ignore",
    // A file, since Apache opens it once more by its name.
    stderr: Bun.file(said),
  })
  let hasEnded = false
  void child.exited.then(() => {
    hasEnded = true
  })
  while (!(await answers(port))) {
    if (hasEnded) throw new Error(`${command.join(" ")}:\n${readFileSync(said, "utf8")}`)
    await Bun.sleep(20)
  }
  return {
    port,
    plainPort,
    folder,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM")
      const late = setTimeout(() => child.kill("SIGKILL"), 2000)
      await child.exited
      clearTimeout(late)
    },
  }
}

/** A connection alone says little: Apache closes its sockets once more before it serves. */
async function answers(port: number): Promise<boolean> {
  const tls = { rejectUnauthorized: false, serverName: exampleName }
  const headers = { host: exampleName, connection: "close" }
  const reply = await fetch(`https://127.0.0.1:${port}/readyz`, { tls, headers }).catch(() => undefined)
  return reply?.ok ?? false
}

export function noProxyProgram(program: string): boolean {
  const path = "/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"
  return isMissing(
    Bun.which(program, { PATH: path }) !== null,
    `tests of the example for ${program} are skipped: apt-get install ${program}`,
  )
}

import { afterAll, beforeAll, expect, test } from "bun:test"
import { cpSync } from "node:fs"
import { join } from "node:path"
import { adviceFor as inEnglish } from "../../src/wording/causes/causes.en.ts"
import { signedIn } from "../support/operator.ts"
import { textOf } from "../support/page-text.ts"
import { freePort } from "../support/port.ts"
import { temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"
import type { Webhooks } from "../support/webhooks.ts"

// The usual mistakes of receivers in the real frameworks, and the advice that each gets:
//   bun test --timeout 900000 ./test/frameworks/receivers.ts
// Needs python3, npm, mvn with a JDK of 17 or newer, and Debian's php-cli; the packages come from their registries.

const packages = {
  python: ["Flask==3.1.3", "Flask-WTF==1.3.0", "Django==5.2.19", "djangorestframework==3.18.3"].concat([
    "fastapi==0.165.0",
    "uvicorn==0.54.0",
  ]),
  node: ["express@5.3.0", "csrf-csrf@4.0.3", "cookie-parser@1.4.7"],
}

/** By framework and mistake, a part of the advice in French. */
const advice = {
  flask: {
    csrf: "protection CSRF",
    host: "TRUSTED_HOSTS",
    size: "MAX_CONTENT_LENGTH",
    slash: "définitive, https://hooks0.acme.fr/hook/.",
    method: "n’accepte pas POST à cette URL, mais",
    form: "lire le corps JSON",
  },
  django: {
    csrf: "protection CSRF",
    "csrf-debug": "protection CSRF",
    host: "ALLOWED_HOSTS",
    "host-debug": "ALLOWED_HOSTS",
    slash: "définitive, https://hooks0.acme.fr/hook/.",
    "slash-debug": "APPEND_SLASH",
    https: "X-Forwarded-Proto",
    method: "n’accepte pas POST à cette URL, mais GET",
    login: "demande de se connecter",
    "rest-form": "application/json",
    "rest-user": "en-tête Authorization",
  },
  fastapi: {
    host: "allowed_hosts",
    https: "X-Forwarded-Proto",
    slash: "définitive, https://hooks0.acme.fr/hook/.",
    method: "n’accepte pas POST à cette URL, mais GET",
    shape: "body.number",
    query: "query.payload",
    header: "header.signature",
  },
  express: {
    csrf: "protection CSRF",
    size: "limit dans Express",
    path: "vérifiez son chemin",
    signature: "secret actuel",
    form: "L’erreur est dans votre application",
  },
  spring: {
    csrf: "protection CSRF",
    method: "n’accepte pas POST à cette URL, mais GET",
    media: "application/json",
    form: "lire le corps JSON",
    throws: "L’erreur est dans votre application",
    absent: "vérifiez son chemin",
  },
  php: {
    slash: "définitive, https://hooks0.acme.fr/hook/.",
    form: "lire le corps JSON",
  },
} satisfies Record<string, Record<string, string>>

type Framework = keyof typeof advice

const folder = temporaryFolder()
const at = (...parts: string[]) => join(folder.path, ...parts)
let site: Webhooks
let endpoint: { id: string; url: string }
/** Where the application under trial listens, and the path of its mistake. */
let application: { port: number; path: string }

beforeAll(async () => {
  cpSync(join(import.meta.dir, "apps"), folder.path, { recursive: true })
  await Promise.all([
    run("python3", "-m", "venv", at("venv")).then(() =>
      run(at("venv/bin/pip"), "install", ...packages.python),
    ),
    run("npm", "install", "--prefix", folder.path, ...packages.node),
    run("mvn", "-B", "-q", "-f", at("spring/pom.xml"), "package"),
  ])
  site = await aService().withReceivers([forward]).started()
  endpoint = (await site.api.get(`/api/v1/endpoints/${(await site.endpoint()).id}`)).body
})
afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

/** As a proxy in front of the application does that takes TLS off. */
function forward({ method, headers, body }: { method: string; headers: Headers; body: Uint8Array }) {
  const { port, path } = application
  const given = { ...Object.fromEntries(headers), host: "hooks0.acme.fr", "x-forwarded-proto": "https" }
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: given,
    body: body.slice().buffer,
    redirect: "manual",
  })
}

async function run(...command: string[]): Promise<void> {
  const { exited } = Bun.spawn(command, { cwd: folder.path, stdout: "ignore", stderr: "inherit" })
  if ((await exited) !== 0) throw new Error(command.join(" "))
}

const commands: Record<Framework, (mistake: string, port: string) => string[]> = {
  flask: (mistake, port) => [at("venv/bin/python"), at("flask_app.py"), mistake, port],
  django: (mistake, port) => [at("venv/bin/python"), at("django_app.py"), mistake, port],
  fastapi: (mistake, port) => [at("venv/bin/python"), at("fastapi_app.py"), mistake, port],
  express: (mistake, port) => ["node", at("express_app.mjs"), mistake, port],
  spring: (_, port) => ["java", "-jar", at("spring/target/app.jar"), `--server.port=${port}`],
  php: (_, port) => ["php", "-S", `127.0.0.1:${port}`, at("app.php")],
}

for (const [framework, mistakes] of Object.entries(advice) as [Framework, Record<string, string>][])
  for (const [mistake, french] of Object.entries(mistakes))
    test(`${framework}: ${mistake}`, async () => {
      const port = await freePort()
      application = { port, path: framework === "spring" ? `/${mistake}` : "/hook" }
      const child = Bun.spawn(commands[framework](mistake, String(port)), {
        env: { ...process.env, MISTAKE: mistake },
        stdout: "ignore",
        stderr: "ignore",
      })
      try {
        await listening(port)
        await site.respond()
        await site.settled()
        const [delivery] = await site.deliveries(endpoint.id)
        const client = await signedIn(site.service)
        const page = textOf((await client.get(`/console/deliveries/${delivery.id}`)).text)
        expect(page).toContain(french)
        expect(inEnglish(delivery.attempts.at(-1), endpoint.url)).toBeString()
      } finally {
        child.kill()
        await child.exited
      }
    })

async function listening(port: number): Promise<void> {
  const until = Date.now() + 60_000
  for (;;) {
    const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } }).catch(
      () => undefined,
    )
    socket?.end()
    if (socket) return
    if (Date.now() > until) throw new Error("the application does not listen")
    await Bun.sleep(100)
  }
}

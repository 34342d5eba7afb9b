import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../support/port.ts"
import { temporaryFolder } from "../support/service.ts"

/** Debian's: `apt-get install wordpress wordpress-l10n wordpress-theme-twentytwentythree php-cli php-mysql mariadb-server`. */
const wordpress = "/usr/share/wordpress"
const plugin = join(import.meta.dir, "../../data/wordpress/guichet")
export const admin = { name: "camille", password: "un mot de passe bien long" }

export interface WordPress extends AsyncDisposable {
  url: string
  /** Runs PHP with WordPress loaded, and gives what it prints. */
  php(code: string): Promise<string>
  /** Complaints of PHP about the plugin, so far. */
  complaints(): string[]
  /** Publishes a page, and gives its address. */
  publish(title: string, content: string): Promise<string>
}

/** A new WordPress in French with the plugin active, on a MariaDB of its own; both end with it. */
export async function startWordPress(): Promise<WordPress> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder()).path
  const socket = join(folder, "sql.sock")
  const site = join(folder, "site")
  stack.use(await startDatabase(folder, socket))
  cpSync(wordpress, site, { recursive: true, dereference: true })
  cpSync(plugin, join(site, "wp-content/plugins/guichet"), { recursive: true })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  writeFileSync(join(site, "wp-config.php"), configOf(socket, url))
  const server = Bun.spawn(["php", "-S", `127.0.0.1:${port}`, "-t", site], {
    // Some requests of WordPress ask itself.
    env: { PATH: process.env["PATH"] ?? "", PHP_CLI_SERVER_WORKERS: "4" },
    stdout: "ignore",
    stderr: "ignore",
    detached: true,
  })
  stack.defer(async () => {
    // Its workers do not end with it.
    process.kill(-server.pid)
    await server.exited
  })
  const php = (code: string) => run(["php", "-r", code], site)
  const loaded = (code: string) => php(`require "wp-load.php"; ${code}`)
  await php(
    `define("WP_INSTALLING", true); require "wp-load.php"; require "wp-admin/includes/upgrade.php"; wp_install("Mairie", "${admin.name}", "camille@exemple.fr", false, "", "${admin.password}"); update_option("WPLANG", "fr_FR"); update_option("permalink_structure", "");`,
  )
  await loaded(
    `require "wp-admin/includes/plugin.php"; $e = activate_plugin("guichet/guichet.php"); if ($e) exit(1);`,
  )
  const kept = stack.move()
  return {
    url,
    php: loaded,
    complaints() {
      const log = join(site, "debug.log")
      const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n") : []
      return lines.filter((line) => line.includes("plugins/guichet"))
    },
    async publish(title, content) {
      const post = `["post_type" => "page", "post_status" => "publish", "post_title" => ${quoted(title)}, "post_content" => ${quoted(content)}]`
      return `${url}/?page_id=${await loaded(`echo wp_insert_post(${post});`)}`
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function startDatabase(folder: string, socket: string): Promise<AsyncDisposable> {
  const data = join(folder, "sql")
  await run(
    [
      "mariadb-install-db",
      "--no-defaults",
      `--datadir=${data}`,
      "--auth-root-authentication-method=normal",
      "--skip-test-db",
    ],
    folder,
  )
  const server = Bun.spawn(
    [
      "mariadbd",
      "--no-defaults",
      `--datadir=${data}`,
      `--socket=${socket}`,
      "--skip-networking",
      "--user=root",
    ],
    { stdout: "ignore", stderr: "pipe" },
  )
  const decoder = new TextDecoder()
  let said = ""
  for await (const bytes of server.stderr) {
    said += decoder.decode(bytes, { stream: true })
    if (said.includes("ready for connections")) break
  }
  await run(
    ["mariadb", "--no-defaults", `--socket=${socket}`, "-uroot", "-e", "CREATE DATABASE wordpress"],
    folder,
  )
  return {
    async [Symbol.asyncDispose]() {
      server.kill()
      await server.exited
    },
  }
}

function configOf(socket: string, url: string): string {
  const constants = {
    DB_NAME: "wordpress",
    DB_USER: "root",
    DB_PASSWORD: "",
    DB_HOST: `localhost:${socket}`,
    DB_CHARSET: "utf8mb4",
    DB_COLLATE: "",
    WP_HOME: url,
    WP_SITEURL: url,
    AUTH_KEY: crypto.randomUUID(),
    SECURE_AUTH_KEY: crypto.randomUUID(),
    LOGGED_IN_KEY: crypto.randomUUID(),
    NONCE_KEY: crypto.randomUUID(),
  }
  const lines = Object.entries(constants).map(([name, value]) => `define("${name}", ${quoted(value)});`)
  return `<?php
${lines.join("\n")}
// Nothing is asked of anybody else's server.
define("WP_HTTP_BLOCK_EXTERNAL", true);
define("WP_ACCESSIBLE_HOSTS", "127.0.0.1,localhost");
define("DISABLE_WP_CRON", true);
define("WP_DEBUG", true);
define("WP_DEBUG_DISPLAY", false);
define("WP_DEBUG_LOG", __DIR__ . "/debug.log");
$table_prefix = "wp_";
if (!defined("ABSPATH")) define("ABSPATH", __DIR__ . "/");
require_once ABSPATH . "wp-settings.php";
`
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
}

async function run(command: string[], cwd: string): Promise<string> {
  const child = Bun.spawn(command, { cwd, stdout: "pipe", stderr: "pipe" })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(`${command[0]}: ${err || out}`)
  return out
}

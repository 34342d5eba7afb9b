import { createHash } from "node:crypto"
import { join } from "node:path"
import { deflateSync } from "node:zlib"
import type { Certified } from "./authority.ts"
import { temporaryFolder } from "./service.ts"
import { type Site, startSite } from "./site.ts"

/** A Git server over https that everybody uses, and one that sends what it is told to. */

export interface GitServer extends AsyncDisposable {
  url: string
  site: Site
  /** A bare repository `/name.git` is made of these files, or gets another commit of them. Returns its name. */
  commit(
    name: string,
    files: Readonly<Record<string, string | { link: string } | { repository: string }>>,
  ): string
  git(name: string, ...args: string[]): string
}

/** `token`: the password that is asked for. */
export function startGitServer(tls: Certified, token?: () => string | undefined): GitServer {
  const folder = temporaryFolder()
  const run = (cwd: string, args: string[], input = "") => {
    const identity = [
      "-c",
      "user.name=Test",
      "-c",
      "user.email=test@exemple.fr",
      "-c",
      "commit.gpgsign=false",
    ]
    const ran = Bun.spawnSync(["git", ...identity, ...args], {
      cwd,
      stdin: Buffer.from(input),
      stderr: "pipe",
    })
    if (ran.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${ran.stderr}`)
    return ran.stdout.toString().trim()
  }
  const site = startSite(
    (url) => async (request) => {
      const wanted = token?.()
      const given = request.headers.get("authorization")
      if (wanted !== undefined && given !== `Basic ${Buffer.from(`git:${wanted}`).toString("base64")}`)
        return new Response("", { status: 401, headers: { "www-authenticate": 'Basic realm="git"' } })
      return backend(folder.path, url, request)
    },
    tls,
  )
  return {
    url: site.url,
    site,
    commit(name, files) {
      const work = join(folder.path, `${name}.work`)
      const bare = join(folder.path, `${name}.git`)
      run(folder.path, ["init", "-q", "-b", "main", work])
      run(folder.path, ["init", "-q", "--bare", "-b", "main", bare])
      run(work, ["rm", "-rq", "--cached", "--ignore-unmatch", "."])
      for (const [path, content] of Object.entries(files)) {
        const special = typeof content === "string" ? undefined : content
        const id =
          special && "repository" in special
            ? special.repository
            : run(work, ["hash-object", "-w", "--stdin"], special ? special.link : (content as string))
        const mode = special ? ("link" in special ? "120000" : "160000") : "100644"
        run(work, ["update-index", "--add", "--cacheinfo", `${mode},${id},${path}`])
      }
      run(work, ["commit", "-q", "--allow-empty", "-m", "Textes"])
      run(work, ["push", "-qf", bare, "main"])
      return run(work, ["rev-parse", "HEAD"])
    },
    git: (name, ...args) => run(join(folder.path, `${name}.work`), args),
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

/** Git's own program behind a web server, by the rules of CGI. */
async function backend(root: string, url: URL, request: Request): Promise<Response> {
  const child = Bun.spawn(["git", "http-backend"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers.get("content-type") ?? "",
      HTTP_GIT_PROTOCOL: request.headers.get("git-protocol") ?? "",
      GIT_PROTOCOL: request.headers.get("git-protocol") ?? "",
    },
    stdin: await request.bytes(),
  })
  const bytes = Buffer.from(await new Response(child.stdout).bytes())
  await child.exited
  const end = bytes.indexOf("\r\n\r\n")
  const fields = bytes
    .toString("latin1", 0, end)
    .split("\r\n")
    .map((line) => line.split(": ", 2) as [string, string])
  const status = Number.parseInt(fields.find(([name]) => name === "Status")?.[1] ?? "200", 10)
  const headers = new Headers(fields.filter(([name]) => name !== "Status"))
  return new Response(bytes.subarray(end + 4), { status, headers })
}

export interface Written {
  type: "commit" | "tree" | "blob"
  content: Buffer
}

export function nameOf({ type, content }: Written): string {
  return createHash("sha1").update(`${type} ${content.length}\0`).update(content).digest("hex")
}

/** A tree of entries as they are given, whatever their names. */
export function treeOf(entries: readonly [mode: string, name: string, object: Written][]): Written {
  const content = entries.flatMap(([mode, name, object]) => [
    Buffer.from(`${mode} ${name}\0`),
    Buffer.from(nameOf(object), "hex"),
  ])
  return { type: "tree", content: Buffer.concat(content) }
}

export const blobOf = (text: string): Written => ({ type: "blob", content: Buffer.from(text) })

export function commitOf(tree: Written): Written {
  const who = "Test <test@exemple.fr> 1700000000 +0000"
  const text = `tree ${nameOf(tree)}\nauthor ${who}\ncommitter ${who}\n\nTextes\n`
  return { type: "commit", content: Buffer.from(text) }
}

const kinds = { commit: 1, tree: 2, blob: 3 }

/** An entry of a pack; `size` as it is declared. */
export function packEntry(
  kind: number,
  content: Buffer,
  { size = content.length, base = Buffer.alloc(0) } = {},
) {
  const head = [(kind << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    head[head.length - 1] = (head.at(-1) as number) | 128
    head.push(rest % 128)
  }
  return Buffer.concat([Buffer.from(head), base, deflateSync(content)])
}

export function packOf(objects: readonly (Written | Buffer)[]): Buffer {
  const head = Buffer.from("PACK\0\0\0\u0002\0\0\0\0", "latin1")
  head.writeUInt32BE(objects.length, 8)
  const entries = objects.map((object) =>
    Buffer.isBuffer(object) ? object : packEntry(kinds[object.type], object.content),
  )
  const pack = Buffer.concat([head, ...entries])
  return Buffer.concat([pack, createHash("sha1").update(pack).digest()])
}

const line = (text: string | Buffer) => {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, "0")), bytes])
}
const flush = Buffer.from("0000")

/** A server whose one branch leads to `tip`, and which sends this pack. */
export function startFalseGitServer(
  tls: Certified,
  sent: () => { tip: string; pack: Buffer | (() => Response) },
): Site {
  return startSite(
    ({ pathname }) =>
      async (request) => {
        if (pathname.endsWith("/info/refs"))
          return new Response(
            Buffer.concat([line("version 2\n"), line("ls-refs\n"), line("fetch=shallow\n"), flush]),
          )
        const { tip, pack } = sent()
        if ((await request.text()).includes("ls-refs"))
          return new Response(Buffer.concat([line(`${tip} HEAD\n`), flush]))
        if (typeof pack === "function") return pack()
        const pieces: Buffer[] = []
        for (let at = 0; at < pack.length; at += 60_000)
          pieces.push(line(Buffer.concat([Buffer.from([1]), pack.subarray(at, at + 60_000)])))
        return new Response(Buffer.concat([line("packfile\n"), ...pieces, flush]))
      },
    tls,
  )
}

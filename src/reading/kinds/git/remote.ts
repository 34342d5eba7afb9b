import { minuteMs, secondMs } from "../../../base/clock.ts"
import { detail, type Explanation } from "../../../base/errors.ts"
import type { Network } from "../web/network.ts"
import { failureDetail, requestFailure, statusFailure } from "../web/read-failure.ts"
import { openRetryingClient } from "../web/retrying-client.ts"
import type { GitHash } from "./pack.ts"
import { packetLines, packetText, readPackets } from "./packet-lines.ts"
import type { RepositoryPlace } from "./repository-url.ts"

/** A repository on its server, over the smart protocol of version 2 (gitprotocol-v2). */
export interface Remote {
  hash: GitHash
  /** The commit, or the tag that leads to it, as the server names it now. */
  tip: string
  /** The reply with its pack, for `packIn`: this commit alone, without those before it. */
  reply(): Promise<Buffer>
}

/** Why a repository cannot be read. */
export class GitFailure extends Error {
  readonly why: Explanation

  constructor(why: Explanation) {
    super()
    this.why = why
  }
}

const megabyte = 1024 * 1024

export const gitLimits = {
  /** Largest reply that holds the pack. */
  packBytes: 100 * megabyte,
  /** Largest other reply. A server of very many branches lists only the ones that begin like the wanted one. */
  listBytes: 4 * megabyte,
  /** A server may gather objects for long before it sends them, but says so meanwhile. */
  wholeTimeoutMs: 3 * minuteMs,
  stallTimeoutMs: 30 * secondMs,
  /** Larger files are no page, and a server may leave them out. */
  fileBytes: 30 * megabyte,
}

/**
 * Asks for the wanted branch. `headers` go to this server alone, and no redirect is followed. Throws GitFailure, and
 * rejects as `RetryingClient` does.
 */
export async function openRemote(
  { url, branch }: RepositoryPlace,
  headers: Readonly<Record<string, string>>,
  network: Network,
  signal: AbortSignal,
): Promise<Remote> {
  const { wholeTimeoutMs, stallTimeoutMs } = gitLimits
  const limits = { ...network.limits, wholeTimeoutMs, stallTimeoutMs, failuresUntilDown: 1 }
  const client = openRetryingClient({ ...network, limits })

  async function ask(
    path: string,
    maxBytes: number,
    lines?: readonly (string | undefined)[],
  ): Promise<Buffer> {
    const address = new URL(`${url}${path}`)
    const request = {
      method: lines ? ("POST" as const) : ("GET" as const),
      accept: `application/x-git-upload-pack-${lines ? "result" : "advertisement"}`,
      maxBytes,
      ...(lines && { body: packetLines(lines) }),
      ownHeaders: {
        ...headers,
        "git-protocol": "version=2",
        ...(lines && { "content-type": "application/x-git-upload-pack-request" }),
      },
    }
    const reply = await client.request(address, request, signal, false)
    if (reply.outcome === "too_large") throw new GitFailure(tooLarge)
    if (reply.outcome !== "answer")
      throw new GitFailure(failureDetail(requestFailure(address, reply, maxBytes)))
    if (reply.status < 300) return Buffer.from(reply.bytes)
    if (reply.status < 400) throw new GitFailure(detail("reading.gitMoved"))
    if ([401, 403, 404].includes(reply.status)) throw new GitFailure(detail("reading.gitNotFound"))
    throw new GitFailure(failureDetail(statusFailure(reply.status)))
  }

  const offered = textLines(await ask("/info/refs?service=git-upload-pack", gitLimits.listBytes))
  if (!offered.includes("version 2")) throw new GitFailure(detail("reading.gitOld"))
  const capability = (name: string) =>
    offered.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1)
  const hash = capability("object-format") ?? "sha1"
  if (hash !== "sha1" && hash !== "sha256") throw new GitFailure(detail("reading.gitOld"))
  const format = `object-format=${hash}`
  const mayFilter = capability("fetch")?.split(" ").includes("filter") === true

  const names = branch === undefined ? ["HEAD"] : [`refs/heads/${branch}`, `refs/tags/${branch}`]
  const wanted = names.map((name) => `ref-prefix ${name}`)
  const list = ["command=ls-refs", format, undefined, ...wanted]
  const refs = textLines(await ask("/git-upload-pack", gitLimits.listBytes, list)).map((line) =>
    line.split(" "),
  )
  const match = names.map((name) => refs.find(([, own]) => own === name)).find((ref) => ref !== undefined)
  const [tip = ""] = match ?? []
  if (!/^(?:[\da-f]{40}|[\da-f]{64})$/.test(tip))
    throw new GitFailure(
      branch === undefined ? detail("reading.gitEmpty") : detail("reading.gitNoBranch", { branch }),
    )

  return {
    hash,
    tip,
    reply: () =>
      ask("/git-upload-pack", gitLimits.packBytes, [
        ...["command=fetch", format, undefined, "ofs-delta", "deepen 1"],
        ...(mayFilter ? [`filter blob:limit=${gitLimits.fileBytes}`] : []),
        ...[`want ${tip}`, "done"],
      ]),
  }
}

export const tooLarge: Explanation = detail("reading.gitTooLarge", {
  megabytes: gitLimits.packBytes / megabyte,
})

/** The pack in such a reply. Throws Error for a reply that holds none. */
export function packIn(reply: Buffer): Buffer {
  const pieces: Buffer[] = []
  let isPack = false
  for (const packet of readPackets(reply)) {
    if (!isPack) isPack = packetText(packet) === "packfile"
    else if (typeof packet !== "string" && packet[0] === 1) pieces.push(packet.subarray(1))
  }
  return Buffer.concat(pieces)
}

/** The lines of a reply. Throws GitFailure for another protocol, and for the server's own refusal. */
function textLines(reply: Buffer): string[] {
  let lines: string[]
  try {
    lines = [...readPackets(reply)].map(packetText).filter((line) => line !== undefined)
  } catch {
    throw new GitFailure(detail("reading.gitNone"))
  }
  if (lines.some((line) => line.startsWith("ERR "))) throw new GitFailure(detail("reading.gitNotFound"))
  return lines
}

import { secondMs } from "../../base/clock.ts"
import { UsageError } from "../../base/errors.ts"
import { readConfig } from "../../config/config.ts"
import type { Environment } from "../../config/parse.ts"
import { hostInUrl } from "../../http/host.ts"
import { complain, print, say } from "./command.ts"

const readyWithinMs = 4 * secondMs

/** A container engine asks every few seconds: nothing but the settings is loaded. Gives the exit code. */
export async function checkReady(environment: Environment, isJson: boolean): Promise<number> {
  const url = readyUrl(environment)
  if (url === undefined) return 2
  // A proxy that the environment names cannot reach this machine's loopback.
  const init = { proxy: false, signal: AbortSignal.timeout(readyWithinMs) } as unknown as RequestInit
  const reply = await fetch(url, init).catch(() => undefined)
  const ready = reply?.ok === true
  const answer = reply ? (await reply.text()).trim() : null
  if (isJson) print(JSON.stringify({ ready, status: reply?.status ?? null, said: answer }))
  else if (answer === null) say("guichet check: no answer")
  else print(answer)
  return ready ? 0 : 1
}

function readyUrl(environment: Environment): string | undefined {
  const loopback: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" }
  try {
    const { host, port } = readConfig(environment)
    return `http://${hostInUrl(loopback[host] ?? host)}:${port}/readyz`
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    complain(`guichet check: ${error.message}`)
    return undefined
  }
}

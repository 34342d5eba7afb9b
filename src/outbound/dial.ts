import { connect as connectPlainly, isIP, isIPv6, type OnReadOpts, type Socket } from "node:net"
import {
  checkServerIdentity,
  connect as connectTls,
  type PeerCertificate,
  type SecureContext,
} from "node:tls"
import { openSocket } from "./connection.ts"
import { type Aborted, errorCode, type SendFailure, sendFailure } from "./failure.ts"
import { askForTunnel, isBeyondProxy, type OutboundProxy } from "./proxy.ts"
import type { Target } from "./resolve.ts"
import type { StopSignal } from "./time-limit.ts"

export interface Security {
  /** The name or IP address that the certificate must have. */
  name: string
  context: SecureContext
}

export interface DialledConnection {
  socket: Socket
  target: Target
}

/** RFC 8305, part 8: an address that is silent for so long gets company. */
const nextAfterMs = 250
/** A name may have many addresses. */
const maxTried = 6

/**
 * The only place that connects to addresses of others: to `targets` alone, which `Resolve` judged. It asks no
 * resolver and uses no proxy of the environment. Where the operator has set a `proxy`, it is asked for a tunnel to
 * each public address. As browsers do ("happy eyeballs"), it tries the next address as soon as one has failed or
 * was silent for 250 ms, families in turn, six at most, and takes the first that can be used: where `security` is
 * given, the certificate was verified. Nothing of a request is sent meanwhile, and the other connections are
 * closed.
 *
 * Otherwise the failure that tells most. Once one of the signals is aborted that is a wrong certificate, or that an
 * address was silent. Never rejects.
 */
export async function dial(
  targets: readonly Target[],
  security: Security | undefined,
  signals: readonly StopSignal[],
  proxy?: OutboundProxy,
): Promise<DialledConnection | SendFailure | Aborted> {
  const first = Promise.withResolvers<DialledConnection | SendFailure | Aborted>()
  const waiting = familiesInTurn(targets).slice(0, maxTried)
  /** Undefined: the other end is a proxy. */
  const connecting = new Map<Socket, Target | undefined>()
  const failures: SendFailure[] = []
  let timer: NodeJS.Timeout | undefined

  function tryNext(): void {
    clearTimeout(timer)
    const target = waiting.shift()
    if (!target) {
      if (connecting.size === 0) first.resolve(mostTelling(failures))
      return
    }
    if (waiting.length > 0) timer = setTimeout(tryNext, nextAfterMs)
    // Anything else would be looked up, and the addresses found would be unchecked.
    if (isIP(target.ip) === 0) throw new Error("a target is an IP address")
    if (proxy && isBeyondProxy(target.ip)) tunnelTo(target, proxy)
    else useOnce(open(target, security), target)
  }

  /** The function it returns gives the socket up, and goes on with the next address. */
  function watch(socket: Socket, target?: Target): (code: string) => void {
    const named = (code: string) => (target ? code : `PROXY_${code}`)
    connecting.set(socket, target)
    const fail = (code: string) => {
      if (!connecting.delete(socket)) return
      socket.destroy()
      failures.push(sendFailure(code, target))
      tryNext()
    }
    socket.on("error", (error) => fail(named(errorCode(error))))
    socket.on("close", () => fail(named("ECONNRESET")))
    return fail
  }

  /** Takes the socket as soon as it is connected, and verified where that is wanted. */
  function useOnce(socket: Socket, target: Target): void {
    const fail = watch(socket, target)
    socket.once(security ? "secureConnect" : "connect", () => {
      if (security && !isVerified(socket)) return fail("UNABLE_TO_VERIFY")
      use(socket, target)
    })
  }

  function use(socket: Socket, target: Target): void {
    if (connecting.delete(socket)) first.resolve({ socket, target })
  }

  function tunnelTo(target: Target, proxy: OutboundProxy): void {
    const socket = connectPlainly({ host: proxy.host, port: proxy.port })
    const fail = watch(socket)
    socket.once("connect", () =>
      askForTunnel(socket, target, proxy, (code) => {
        if (code !== undefined) fail(code)
        else if (!security) use(socket, target)
        else if (connecting.delete(socket)) useOnce(secure({ socket }, security), target)
      }),
    )
  }

  const giveUp = () => first.resolve(wrongTls(failures) ?? silent([...connecting.values()]))
  for (const signal of signals) signal.addEventListener("abort", giveUp)
  try {
    if (signals.some(({ aborted }) => aborted)) giveUp()
    else tryNext()
    return await first.promise
  } finally {
    clearTimeout(timer)
    for (const signal of signals) signal.removeEventListener("abort", giveUp)
    const late = [...connecting.keys()]
    connecting.clear()
    for (const socket of late) socket.destroy()
  }
}

/** The first family first. */
function familiesInTurn(targets: readonly Target[]): Target[] {
  const isFirst = ({ ip }: Target) => isIPv6(ip) === isIPv6(targets[0]?.ip ?? "")
  const one = targets.filter(isFirst)
  const other = targets.filter((target) => !isFirst(target))
  return targets.flatMap((_, index) => [one[index], other[index]]).filter((target) => target !== undefined)
}

function open({ ip, port }: Target, security: Security | undefined): Socket {
  return openSocket((onread) => {
    const place = { host: ip, port, onread }
    return security ? secure(place, security) : connectPlainly(place)
  })
}

/** A new connection, or one through a tunnel that stands. */
function secure(
  place: { host: string; port: number; onread: OnReadOpts } | { socket: Socket },
  security: Security,
): Socket {
  const { name, context } = security
  return connectTls({
    ...place,
    secureContext: context,
    // Certificates are checked even where NODE_TLS_REJECT_UNAUTHORIZED=0 would let any pass.
    rejectUnauthorized: true,
    checkServerIdentity: (_: string, certificate: PeerCertificate) => checkServerIdentity(name, certificate),
    ALPNProtocols: ["http/1.1"],
    // RFC 6066, part 3: an address is no server name.
    ...(isIP(name) === 0 && { servername: name }),
  })
}

function isVerified(socket: Socket): boolean {
  return (socket as Socket & { authorized?: boolean }).authorized === true
}

/** A wrong certificate before a refused connection, and that before a network that this machine lacks. */
function mostTelling(failures: readonly SendFailure[]): SendFailure {
  const reached = failures.find(({ cause }) => cause !== "unreachable")
  return wrongTls(failures) ?? reached ?? failures[0] ?? sendFailure("EADDRNOTAVAIL")
}

function wrongTls(failures: readonly SendFailure[]): SendFailure | undefined {
  return failures.find(({ outcome }) => outcome === "tls")
}

function silent([target]: readonly (Target | undefined)[]): Aborted {
  return { outcome: "aborted", cause: "connection_timeout", target }
}

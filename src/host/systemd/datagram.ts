import { dlopen, ptr } from "bun:ffi"

/** Sends one datagram to a unix socket. False when no process listens, or the receiver's queue is full. */
export type SendDatagram = (text: string) => boolean

const unixFamily = 1
const closedOnExec = 0o2000000
const datagram = 2
const doNotWait = 0x40
/** Size of `sun_path` in sockaddr_un, the final zero included. */
const maxPathBytes = 108

/**
 * Sends through libc, because Bun has no unix datagram sockets. `address` is a path, or an abstract name
 * behind `@`. Undefined on other systems than Linux, and when the address is invalid.
 */
export function datagramSender(address: string): SendDatagram | undefined {
  const name = socketAddress(address)
  if (!name || process.platform !== "linux") return undefined
  const { symbols: libc } = dlopen("libc.so.6", {
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    sendto: { args: ["i32", "ptr", "u64", "i32", "ptr", "u32"], returns: "i64" },
    close: { args: ["i32"], returns: "i32" },
  })

  return (text) => {
    const bytes = Buffer.from(text)
    const socket = libc.socket(unixFamily, datagram | closedOnExec, 0)
    if (socket < 0) return false
    const sent = libc.sendto(socket, ptr(bytes), BigInt(bytes.length), doNotWait, ptr(name), name.length)
    libc.close(socket)
    return sent === BigInt(bytes.length)
  }
}

/**
 * struct sockaddr_un (unix(7)): the family in the machine's byte order, then the path and a zero. An abstract
 * name begins with a zero byte and has none at its end.
 */
export function socketAddress(address: string): Buffer | undefined {
  const isAbstract = address.startsWith("@")
  if (!isAbstract && !address.startsWith("/")) return undefined
  const path = Buffer.from(isAbstract ? `\0${address.slice(1)}` : `${address}\0`)
  if (path.length > maxPathBytes) return undefined
  return Buffer.concat([Buffer.from(new Uint16Array([unixFamily]).buffer), path])
}

import { dlopen, ptr } from "bun:ffi"
import { socketAddress } from "../../src/host/systemd/datagram.ts"

/** What systemd does for a service of `Type=notify`: a unix datagram socket that takes its messages. */
export interface NotifySocket extends Disposable {
  address: string
  /** Resolves with the next message, in order. */
  next(): Promise<string>
}

/** `address`: a path, or an abstract name behind `@`. Linux only. */
export function openNotifySocket(address: string): NotifySocket {
  const { symbols: libc } = dlopen("libc.so.6", {
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
    recv: { args: ["i32", "ptr", "u64", "i32"], returns: "i64" },
    close: { args: ["i32"], returns: "i32" },
  })
  const name = socketAddress(address) as Buffer
  const nonBlocking = 0o4000
  const socket = libc.socket(1, 2 | nonBlocking, 0)
  if (libc.bind(socket, ptr(name), name.length) !== 0) throw new Error(`cannot bind ${address}`)
  const buffer = Buffer.alloc(4096)
  return {
    address,
    async next() {
      for (;;) {
        const length = Number(libc.recv(socket, ptr(buffer), BigInt(buffer.length), 0))
        if (length > 0) return buffer.toString("utf8", 0, length)
        await Bun.sleep(5)
      }
    },
    [Symbol.dispose]: () => void libc.close(socket),
  }
}

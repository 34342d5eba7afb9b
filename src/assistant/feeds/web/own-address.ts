import { createSocket } from "node:dgram"
import { isIPv6 } from "node:net"

const webPorts = [80, 443]

/**
 * Whether the address is this machine's own and the port one where no web site is expected: other programs of
 * the machine may believe whoever comes from it. Asks the kernel by binding to the address, since listing the
 * interfaces takes a socket that the unit forbids.
 */
export async function isOwnBackDoor(address: string, port: number): Promise<boolean> {
  if (webPorts.includes(port)) return false
  const socket = createSocket(isIPv6(address) ? "udp6" : "udp4")
  try {
    return await new Promise<boolean>((tell) => {
      socket.once("error", () => tell(false))
      socket.bind({ address, port: 0, exclusive: true }, () => tell(true))
    })
  } finally {
    socket.close()
  }
}

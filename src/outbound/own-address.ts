import { createSocket } from "node:dgram"
import { isIPv6 } from "node:net"

const webPorts = [80, 443]

/**
 * Whether the address is this machine's own, and the port one where no web site is expected: other programs of the
 * machine may trust a client that comes from it. Asks the kernel by binding to the address, since listing the
 * interfaces takes a socket that the systemd unit forbids.
 */
export async function isOwnBackDoor(ip: string, port: number): Promise<boolean> {
  if (webPorts.includes(port)) return false
  const socket = createSocket(isIPv6(ip) ? "udp6" : "udp4")
  try {
    return await new Promise<boolean>((resolve) => {
      socket.once("error", () => resolve(false))
      socket.bind({ address: ip, port: 0, exclusive: true }, () => resolve(true))
    })
  } finally {
    socket.close()
  }
}

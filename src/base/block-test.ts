import { BlockList, isIPv4, isIPv6 } from "node:net"

/** Tells whether an IP address lies in one of these blocks, `10.0.0.0/8`; a block without a length is one address. */
export function blockTest(blocks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const block of blocks) {
    const [address = "", bits] = block.split("/")
    const family = isIPv4(address) ? "ipv4" : "ipv6"
    list.addSubnet(address, Number(bits ?? (family === "ipv4" ? 32 : 128)), family)
  }
  return (address) =>
    isIPv4(address) ? list.check(address, "ipv4") : isIPv6(address) && list.check(address, "ipv6")
}

import { networkInterfaces } from "node:os"

/** Whether this machine has an IPv6 loopback address. */
export const hasIPv6 = Object.values(networkInterfaces()).some((found) =>
  found?.some(({ address }) => address === "::1"),
)

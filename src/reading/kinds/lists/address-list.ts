import { maxUrlLength } from "../../../base/text.ts"
import { limits } from "../web/network.ts"

/** Addresses as a list spells them. */
export interface AddressList {
  addresses: string[]
  /** Number of addresses dropped for their length. */
  tooLong: number
}

/** Keeps one address more than a feed may have, which is enough to tell that the list is too long. */
export function addressList(found: readonly string[]): AddressList {
  const addresses = found.filter((address) => address.length <= maxUrlLength)
  return { addresses: addresses.slice(0, limits.pages + 1), tooLong: found.length - addresses.length }
}

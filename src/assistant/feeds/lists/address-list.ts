import { maxUrlLength } from "../../../base/text.ts"
import { limits } from "../web/network.ts"

/** Addresses as a list gives them. */
export interface AddressList {
  addresses: string[]
  /** How many were dropped for their length. */
  tooLong: number
}

/** Of a list that is longer than any feed may be, no more is kept than tells that it is. */
export function addressList(found: readonly string[]): AddressList {
  const addresses = found.filter((address) => address.length <= maxUrlLength)
  return { addresses: addresses.slice(0, limits.pages + 1), tooLong: found.length - addresses.length }
}

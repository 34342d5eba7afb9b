/** Mail services that ignore dots before the @. Elsewhere two people's addresses may differ by a dot. */
const dotless = new Set(["gmail.com", "googlemail.com"])

/** The same text for all addresses that surely lead to one mailbox. Expects a normalised address. */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf("@")
  const domain = address.slice(at + 1).toLowerCase()
  const [name = ""] = address.slice(0, at).toLowerCase().split("+")
  // `+x@exemple.fr` has nothing before the plus, so the plus belongs to the name.
  const local = name === "" ? address.slice(0, at).toLowerCase() : name
  if (!dotless.has(domain)) return `${local}@${domain}`
  return `${local.replaceAll(".", "")}@gmail.com`
}

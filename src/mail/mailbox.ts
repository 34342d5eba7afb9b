/**
 * Mail services that leave out the dots before the @; of others we do not know it, and two people may differ
 * by a dot.
 */
const dotless = new Set(["gmail.com", "googlemail.com"])

/**
 * One text for every address that surely leads to the same mailbox: whatever the case, and whatever follows a
 * `+`. Takes an address in the form in which addresses are compared.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf("@")
  const domain = address.slice(at + 1).toLowerCase()
  const [name = ""] = address.slice(0, at).toLowerCase().split("+")
  // `+x@exemple.fr` has nothing before the plus: all of it is the name.
  const local = name === "" ? address.slice(0, at).toLowerCase() : name
  if (!dotless.has(domain)) return `${local}@${domain}`
  return `${local.replaceAll(".", "")}@gmail.com`
}

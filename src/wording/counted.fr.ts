/** A number with its word in French, which takes the singular up to 1,9, zero included. */
export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString("fr")}\u00a0${count < 2 ? one : many}`
}

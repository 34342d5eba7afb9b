import unit from "./guichet.service" with { type: "text" }

/** The unit file for a program that stands at this path. */
export function unitFile(binary: string): string {
  return unit.replace("@binary@", binary)
}

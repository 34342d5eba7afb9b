import unit from "./guichet.service" with { type: "text" }

/** The systemd unit for a program at this path. */
export function unitFile(binary: string): string {
  return unit.replace("@binary@", binary)
}

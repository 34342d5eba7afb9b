/** A feed may be pages that are named one by one. */
export function namedPages(): string {
  return "ALTER TABLE feed ADD COLUMN pages TEXT;"
}

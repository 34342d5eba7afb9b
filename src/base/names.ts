/** `created_at` → `createdAt` */
export type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name

/** `{ redirect_url }` → `{ redirectUrl }`: the members of a row or of a body, as records name them. */
export function camelNames<Members extends object>(
  members: Members,
): { [Name in keyof Members & string as Camel<Name>]: Members[Name] } {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [camel(name), value])) as never
}

const camelNamesByName = new Map<string, string>()

/** Names are those of schemas and tables, a few hundred. */
export function camel(name: string): string {
  return camelNamesByName.get(name) ?? camelNamesByName.set(name, toCamel(name)).get(name) ?? name
}

function toCamel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Whether it is an object with members, as JSON has them: no list, and not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

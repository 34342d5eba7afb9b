import type { World } from "../world.ts"
import type { WorstIds } from "./ids.ts"
import { sought } from "./texts.ts"

export interface Address {
  name: string
  path: string
}

interface Parameter {
  name: string
  in: string
  schema: { enum?: string[] }
}

/** Asked of a parameter that names no values of its own; of none where a page is read to its end anyhow. */
const worstValues: Record<string, string[]> = {
  search: [sought],
  assignee: ["opr_nobody", "none"],
  since: ["2020-01-01"],
  page: ["https://docs.exemple.fr/"],
  after: ["end"],
  started: ["x"],
  limit: [],
  cursor: [],
}

/** Every GET of the management API, plain and with each value of each of its parameters, by its own description. */
export async function apiAddresses({ api, addressOf }: World, of: WorstIds): Promise<Address[]> {
  const { paths } = (await api.get("/api/v1/openapi.json")).body as {
    paths: Record<string, { get?: { security: unknown[]; parameters?: Parameter[] } }>
  }
  return Object.entries(paths).flatMap(([template, { get }]) => {
    if (!get || get.security.length === 0) return []
    const queries = get.parameters?.filter((parameter) => parameter.in === "query") ?? []
    const page = queries.some(({ name }) => name === "limit") ? { limit: "100" } : {}
    const asked = queries.flatMap(({ name, schema }) =>
      valuesOf(name, schema).map((value) => ({ [name]: value })),
    )
    return [{}, ...asked].flatMap((query) =>
      pathsOf(template, addressOf(template), of).map((path) => ({
        name: `GET ${template} ${new URLSearchParams(query)}`.slice(0, 100),
        path: `${path}?${new URLSearchParams({ ...page, ...query })}`,
      })),
    )
  })
}

function valuesOf(name: string, { enum: known }: Parameter["schema"]): string[] {
  const values = known ?? worstValues[name]
  if (!values) throw new Error(`api-addresses.ts knows no worst value of ?${name}=`)
  return values
}

/** What belongs to a project is read of the other one, too, of which filters find nothing. */
function pathsOf(template: string, path: string, of: WorstIds): string[] {
  const isOfProject = /^[^{]*\/projects\/\{id\}[^{]*$/.test(template)
  return isOfProject ? [path, path.replace(of.project, of.projects[0] as string)] : [path]
}

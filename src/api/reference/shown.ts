import type { Documented, DocumentedOperation } from "../kit/openapi.ts"
import type { ExampleIds } from "./example-values.ts"
import type { ResourceName } from "./resources.fr.ts"

export interface ShownOperation extends DocumentedOperation {
  path: string
  method: string
}

/** What the reference takes from a signed-in operator: their projects, and ids for the examples. */
export interface OwnIds {
  projects: readonly { id: string; name: string }[]
  ids: Partial<ExampleIds> & { project: string }
}
export type ReadOwnIds = (request: Request, project: string | undefined) => Promise<OwnIds | undefined>

export interface PageOptions {
  publicUrl: string
  own?: OwnIds
}

export interface Section {
  tag: ResourceName
  title: string
  operations: readonly ShownOperation[]
}

export interface Shown extends PageOptions {
  document: Documented
  sections: readonly Section[]
  /** The address of a page, an empty name being the overview. It keeps the project that was chosen. */
  to(page: string, anchor?: string): string
}

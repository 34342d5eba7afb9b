export interface ScriptTables {
  script: KeptScript
}

/** A version that a page may name by its hash: it goes on being served after an update of the service. */
interface KeptScript {
  name: string
  hash: string
  text: string
  created_at: number
}

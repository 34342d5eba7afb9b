import { Refusal, UsageError } from "../../base/errors.ts"

/** What to do, by the code of the server or of the client. The address holds a password: no text shows it. */
const remedies: Record<string, string> = {
  "42P05": "PgBouncer in front of the server has to be in session mode (pool_mode = session)",
  "26000": "PgBouncer in front of the server has to be in session mode (pool_mode = session)",
}

/**
 * These pass without a change of the settings. So may the refusal of a user: accounts and databases are often made, or
 * restored, after the server has started, and passwords changed there first.
 */
const temporary: Record<string, string> = {
  "28P01": "the server refuses the password of GUICHET_DATABASE_URL",
  "28000": "the server refuses this user or this way to connect (pg_hba.conf)",
  "3D000": "the server has no such database: create it",
  "42501": "the user may not do that: it must own the database",
  "55P03": "another program holds it, which migrates or moves it: wait for its end",
  "53300": "the server has no connection left: raise max_connections, or run fewer nodes",
  "53100": "the server's disk is full",
  "57P03": "the server is starting or stopping",
  "57P01": "the server is being stopped",
  "57014": "a statement took too long",
  "25006": "the server is read-only: the address is to name the primary",
}

/**
 * Turns an error of PostgreSQL that an operator can mend into a Refusal or UsageError that says how. Returns
 * any other error unchanged.
 */
export function explainError(error: unknown): unknown {
  const { code = "", errno = "" } = (error ?? {}) as { code?: unknown; errno?: unknown }
  const codes = [String(errno), String(code)]
  const options = { cause: error }
  for (const each of codes) {
    const remedy = remedies[each]
    if (remedy) return new UsageError(`GUICHET_DATABASE_URL: ${remedy}`, options)
    const reason = temporary[each]
    if (reason) return new Refusal("unavailable", "", { reason: `PostgreSQL: ${reason}`, ...options })
  }
  if (codes.some((each) => /TLS|CERT|SELF_SIGNED|UNABLE_TO_/.test(each)))
    return new Refusal("unavailable", "", {
      reason:
        "PostgreSQL: no trusted TLS connection: the server's certificate is to name its host and to be signed by a known authority (sslrootcert=<file> in GUICHET_DATABASE_URL names another one)",
      ...options,
    })
  if (codes.some((each) => /^ERR_POSTGRES_CONNECTION|^ECONN|^ENOTFOUND|^EAI_|^FailedToOpenSocket/.test(each)))
    return new Refusal("unavailable", "", { reason: "PostgreSQL cannot be reached", ...options })
  return error
}

import { UsageError } from "../../base/errors.ts"
import type { Engine } from "../words.ts"
import { oneDeclaration } from "./0001-one-declaration.ts"
import { oneTableOfLimits } from "./0002-one-table-of-limits.ts"
import { namedPages } from "./0003-named-pages.ts"
import { whatVisitorsOpened } from "./0004-what-visitors-opened.ts"
import { whatTokensDid } from "./0005-what-tokens-did.ts"
import { passwordLinks } from "./0006-password-links.ts"
import { wordsOfASite } from "./0007-words-of-a-site.ts"
import { projectsOfTheAuditLog } from "./0008-projects-of-the-audit-log.ts"
import { causesOfFailures } from "./0009-causes-of-failures.ts"
import { devicesAndExpiry } from "./0010-devices-and-expiry.ts"
import { whenFormsAreOpen } from "./0011-when-forms-are-open.ts"
import { teamPage } from "./0012-team-page.ts"
import { replays } from "./0013-replays.ts"
import { noticeAddresses } from "./0014-notice-addresses.ts"
import { secondFactors } from "./0015-second-factors.ts"
import { daysOfNews } from "./0016-days-of-news.ts"
import { passkeys } from "./0017-passkeys.ts"
import { followUpOfResponses } from "./0018-follow-up-of-responses.ts"
import { logos } from "./0019-logos.ts"
import { identities } from "./0020-identities.ts"
import { ownHeaders } from "./0021-own-headers.ts"
import { files } from "./0022-files.ts"
import { conditionsOfEndpoints } from "./0023-conditions-of-endpoints.ts"
import { protectedFeeds } from "./0024-protected-feeds.ts"
import { askedByPrograms } from "./0025-asked-by-programs.ts"
import { turnsOfDeliveries } from "./0026-turns-of-deliveries.ts"
import { linkedDocuments } from "./0027-linked-documents.ts"
import { eventsThatAreAskedFor } from "./0028-events-that-are-asked-for.ts"
import { searchInThePanel } from "./0029-search-in-the-panel.ts"
import { uploads } from "./0030-uploads.ts"
import { crawledSites } from "./0031-crawled-sites.ts"
import { proofOfWork } from "./0032-proof-of-work.ts"
import { lookOfTheState } from "./0033-look-of-the-state.ts"
import { editions } from "./0034-editions.ts"
import { assignmentsOfMembers } from "./0035-assignments-of-members.ts"
import { sharesAndWaits } from "./0038-shares-and-waits.ts"
import { unfinishedWorkspaces } from "./0040-unfinished-workspaces.ts"
import { rolesOfGroups } from "./0044-roles-of-groups.ts"
import { provenAddresses } from "./0045-proven-addresses.ts"
import { createDatabase } from "./create.ts"

/** How a database comes to this program's version: a new one at once, an existing one step by step. */
export interface Versions {
  /** The version of a new database, to which the last step leads. */
  current: number
  /** SQL that makes a new database. */
  create: string
  /** In order, each from where the one before ends. */
  steps: readonly Step[]
}

export interface Step {
  from: number
  to: number
  sql: string
}

/** SQL that makes of an existing database what the tables now declare. */
export type Migration = (engine: Engine) => string

/** In order. A published migration is never edited or moved; a new one follows. */
const migrations: readonly Migration[] = [
  oneDeclaration,
  oneTableOfLimits,
  namedPages,
  whatVisitorsOpened,
  whatTokensDid,
  passwordLinks,
  wordsOfASite,
  projectsOfTheAuditLog,
  causesOfFailures,
  devicesAndExpiry,
  whenFormsAreOpen,
  teamPage,
  replays,
  noticeAddresses,
  secondFactors,
  daysOfNews,
  passkeys,
  followUpOfResponses,
  logos,
  identities,
  ownHeaders,
  files,
  conditionsOfEndpoints,
  protectedFeeds,
  askedByPrograms,
  turnsOfDeliveries,
  linkedDocuments,
  eventsThatAreAskedFor,
  searchInThePanel,
  uploads,
  crawledSites,
  proofOfWork,
  lookOfTheState,
  editions,
  assignmentsOfMembers,
  sharesAndWaits,
  unfinishedWorkspaces,
  rolesOfGroups,
  provenAddresses,
]

/** The last version of the steps that were written before the tables were declared. */
const lastUndeclared = 31
/** Added to the number of a migration, so that programs of before know the database for a newer one's. */
const declaredFrom = 1000
/** Opens databases of all 31 steps. */
const lastUndeclaredProgram = "Guichet 0.1.0 of 26 November 2026 (commit acb3a5e8)"

export const versions: Readonly<Record<Engine, Versions>> = {
  sqlite: versionsOf("sqlite"),
  postgres: versionsOf("postgres"),
}

function versionsOf(engine: Engine): Versions {
  return {
    current: declaredFrom + migrations.length,
    create: createDatabase(engine),
    steps: migrations.map((migration, index) => ({
      from: index === 0 ? lastUndeclared : declaredFrom + index,
      to: declaredFrom + index + 1,
      sql: migration(engine),
    })),
  }
}

/**
 * The steps from a version on; 0: a database without tables. Throws UsageError for a database of a
 * newer program, and of one so old that no step begins there.
 */
export function stepsFrom({ current, create, steps }: Versions, version: number, database: string): Step[] {
  requireKnown(version, current, database)
  if (version === current) return []
  if (version === 0) return [{ from: 0, to: current, sql: create }]
  const first = steps.findIndex(({ from }) => from === version)
  if (first < 0)
    throw new UsageError(
      `${database} is too old (database version ${version}) and was left as it is: open it first with ${lastUndeclaredProgram}, which brings it to version ${lastUndeclared}, then with this program`,
    )
  return steps.slice(first)
}

/** Throws UsageError for a database that is later than `current`. */
export function requireKnown(version: number, current: number, database: string): void {
  if (version > current)
    throw new UsageError(
      `${database} was written by a newer Guichet (database version ${version}, this program knows ${current}): install that version again, or restore an older backup`,
    )
}

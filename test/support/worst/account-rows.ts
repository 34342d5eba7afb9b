import { maxInvitations } from "../../../src/accounts/invitation.ts"
import { maxOrigins } from "../../../src/accounts/projects/record.ts"
import { maxTokens } from "../../../src/accounts/tokens/operations.ts"
import { hourMs } from "../../../src/base/clock.ts"
import { newId } from "../../../src/base/ids.ts"
import type { mailTables } from "../../../src/db/tables/mail.ts"
import type { operatorTables } from "../../../src/db/tables/operators.ts"
import type { workspaceTables } from "../../../src/db/tables/workspaces.ts"
import { scopes } from "../../../src/operations/scope.ts"
import { isAmongLast, type WorstIds } from "./ids.ts"
import type { WorstRows } from "./rows.ts"
import { nearly, text, words } from "./texts.ts"

type Tables =
  | keyof typeof workspaceTables
  | keyof typeof operatorTables
  | keyof typeof mailTables
  | "script"
  | "probe"
  | "key_proof"

export function accountRows(of: WorstIds): Pick<WorstRows, Tables> {
  return {
    organisation: "a service has one",
    workspace: {
      rows: of.workspaces.length,
      row: (at) => ({ id: of.workspaces[at] as string, name: text(at, 200), number: at + 100 }),
    },
    operator: {
      rows: of.operators.length,
      row: (at) => ({
        id: of.operators[at] as string,
        email: `${words(200).replaceAll(" ", ".")}.${at}@exemple.fr`,
      }),
    },
    member: {
      rows: of.operators.length,
      row: (at) => ({
        operator_id: of.operators[at] as string,
        workspace_id: of.workspace,
        role: "owner",
      }),
    },
    session: "an operator has 100",
    revoked_token: "read by their key",
    idempotency_key: "read by their key, and counted up to a bound",
    shut_session: "no list shows them",
    invitation: {
      rows: maxInvitations,
      row: (at) => ({
        id: `inv_worst${at}`,
        workspace_id: of.workspace,
        email: `${words(200).replaceAll(" ", ".")}.${at}@exemple.fr`,
        role: "viewer",
        hash: `h${at}`,
        created_at: of.nowMs,
        expires_at: of.nowMs + 24 * hourMs,
      }),
    },
    setup_link: "there is one, before anybody can sign in",
    password_link: "read by their key",
    operator_identity: "read by their key",
    provider_session: "read by their key",
    totp: "read by their key",
    passkey: "an operator has 20",
    used_challenge: "read by their key",
    recovery_code: "read by their key",
    sign_in_place: "read by their key",
    project: {
      rows: of.projects.length,
      row: (at) => ({
        id: of.projects[at] as string,
        name: text(at, 200),
        site: `https://www.exemple.fr/${nearly(1000)}`,
      }),
    },
    project_origin: {
      rows: of.projects.length * maxOrigins,
      row: (at) => ({
        project_id: of.projects[Math.floor(at / maxOrigins)] as string,
        origin: `https://${nearly(60)}.site${at % maxOrigins}.exemple.fr`,
      }),
    },
    widget_settings: {
      rows: of.projects.length,
      row: (at) => ({ project_id: of.projects[at] as string, introduction: nearly(300) }),
    },
    widget_sighting: {
      rows: of.projects.length,
      row: (at) => ({ project_id: of.projects[at] as string, seen_at: of.nowMs }),
    },
    contact_count: {
      rows: of.projects.length,
      row: (at) => ({ project_id: of.projects[at] as string, day: "2026-03-10", offered: 1, solved: 1 }),
    },
    token: {
      rows: maxTokens - 10,
      row: (at) => ({
        id: `tok_worst${at}`,
        workspace_id: of.workspace,
        name: text(at, 200),
        hash: `h${at}`,
        scopes: scopes.join(" "),
      }),
    },
    limit_count: "counters, read by their key",
    recent_ask: "counters of a minute",
    job: "one for each job",
    node: "one for each running service",
    audit_log: {
      rows: of.entries.length,
      row: (at) => ({
        id: of.entries[at] as string,
        workspace_id: of.workspace,
        actor_kind: "operator",
        actor_name: nearly(250),
        action: "form.changed",
        subject_name: isAmongLast(at, of.entries, 200) ? nearly(2000) : "x",
        at: of.nowMs,
      }),
    },
    mail: {
      rows: 1000,
      row: (at) => ({
        id: newId("mail", of.nowMs - 1000 + at),
        workspace_id: of.workspace,
        about: of.form,
        sealed: nearly(20_000),
        attempts: 1,
        due_at: of.nowMs + 24 * hourMs,
        failed_at: at % 2 === 0 ? of.nowMs : null,
        node_id: null,
        created_at: of.nowMs,
      }),
    },
    script: "read by their key",
    probe: "one",
    key_proof: "one",
  }
}

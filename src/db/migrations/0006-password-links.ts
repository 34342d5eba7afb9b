import type { Engine } from "../words.ts"

/** Links by which people choose another password. */
export function passwordLinks(engine: Engine): string {
  return byEngine[engine] + indexes
}

const byEngine: Record<Engine, string> = {
  sqlite: `
CREATE TABLE password_link (hash TEXT NOT NULL, email TEXT NOT NULL,
  workspace_id TEXT REFERENCES workspace (id) ON DELETE CASCADE, expires_at INTEGER NOT NULL,
  PRIMARY KEY (hash)) STRICT, WITHOUT ROWID;`,
  postgres: `
CREATE TABLE password_link (hash text COLLATE "C" NOT NULL, email text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" REFERENCES workspace (id) ON DELETE CASCADE, expires_at bigint NOT NULL,
  PRIMARY KEY (hash));`,
}

const indexes = `
CREATE INDEX password_link_by_email ON password_link (email);
CREATE INDEX password_link_by_workspace ON password_link (workspace_id) WHERE workspace_id IS NOT NULL;
CREATE INDEX password_link_by_expiry ON password_link (expires_at);
`

/** The order in which workspaces were added, which only SQLite's row numbers told. */
export const workspaceNumber = `
ALTER TABLE workspace ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
UPDATE workspace SET number = rowid;
`

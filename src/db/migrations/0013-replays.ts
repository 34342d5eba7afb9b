import type { Engine } from "../words.ts"

/** A delivery knows the replay that sent it last, so that the replay can tell what came of it. */
export function replays(engine: Engine): string {
  return `
ALTER TABLE delivery ADD COLUMN replayed_at ${engine === "sqlite" ? "INTEGER" : "bigint"};
CREATE INDEX delivery_replayed ON delivery (endpoint_id, replayed_at) WHERE replayed_at IS NOT NULL;
`
}

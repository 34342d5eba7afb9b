import type { Engine } from "../words.ts"

/** Deliveries of an endpoint wait for their turn: one after the other, or as fast as its rate. */
export function turnsOfDeliveries(engine: Engine): string {
  const [text, integer, real, end] =
    engine === "sqlite"
      ? ["TEXT", "INTEGER", "REAL", " STRICT, WITHOUT ROWID"]
      : ['text COLLATE "C"', "bigint", "double precision", ""]
  return `
ALTER TABLE endpoint ADD COLUMN in_order ${integer} NOT NULL DEFAULT 0;
ALTER TABLE endpoint ADD COLUMN rate ${integer};
ALTER TABLE endpoint ADD COLUMN rate_per ${text};
ALTER TABLE delivery ADD COLUMN waits_since ${integer};
CREATE INDEX delivery_waiting ON delivery (endpoint_id, number) WHERE waits_since IS NOT NULL;
CREATE TABLE endpoint_pace (endpoint_id ${text} NOT NULL REFERENCES endpoint ON DELETE CASCADE,
  free_at ${real} NOT NULL,
  PRIMARY KEY (endpoint_id))${end};
`
}

import type { Engine } from "../words.ts"

/** An attempt that failed tells why, and where; its delivery and the failures of an endpoint tell the last cause. */
export function causesOfFailures(engine: Engine): string {
  const text = engine === "sqlite" ? "TEXT" : 'text COLLATE "C"'
  return `
ALTER TABLE attempt ADD COLUMN cause ${text};
ALTER TABLE attempt ADD COLUMN address ${text};
ALTER TABLE delivery ADD COLUMN last_cause ${text};
ALTER TABLE endpoint_failure ADD COLUMN cause ${text};
`
}

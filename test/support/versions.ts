import type { Versions } from "../../src/db/migrations/versions.ts"

/** The versions 1, 2, … that these statements lead to; a new database gets all of them at once. */
export function versionsOf(...statements: string[]): Versions {
  return {
    current: statements.length,
    create: statements.join("\n"),
    steps: statements.slice(1).map((sql, index) => ({ from: index + 1, to: index + 2, sql })),
  }
}

/** What a program knows that has one more step. */
export function withStep({ current, create, steps }: Versions, sql: string): Versions {
  const to = current + 1
  return { current: to, create: create + sql, steps: [...steps, { from: current, to, sql }] }
}

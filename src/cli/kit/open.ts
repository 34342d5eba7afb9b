import { existsSync, readdirSync } from "node:fs"
import type { TObject } from "@sinclair/typebox"
import { type App, openApp } from "../../app.ts"
import { UsageError } from "../../base/errors.ts"
import { type Config, mistypedSettings, readConfig } from "../../config/config.ts"
import { databasePath } from "../../db/sqlite/connection.ts"
import type { Caller, Operation } from "../../operations/operation.ts"
import { perform } from "../../operations/perform.ts"
import { everyScope } from "../../operations/scope.ts"
import {
  type Arguments,
  type Call,
  type Command,
  type Declaration,
  defineCommand,
  json,
  type Option,
  type Options,
  say,
  type ValuesOf,
} from "./command.ts"

/** Performs an operation in a workspace; the audit log names the command. */
export type Perform = <Schema extends TObject | undefined, Result>(
  operation: Operation<App, Schema, Result>,
  workspaceId: string,
  ids?: Record<string, string>,
  given?: Record<string, unknown>,
) => Promise<Result>

interface DataCall<Args extends Arguments, Values> extends Call<Args, Values> {
  app: App
  perform: Perform
}

interface DataDeclaration<Args extends Arguments, Declared extends Options>
  extends Omit<Declaration<Args, Declared>, "run"> {
  run(call: DataCall<Args, ValuesOf<Declared>>): ReturnType<Command["run"]>
}

/** A command that opens the data, and has the option `--json`. It rejects as `requireData` throws. */
export function defineDataCommand<
  const Args extends Arguments = Record<never, string>,
  const Declared extends Options = Record<never, Option>,
>({ run, ...declaration }: DataDeclaration<Args, Declared>): Command {
  return defineCommand<Args, Options>({
    ...declaration,
    options: { ...declaration.options, json: declaration.options?.["json"] ?? json },
    async run(call) {
      const config = readConfig(call.environment)
      for (const name of mistypedSettings(call.environment))
        say(`guichet: ${name} is no setting and is ignored`)
      requireData(config)
      await using app = await openApp(config, {}, call.sendWrite)
      return await run({
        ...(call as Call<Args, ValuesOf<Declared>>),
        app,
        perform: (operation, workspaceId, ids = {}, given = {}) =>
          perform(operation, app, commandCaller(call.name, workspaceId), ids, given),
      })
    },
  })
}

/** A person who may run commands on this machine may do everything. The audit log names the command. */
export function commandCaller(command: string, workspaceId: string): Caller {
  const name = `guichet ${command}`
  const { signal } = new AbortController()
  return { kind: "service", id: name, name, workspaceId, held: [everyScope], signal }
}

/** A mistyped folder is not to be filled with an empty installation; one that is there and empty may be. */
export function requireData({ dataDir, secrets }: Config): void {
  if (!secrets.database && !existsSync(databasePath(dataDir)) && !isEmptyFolder(dataDir))
    throw new UsageError(
      `there is no Guichet data in ${dataDir}: set GUICHET_DATA_DIR to the folder of the service, or start a new one with guichet serve`,
    )
}

function isEmptyFolder(path: string): boolean {
  try {
    return readdirSync(path).length === 0
  } catch {
    return false
  }
}

import { createInterface } from "node:readline/promises"
import { Writable } from "node:stream"
import { enrol } from "../accounts/member.ts"
import {
  addFirstOperator,
  addOperator,
  changePassword,
  findOperator,
  hasOwner,
  type Operator,
  type Role,
  roles,
} from "../accounts/operator.ts"
import { forgetTries } from "../accounts/sign-in.ts"
import { openApp } from "../app.ts"
import { Refusal, UsageError } from "../base/errors.ts"
import { readConfig } from "../config/config.ts"
import { type Call, type Command, print, say } from "./command.ts"
import { workspaceNamed } from "./workspace.ts"

export const operatorCreate: Command = {
  usage: "operator create EMAIL [--role owner|editor|viewer] [--workspace ID] [--json]",
  about:
    "makes an account for the console, an owner's unless said otherwise; asks for the password, or reads it from stdin. Who has an account becomes a member",
  options: { role: { type: "string" }, workspace: { type: "string" }, json: { type: "boolean" } },
  async run(call) {
    const { options, environment } = call
    const email = addressOf(call)
    const role = roleOf(options["role"])
    await using app = await openApp(readConfig(environment))
    const workspaceId = await workspaceNamed(app, options["workspace"])
    const isFirst = role === "owner" && options["workspace"] === undefined && !(await hasOwner(app.db))
    const { id } = await made()
    print(options["json"] ? JSON.stringify({ id }) : id)
    return undefined

    async function made(): Promise<Operator> {
      const operator = await findOperator(app.db, email)
      if (operator) {
        await enrol(app.db, { workspaceId, operator, role }, app.clock.now())
        say(`${operator.email} has an account already and keeps its password`)
        return operator
      }
      const wanted = { email, password: await readPassword() }
      return isFirst
        ? addFirstOperator(app.db, wanted, app.clock.now())
        : addOperator(app.db, { ...wanted, workspaceId, role }, app.clock.now())
    }
  },
}

export const operatorPassword: Command = {
  usage: "operator password EMAIL [--json]",
  about: "gives an account another password, read like that of operator create, and signs it out everywhere",
  options: { json: { type: "boolean" } },
  async run(call) {
    const email = addressOf(call)
    await using app = await openApp(readConfig(call.environment))
    const operator = await findOperator(app.db, email)
    if (!operator) throw new Refusal("not_found", "", { reason: `no operator has the address ${email}` })
    await changePassword(app.db, operator.id, await readPassword())
    await forgetTries(app, email)
    if (call.options["json"]) print(JSON.stringify({ id: operator.id }))
    return undefined
  },
}

function addressOf({ positionals }: Call): string {
  const [address] = positionals
  if (!address?.includes("@")) throw new UsageError("which e-mail address?")
  return address
}

function roleOf(value: unknown): Role {
  const role = roles.find((role) => role === (value ?? "owner"))
  if (!role) throw new UsageError(`--role is ${roles.join(", ")}`)
  return role
}

/**
 * From a prompt that shows nothing, or the first line of stdin; never from the arguments, which every process
 * may read.
 */
async function readPassword(): Promise<string> {
  const { stdin, stderr } = process
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: stdin, output: silent, terminal: stdin.isTTY === true })
  try {
    if (stdin.isTTY) stderr.write("password: ")
    for await (const line of reader) return line
    throw new UsageError("no password was given")
  } finally {
    if (stdin.isTTY) stderr.write("\n")
    reader.close()
  }
}

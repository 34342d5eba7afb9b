import { openApp } from "../app.ts"
import { UsageError } from "../base/errors.ts"
import { readConfig } from "../config/config.ts"
import { eraseAddress } from "../forms/responses/erase.ts"
import { responsesOfAddress } from "../forms/responses/person.ts"
import { type Call, type Command, print } from "./command.ts"

export const erase: Command = {
  usage: "erase EMAIL [--json]",
  about: "erases every form response in which the address was given, payloads of the delivery log too",
  options: { json: { type: "boolean" } },
  async run(call) {
    const address = addressOf(call)
    await using app = await openApp(readConfig(call.environment))
    const erased = await eraseAddress(app, address)
    print(call.options["json"] ? JSON.stringify({ erased }) : `${erased} responses erased`)
    return undefined
  },
}

export const exportPerson: Command = {
  usage: "export EMAIL [--json]",
  about: "prints every form response in which the address was given, always as JSON",
  options: { json: { type: "boolean" } },
  async run(call) {
    const address = addressOf(call)
    await using app = await openApp(readConfig(call.environment))
    print(JSON.stringify({ items: await responsesOfAddress(app.db, address) }))
    return undefined
  },
}

function addressOf({ positionals }: Call): string {
  const [address] = positionals
  if (!address?.includes("@")) throw new UsageError("which e-mail address?")
  return address
}

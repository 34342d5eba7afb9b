import { openApp } from "../app.ts"
import { questionsOf } from "../assistant/insights/asked-questions.ts"
import { readConfig } from "../config/config.ts"
import { eraseAddress } from "../forms/responses/erase.ts"
import { responsesOfAddress } from "../forms/responses/person.ts"
import { defineCommand, json, print } from "./kit/command.ts"
import { requireAddress } from "./operator.ts"

export const erase = defineCommand({
  about: "erases every form response in which an e-mail address was given",
  details: "Erases the payloads of these responses in the delivery log too.",
  args: { email: "e-mail address of the person" },
  options: { json },
  async run({ args, options, environment }) {
    const address = requireAddress(args.email)
    await using app = await openApp(readConfig(environment))
    const erased = await eraseAddress(app, address)
    print(options.json ? JSON.stringify({ erased }) : `${erased} responses erased`)
    return undefined
  },
})

export const exportPerson = defineCommand({
  about: "prints every form response in which an e-mail address was given",
  details: "Prints JSON, with or without --json.",
  args: { email: "e-mail address of the person" },
  options: { json },
  async run({ args, environment }) {
    const address = requireAddress(args.email)
    await using app = await openApp(readConfig(environment))
    print(JSON.stringify({ items: await responsesOfAddress(app.db, address, questionsOf) }))
    return undefined
  },
})

import { newSetupLink, setupLinkMinutes } from "../accounts/setup-link.ts"
import { openApp } from "../app.ts"
import { Refusal } from "../base/errors.ts"
import { readConfig } from "../config/config.ts"
import { type Command, print, say } from "./command.ts"

export const setupLink: Command = {
  usage: "setup-link [--json]",
  about: "prints a link, good once and for 30 minutes, under which the first operator makes their account",
  options: { json: { type: "boolean" } },
  async run({ options, environment }) {
    await using app = await openApp(readConfig(environment))
    const link = await newSetupLink({ db: app.db, publicUrl: app.config.publicUrl }, app.clock.now())
    if (link === undefined)
      throw new Refusal("conflict", "", {
        reason: "there is an owner already: guichet operator create adds another operator",
      })
    print(options["json"] ? JSON.stringify({ link, valid_minutes: setupLinkMinutes }) : link)
    if (!options["json"]) say(`good once, for ${setupLinkMinutes} minutes`)
    return undefined
  },
}

import { newSetupLink, setupLinkMinutes } from "../accounts/setup-link.ts"
import { Refusal } from "../base/errors.ts"
import { defineCommand, json, print, say } from "./kit/command.ts"
import { openData } from "./kit/open.ts"

export const setupLink = defineCommand({
  about: "prints a link under which the first operator makes their account",
  details: `The link works once, for ${setupLinkMinutes} minutes.`,
  options: { json },
  async run({ options, environment }) {
    await using app = await openData(environment)
    const link = await newSetupLink({ db: app.db, publicUrl: app.config.publicUrl }, app.clock.now())
    if (link === undefined)
      throw new Refusal("conflict", "", {
        reason: "there is an owner already: guichet operator create adds another operator",
      })
    print(options.json ? JSON.stringify({ link, valid_minutes: setupLinkMinutes }) : link)
    if (!options.json) say(`good once, for ${setupLinkMinutes} minutes`)
    return undefined
  },
})

import { newSetupLink, setupLinkMinutes } from "../accounts/setup-link.ts"
import { Refusal } from "../base/errors.ts"
import { defineDataCommand } from "./kit/open.ts"

export const setupLink = defineDataCommand({
  about: "prints a link under which the first operator makes their account",
  details: `The link works once, for ${setupLinkMinutes} minutes.`,
  async run({ app }) {
    const link = await newSetupLink({ db: app.db, publicUrl: app.config.publicUrl }, app.clock.now())
    if (link === undefined)
      throw new Refusal("conflict", "", {
        reason: "there is an owner already: guichet operator create adds another operator",
      })
    return {
      json: { link, valid_minutes: setupLinkMinutes },
      text: link,
      notes: [`good once, for ${setupLinkMinutes} minutes`],
    }
  },
})

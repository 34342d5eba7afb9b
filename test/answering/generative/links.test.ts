import { expect, test } from "bun:test"
import { documentation } from "../../support/documentation.ts"
import type { Behaviour } from "../../support/models/behaviour.ts"
import { reply } from "../../support/models/behaviour.ts"
import { providers } from "../../support/models/server.ts"
import { aService } from "../../support/service-builder.ts"

// A model's text holds no link, whatever the documentation links to, and a model is shown no address.

const target = "https://docs.exemple.fr/formulaire"

test.each(providers)(
  "%s: a link that the model copies from the documentation keeps its text alone",
  async (provider) => {
    using folder = documentation({
      "contact.md": `Pour joindre le service, remplissez [ce formulaire](${target}) avant midi.`,
    })
    const sentence = {
      text: `Pour joindre le service, remplissez [ce formulaire](${target}) avant midi.`,
      sources: [1],
    }
    const prompts: string[] = []
    const behaviour: Behaviour = {
      write({ user }) {
        prompts.push(user)
        return reply({ answerable: true, sentences: [sentence] })
      },
      embed: (texts) => texts.map(() => [1, 0]),
    }
    await using site = await aService().withModel(provider, behaviour, {}, folder.path).started()
    const { body } = await site.ask({ question: "Comment joindre le service ?" })
    expect(body.status).toBe("answered")
    expect(body.answer).toBe("Pour joindre le service, remplissez ce formulaire avant midi. [^1]")
    expect(prompts.join("\n")).toContain("remplissez ce formulaire avant midi")
    expect(prompts.join("\n")).not.toContain(target)
  },
)

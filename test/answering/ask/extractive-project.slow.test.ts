import { expect, test } from "bun:test"
import { cpSync } from "node:fs"
import { join } from "node:path"
import { applyProjectChange } from "../../../src/accounts/project.ts"
import { demo, indexFolder } from "../../support/ask.ts"
import { honest } from "../../support/models/behaviour.ts"
import { providers } from "../../support/models/server.ts"
import { temporaryFolder } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

// A model receives nothing of a project whose answers are extracted, even if the service has a model.

test.each(providers)("%s: neither its questions nor its pages reach the model", async (provider) => {
  using documentation = temporaryFolder()
  for (const page of ["webhooks.md", "verifier-une-signature.md", "index.md"])
    cpSync(join(demo, page), join(documentation.path, page))
  await using site = await aService().withModel(provider, honest, {}, documentation.path).started()
  const { db, indexes } = site.service.app
  expect((await site.ask()).body.status).toBe("answered")
  expect(await indexes.staleIndexes({ files: false })).toEqual([])
  await applyProjectChange(db, site.project.id, { answers: "extractive" })
  // The index has the model's vectors, so it is stale until it is built again with those of the embedded one.
  expect(await indexes.staleIndexes({ files: false })).toEqual([site.project.id])
  site.server.requests.length = 0
  // The model's earlier answer is not reused from the cache.
  const { body: first } = await site.ask()
  expect(first.status).toBe("answered")
  const followUp = { question: "Et pour changer le secret ?", previous: [first.id] }
  expect((await site.ask(followUp)).status).toBe(200)
  await indexFolder(site.service.app, { ...site.project, answers: "extractive" }, documentation.path)
  expect(await indexes.staleIndexes({ files: false })).toEqual([])
  expect((await site.ask({ question: "Comment vérifie-t-on la signature d’un webhook ?" })).body.status).toBe(
    "answered",
  )
  expect(site.server.requests).toEqual([])
  // The vectors are still stored when the project goes back, so they are not paid for twice.
  await applyProjectChange(db, site.project.id, { answers: "written" })
  await indexFolder(site.service.app, site.project, documentation.path)
  expect(site.server.requests).toEqual([])
  await site.ask()
  expect(site.server.requests).not.toEqual([])
})

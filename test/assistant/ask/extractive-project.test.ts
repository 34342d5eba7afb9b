import { expect, test } from "bun:test"
import { changeProject } from "../../../src/accounts/project.ts"
import { answerable, demo, indexFolder } from "../../support/ask.ts"
import { providers } from "../../support/models/server.ts"
import { aService } from "../../support/service-builder.ts"

// Of a project whose answers are extracted, no model is told anything, in a service that has one.

test.each(providers)("%s: neither its questions nor its pages reach the model", async (provider) => {
  await using site = await aService().withModel(provider).started()
  const { db, indexes } = site.service.app
  expect((await site.ask()).body.status).toBe("answered")
  expect(await indexes.unsound({ files: false })).toEqual([])
  await changeProject(db, site.project.id, { answers: "extractive" })
  // Its index has vectors: it is built again, without.
  expect(await indexes.unsound({ files: false })).toEqual([site.project.id])
  site.server.requests.length = 0
  // The answer that was written is not given again.
  const { body: first } = await site.ask()
  expect(first.status).toBe("answered")
  const followUp = { question: "Et pour changer le secret ?", previous: [first.id] }
  expect((await site.ask(followUp)).status).toBe(200)
  await indexFolder(site.service.app, { ...site.project, answers: "extractive" }, demo)
  expect(await indexes.unsound({ files: false })).toEqual([])
  expect((await site.ask({ question: `${answerable} En Node ?` })).body.status).toBe("answered")
  expect(site.server.requests).toEqual([])
  // Vectors that were paid for are there when it goes back.
  await changeProject(db, site.project.id, { answers: "written" })
  await indexFolder(site.service.app, site.project, demo)
  expect(site.server.requests).toEqual([])
  await site.ask()
  expect(site.server.requests).not.toEqual([])
})

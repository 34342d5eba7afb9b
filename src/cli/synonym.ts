import { addSynonyms, removeSynonyms } from "../assistant/synonyms/operations.ts"
import { allSynonymGroups } from "../assistant/synonyms/synonym-group.ts"
import { perform } from "../operations/perform.ts"
import { commandCaller } from "./kit/caller.ts"
import { defineCommand, json, print } from "./kit/command.ts"
import { openData } from "./kit/open.ts"
import { aboutProject, requireProject } from "./project.ts"

export const synonymAdd = defineCommand({
  about: "declares words that mean the same in the questions of a project",
  details: "Questions obey it at once: the documentation is not read again.",
  args: { project: aboutProject },
  rest: { name: "word", about: "word or short phrase, in quotes if it holds spaces; 2 to 10 of them" },
  options: { json },
  async run({ args, rest, options, environment }) {
    await using app = await openData(environment)
    const project = await requireProject(app, args.project)
    const caller = commandCaller("synonym add", project.workspaceId)
    const { id, words } = await perform(addSynonyms, app, caller, { project: project.id }, { words: rest })
    print(options.json ? JSON.stringify({ id, words }) : id)
    return undefined
  },
})

export const synonymList = defineCommand({
  about: "lists the groups of words that mean the same, newest first",
  args: { project: aboutProject },
  options: { json },
  async run({ args, options, environment }) {
    await using app = await openData(environment)
    const groups = await allSynonymGroups(app.db, (await requireProject(app, args.project)).id)
    const items = groups.map(({ id, words }) => ({ id, words }))
    if (options.json) print(JSON.stringify({ items }))
    else for (const { id, words } of items) print(`${id}  ${words.join(", ")}`)
    return undefined
  },
})

export const synonymRemove = defineCommand({
  about: "removes a group of words that mean the same",
  args: { project: aboutProject, id: "identifier of the group, which guichet synonym list shows" },
  options: { json },
  async run({ args, options, environment }) {
    await using app = await openData(environment)
    const project = await requireProject(app, args.project)
    const caller = commandCaller("synonym remove", project.workspaceId)
    const { id } = await perform(removeSynonyms, app, caller, { project: project.id, synonym: args.id })
    if (options.json) print(JSON.stringify({ id }))
    return undefined
  },
})

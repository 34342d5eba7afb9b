import { addSynonyms, removeSynonyms } from "../index/synonyms/operations.ts"
import { allSynonymGroups } from "../index/synonyms/synonym-group.ts"
import { defineDataCommand } from "./kit/open.ts"
import { aboutProject, requireProject } from "./project.ts"

export const synonymAdd = defineDataCommand({
  about: "declares words that mean the same in the questions of a project",
  details: "Questions obey it at once: the documentation is not read again.",
  args: { project: aboutProject },
  rest: { name: "word", about: "word or short phrase, in quotes if it holds spaces; 2 to 10 of them" },
  async run({ app, args, rest, perform }) {
    const project = await requireProject(app, args.project)
    const ids = { project: project.id }
    const { id, words } = await perform(addSynonyms, project.workspaceId, ids, { words: rest })
    return { json: { id, words }, text: id }
  },
})

export const synonymList = defineDataCommand({
  about: "lists the groups of words that mean the same, newest first",
  args: { project: aboutProject },
  async run({ app, args }) {
    const groups = await allSynonymGroups(app.db, (await requireProject(app, args.project)).id)
    const items = groups.map(({ id, words }) => ({ id, words }))
    return { json: { items }, text: items.map(({ id, words }) => `${id}  ${words.join(", ")}`) }
  },
})

export const synonymRemove = defineDataCommand({
  about: "removes a group of words that mean the same",
  args: { project: aboutProject, id: "identifier of the group, which guichet synonym list shows" },
  async run({ app, args, perform }) {
    const project = await requireProject(app, args.project)
    const ids = { project: project.id, synonym: args.id }
    const { id } = await perform(removeSynonyms, project.workspaceId, ids)
    return { json: { id } }
  },
})

import { listProjects, type Project } from "../../accounts/project.ts"
import { addProject, changeProject } from "../../accounts/projects/operations.ts"
import { newProject, projectChange } from "../../accounts/projects/record.ts"
import { changeWidget, widgetChangeIn } from "../../accounts/widget/operations.ts"
import { widgetChange } from "../../accounts/widget/record.ts"
import { findWidgetSettings } from "../../accounts/widget/settings.ts"
import { formShownAt } from "../../api/forms.ts"
import { shownFeed } from "../../api/indexing.ts"
import { projectShown } from "../../api/projects.ts"
import { settingsShown } from "../../api/widget-settings.ts"
import { isObject } from "../../base/names.ts"
import { originOf } from "../../base/origin.ts"
import { checkedForm } from "../../forms/definition/description.ts"
import { listForms } from "../../forms/definition/form.ts"
import { formChange } from "../../forms/definition/record.ts"
import { addForm, changeForm, refuseLost } from "../../forms/operations/forms.ts"
import { readFields } from "../../http/record/fields.ts"
import { addFeed, sourceOf } from "../../indexing/operations.ts"
import { listFeeds, settingsJson } from "../../reading/feed.ts"
import { feedKinds, type KindName } from "../../reading/kinds/table.ts"
import { newFeed } from "../../reading/record.ts"
import { findByName, listIn, named, type Place, type Thing } from "./things.ts"

/** Projects, each with its feeds, its forms, and then its widget, which may offer one of these. */
export async function applyProjects(place: Place, things: readonly Thing[]): Promise<void> {
  const { app, workspaceId, perform, ids, fields } = place
  const projects = await listProjects(app.db, workspaceId)
  for (const { id, name } of projects) ids.set(name, id)
  for (const form of await listForms(app.db, workspaceId)) {
    const project = projects.find(({ id }) => id === form.projectId)
    if (!project) continue
    ids.set(`${project.name}/${form.name}`, form.id)
    fields.set(`${project.name}/${form.name}`, form.fields)
  }
  for (const { at, name, members } of named(place, things, "name")) {
    const { feeds: _, forms: __, widget_settings: widget, ...wanted } = members
    const present = findByName(place, `${at}name`, projects, (each) => each.name === name)
    const read = readFields(wanted, newProject, {}) as Partial<Project>
    const site = read.site ?? present?.site ?? ""
    const origins = [originOf(site) ?? "", ...(read.origins ?? present?.origins ?? [])]
    const id = await place.one({
      kind: "project",
      name,
      at: at.slice(0, -1),
      wanted,
      present: present && { id: present.id, record: projectShown.json(present) },
      schema: { added: newProject, changed: projectChange },
      judge: async ({ origins: given }) => (given ? { origins } : undefined),
      add: () => perform(addProject, workspaceId, {}, wanted),
      change: () => perform(changeProject, workspaceId, { project: present?.id ?? "" }, wanted),
    })
    ids.set(name, id)
    const project = { id, name, site, origins }
    for (const feed of listIn(place, { at, members }, "feeds")) await applyFeed(place, project, feed)
    for (const form of named(place, listIn(place, { at, members }, "forms"), "name"))
      await applyForm(place, project, form)
    if (widget !== undefined) await applyWidget(place, project, { at, widget })
  }
}

/** Its id is undefined where a trial would add it. */
type Declared = Pick<Project, "name" | "site" | "origins"> & { id: string | undefined }

async function applyFeed(place: Place, project: Declared, { at, members }: Thing): Promise<void> {
  const { app, workspaceId, perform } = place
  const { id, name } = project
  const feeds = id === undefined ? [] : await listFeeds(app.db, id)
  const { kind, address = feedKinds[kind as KindName]?.usualAddress ?? "" } = readFields(members, newFeed, {})
  const present = feeds.find((each) => each.kind === kind && each.address === address)
  const save = () => perform(addFeed, workspaceId, { project: id ?? "" }, members)
  await place.one({
    kind: "feed",
    name: `${name}/${address}`,
    at: at.slice(0, -1),
    wanted: members,
    present: present && { id: present.id, record: shownFeed.json(present) },
    schema: { added: newFeed, changed: newFeed },
    async judge({ headers: _, token: __, ...described }) {
      const source = sourceOf(project, described as Parameters<typeof sourceOf>[1])
      settingsJson(source)
      const stored = shownFeed.json({ ...source, id: "", projectId: "", lastReadAt: null, found: null })
      return Object.fromEntries(Object.entries(stored).filter(([member]) => member in described))
    },
    add: save,
    change: save,
  })
}

async function applyForm(
  place: Place,
  { id, name: projectName }: Pick<Declared, "id" | "name">,
  { at, name, members }: Thing & { name: string },
): Promise<void> {
  const { app, workspaceId, perform, ids, fields } = place
  const { config, db, messageQueue } = app
  const forms = id === undefined ? [] : await listForms(db, workspaceId, { projectId: id })
  const present = findByName(place, `${at}name`, forms, (each) => each.name === name)
  const full = `${projectName}/${name}`
  // The name of a project that a trial would add has no id that a form could have.
  const added = { ...members, project: id ?? "a".repeat(16) }
  const formId = await place.one({
    kind: "form",
    name: full,
    at: at.slice(0, -1),
    wanted: members,
    present: present && { id: present.id, record: formShownAt(config.publicUrl).json(present) },
    schema: { added: formChange, changed: formChange },
    async judge() {
      const described = checkedForm(present ? members : added, app, {}, present)
      fields.set(full, described.fields)
      if (present) refuseLost((await messageQueue.followFields(db, present, described.fields)).lost)
      return undefined
    },
    add: () => perform(addForm, workspaceId, {}, added),
    change: () => perform(changeForm, workspaceId, { form: present?.id ?? "" }, members),
  })
  ids.set(full, formId)
}

/** `contact_form` is the name of a form of the project. */
async function applyWidget(place: Place, project: Declared, { at, widget }: { at: string; widget: unknown }) {
  const { app, workspaceId, perform, ids, faults } = place
  const { id, name } = project
  const widgetAt = `${at}widget_settings`
  if (!isObject(widget)) {
    faults[widgetAt] = "give an object"
    return
  }
  const { contact_form: form, ...look } = widget
  const isForm = typeof form === "string"
  if (isForm && !ids.has(`${name}/${form}`))
    faults[`${widgetAt}.contact_form`] = `the project has no form ${form}`
  const contact = form === undefined ? {} : { contact_form: isForm ? ids.get(`${name}/${form}`) : form }
  const wanted = { ...look, ...contact }
  const { settings } = await findWidgetSettings(app.db, id ?? "")
  const change = () => perform(changeWidget, workspaceId, { project: id ?? "" }, wanted)
  await place.one({
    kind: "widget",
    name,
    at: widgetAt,
    wanted,
    present:
      id !== undefined
        ? { id, record: settingsShown.json({ ...settings, seenAt: null, counts: { offered: 0, solved: 0 } }) }
        : undefined,
    schema: { added: widgetChange, changed: widgetChange },
    async judge(read) {
      widgetChangeIn(read, settings, project)
      return undefined
    },
    add: change,
    change,
  })
}

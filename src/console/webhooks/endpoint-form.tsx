/** @jsxImportSource preact */
import { Type } from "@sinclair/typebox"
import { listProjects } from "../../accounts/project.ts"
import { listForms } from "../../forms/definition/form.ts"
import { fieldsOf } from "../../http/fields.ts"
import { type Endpoint, maxDescriptionLength } from "../../webhooks/endpoints/endpoint.ts"
import { areSame } from "../../webhooks/endpoints/limits.ts"
import type { ConsoleParts } from "../kit/door.ts"
import { Choice, Field } from "../kit/fields.tsx"
import type { Filled } from "../kit/form.ts"
import type { Visit } from "../kit/page-context.ts"
import { messages } from "../messages/webhooks.fr.ts"

/** Projects and forms of the workspace, by which endpoints may be limited. */
export interface Choices {
  projects: { id: string; name: string }[]
  forms: { id: string; name: string }[]
}

export async function choicesOf({ db }: Pick<ConsoleParts, "db">, visit: Visit): Promise<Choices> {
  const projects = await listProjects(db, visit.workspaceId)
  const names = new Map(projects.map(({ id, name }) => [id, name]))
  const forms = await listForms(db, visit.workspaceId)
  // Every project has its « Contact ».
  const nameIn = (name: string, projectId: string) =>
    projects.length > 1 ? messages.formOf(name, names.get(projectId) ?? "") : name
  return {
    projects,
    forms: forms.map(({ id, name, projectId }) => ({ id, name: nameIn(name, projectId) })),
  }
}

const describedEndpoint = Type.Object({
  description: Type.Optional(Type.String({ maxLength: maxDescriptionLength })),
})

/**
 * What the form of an endpoint holds. Throws Refusal `invalid_request` for a description that is too long.
 */
export function endpointIn(values: URLSearchParams) {
  return { ...unlimitedIn(values), ...limitsIn(values) }
}

/**
 * The same of one that is there. A page that sends back the limits that it was given frees no endpoint whose
 * forms are gone.
 */
export function changeIn(values: URLSearchParams, endpoint: Endpoint) {
  const limits = limitsIn(values)
  return { ...unlimitedIn(values), ...(!areSame(limits, endpoint) && limits) }
}

function limitsIn(values: URLSearchParams) {
  return { projects: values.getAll("projects"), forms: values.getAll("forms") }
}

function unlimitedIn(values: URLSearchParams) {
  return {
    ...fieldsOf({ description: values.get("description") ?? "" }, describedEndpoint),
    url: (values.get("url") ?? "").trim(),
    active: values.get("active") !== "off",
  }
}

interface Props {
  filled: Filled
  choices: Choices
  /** Undefined: a new one. */
  endpoint: Endpoint | undefined
}

export function EndpointFields({ filled, choices, endpoint }: Props) {
  const chosen = (name: "projects" | "forms") =>
    filled.values.has("url") ? filled.values.getAll(name) : (endpoint?.[name] ?? [])
  const hasBoxes = choices.forms.length > 0
  const shown = hasBoxes ? choices : { projects: [], forms: [] }
  // What has no box goes along: a limit that a page does not send is taken off.
  const unseen = (["projects", "forms"] as const).flatMap((name) =>
    chosen(name)
      .filter((value) => shown[name].every(({ id }) => id !== value))
      .map((value) => ({ name, value })),
  )
  const isEmptied = endpoint?.limited && endpoint.projects.length + endpoint.forms.length === 0
  const problem = filled.problems["projects"] ?? filled.problems["forms"]
  return (
    <>
      <Field
        filled={filled}
        name="url"
        type="url"
        label={messages.url}
        hint={messages.urlHint}
        value={endpoint?.url}
      />
      <Field
        filled={filled}
        name="description"
        label={messages.description}
        hint={messages.descriptionHint}
        value={endpoint?.description}
        optional
      />
      {endpoint && (
        <Choice
          filled={filled}
          name="active"
          label={messages.state}
          value={endpoint.active ? "on" : "off"}
          choices={[
            ["on", messages.stateActive],
            ["off", messages.stateInactive],
          ]}
        />
      )}
      {unseen.map((limit) => (
        <input key={limit.value} type="hidden" {...limit} />
      ))}
      {hasBoxes && (
        <fieldset class="field boxes">
          <legend>{messages.limits}</legend>
          <p class="hint">{isEmptied ? messages.emptiedHint : messages.limitsHint}</p>
          {choices.projects.map(({ id, name }) => (
            <Box
              key={id}
              name="projects"
              value={id}
              label={messages.wholeProject(name)}
              checked={chosen("projects").includes(id)}
            />
          ))}
          {choices.forms.map(({ id, name }) => (
            <Box key={id} name="forms" value={id} label={name} checked={chosen("forms").includes(id)} />
          ))}
          {problem && <p class="wrong">{problem}</p>}
        </fieldset>
      )}
    </>
  )
}

function Box(props: { name: string; value: string; label: string; checked: boolean }) {
  const { label, ...attributes } = props
  return (
    <label class="box">
      <input type="checkbox" {...attributes} />
      <span>{label}</span>
    </label>
  )
}

/** The secret that was just made for an endpoint, to be shown once. */
export function secretOf({ id, url }: Endpoint, text: string, done: string) {
  return {
    heading: messages.secretTitle,
    current: "webhooks" as const,
    done,
    of: url,
    notice: messages.secretOnce,
    label: messages.secret,
    text,
    next: `/console/webhooks/${id}`,
  }
}

import type { ComponentChildren } from "preact"
import { listProjects } from "../../accounts/project.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { findForms, listFormNames } from "../../forms/definition/form.ts"
import { isComparable } from "../../webhooks/endpoints/conditions.ts"
import type { Endpoint } from "../../webhooks/endpoints/endpoint.ts"
import { isSameFilter } from "../../webhooks/endpoints/endpoint-filter.ts"
import { endpointName } from "../../wording/endpoint-name.fr.ts"
import { verificationCode } from "../../wording/verification-code.ts"
import { type Code, CodeTabs } from "../kit/code-tabs.tsx"
import { More, pageOfList, Section } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Box, Field } from "../kit/forms/fields.tsx"
import { type PageContext, usePage, useSubmitted } from "../kit/page-context.ts"
import { words as commonWords } from "../kit/words.fr.ts"
import { type Choices, EndpointSettings } from "./endpoint-settings.tsx"
import { quoted } from "./exchange.tsx"
import { RecipesLink } from "./recipes/recipes.tsx"
import { words } from "./words.fr.ts"

/** Forms whose fields are offered to a new condition: a list of all would make a heavy page. */
const offeredForms = 50

export async function readChoices(
  { db }: Pick<ConsoleDeps, "db">,
  context: PageContext,
  endpoint?: Endpoint,
): Promise<Choices> {
  const projects = await listProjects(db, context.workspaceId)
  const names = new Map(projects.map(({ id, name }) => [id, name]))
  const forms = await listFormNames(db, context.workspaceId)
  const own = endpoint ? [...endpoint.conditions.map(({ form }) => form), ...endpoint.forms] : []
  const ids = new Set([...own, ...forms.slice(0, offeredForms).map(({ id }) => id)])
  const described = await findForms(db, context.workspaceId, [...ids].slice(0, offeredForms))
  // Form names repeat between projects (each may have a « Contact »), so the project's name is added.
  const nameIn = (name: string, projectId: string) =>
    projects.length > 1 ? words.formOf(name, names.get(projectId) ?? "") : name
  return {
    projects,
    forms: forms.map(({ id, name, projectId }) => ({
      id,
      name: nameIn(name, projectId),
      fields: described.get(id)?.fields.filter(isComparable) ?? [],
    })),
  }
}

/** Part of a change only if it differs: saving would else drop the filter of forms that were all deleted. */
export function filterIn(values: URLSearchParams, endpoint: Endpoint) {
  const filter = { projects: values.getAll("projects"), forms: values.getAll("forms") }
  return isSameFilter(filter, endpoint) ? { projects: undefined, forms: undefined } : filter
}

/** Among several projects one says whose messages it gets, so that a client never gets another's. Throws Refusal. */
export function newFilterIn(values: URLSearchParams, { projects }: PageContext): Record<string, unknown> {
  const filter = { projects: values.getAll("projects"), forms: values.getAll("forms") }
  const isChosen = filter.projects.length + filter.forms.length > 0
  if (projects.length > 1 && !isChosen && !values.has(everyBox)) {
    const reason = detail("webhooks.chooseProjects")
    throw new Refusal("invalid_request", reason, { fields: { projects: reason } })
  }
  return values.has(everyBox) ? { projects: [], forms: [] } : filter
}

/** Ticked: the endpoint gets the messages of every project, of later ones too. */
const everyBox = "every"

/** Projects and forms that can be ticked at once. What was saved beyond them stays. */
const shownBoxes = 100

/** Without an endpoint, the fields of a new one. */
export function EndpointFields({ choices, endpoint }: { choices: Choices; endpoint?: Endpoint }) {
  const context = usePage()
  const submitted = useSubmitted()
  const isShared = choices.projects.length > 1
  const own = endpoint ?? { projects: [context.query["project"] ?? []].flat(), forms: [] }
  const chosen = (name: "projects" | "forms") =>
    submitted.values.has("description") ? submitted.values.getAll(name) : own[name]
  const hasBoxes = choices.forms.length > 0 || isShared
  const after = context.query["cursor"]
  const { items: boxes, cursor } = pageOfList(hasBoxes ? choiceBoxes(choices) : [], after, shownBoxes)
  // Filter values without a box are sent as hidden fields, because a value that is not sent is removed.
  const unseen = (["projects", "forms"] as const).flatMap((name) =>
    chosen(name)
      .filter((value) => boxes.every(({ id }) => id !== value))
      .map((value) => ({ name, value })),
  )
  const isEmptied = endpoint?.filtered && endpoint.projects.length + endpoint.forms.length === 0
  const problem = submitted.problems["projects"] ?? submitted.problems["forms"]
  const isOpen =
    (isShared && !endpoint) ||
    after !== undefined ||
    isEmptied ||
    problem !== undefined ||
    [...chosen("projects"), ...chosen("forms")].length > 0
  return (
    <>
      {/* Enter presses the first button of a form: this one saves. */}
      <button type="submit" hidden>
        {commonWords.save}
      </button>
      <div class="pair">
        {endpoint?.kind !== "test" && (
          <Field name="url" type="url" label={words.url} hint={words.urlHint} value={endpoint?.url} />
        )}
        <Field name="description" {...words.description} value={endpoint?.description} optional />
      </div>
      {endpoint && (
        <Field
          name="active"
          label={words.state}
          value={endpoint.active ? "on" : "off"}
          choices={[
            ["on", words.stateActive],
            ["off", words.stateInactive],
          ]}
        />
      )}
      {unseen.map((limit) => (
        <input key={limit.value} type="hidden" {...limit} />
      ))}
      {hasBoxes && (
        <details class="options" open={isOpen}>
          <summary>{isShared ? words.whose : words.limits}</summary>
          <fieldset class="boxes" aria-label={isShared ? words.whose : words.limits}>
            {(endpoint || !isShared) && (
              <p class="hint">{isEmptied ? words.emptiedHint : words.limitsHint}</p>
            )}
            {isShared && !endpoint && (
              <Box name={everyBox} value="on" checked={submitted.values.has(everyBox)}>
                {words.everyProject}
              </Box>
            )}
            {boxes.map(({ id, name, label }) => (
              <Box key={id} name={name} value={id} checked={chosen(name).includes(id)}>
                {label}
              </Box>
            ))}
            {cursor !== null && <p class="hint">{endpoint ? words.moreBoxes : words.moreBoxesLater}</p>}
            {endpoint && <More address={`/console/webhooks/${endpoint.id}`} cursor={cursor} />}
            {problem && <p class="wrong">{problem}</p>}
          </fieldset>
        </details>
      )}
      <EndpointSettings endpoint={endpoint} forms={choices.forms} />
    </>
  )
}

function choiceBoxes({ projects, forms }: Choices) {
  return [
    ...projects.map(({ id, name }) => ({ id, name: "projects" as const, label: words.wholeProject(name) })),
    ...forms.map(({ id, name }) => ({ id, name: "forms" as const, label: name })),
  ]
}

/** Contents of the page that shows a new secret once, with code that verifies what it signs. */
export function secretPage(endpoint: Endpoint, text: string, flash: string, more?: ComponentChildren) {
  const { id, url } = endpoint
  return {
    heading: words.secretTitle,
    current: "webhooks" as const,
    flash,
    of: endpointName(endpoint),
    notice: words.secretOnce,
    label: words.secret,
    text,
    more: (
      <>
        <Section title={words.verify}>
          <p class="hint">
            {words.verifyHint} <RecipesLink />
          </p>
          <CodeTabs label={words.verify} codes={verifyCode(text, url)} />
        </Section>
        {more}
      </>
    ),
    next: `/console/webhooks/${id}`,
  }
}

/** Code that verifies a webhook with a secret, in several languages; and a command that sends a signed message. */
function verifyCode(secret: string, url: string): Record<Code, string> {
  return {
    js: `const secret = "${secret}"\n// const ok = verify(secret, request.headers, rawBody)\n\n${verificationCode.js}`,
    python: `SECRET = "${secret}"\n# ok = verify(SECRET, request.headers, raw_body)\n\n${verificationCode.python}`,
    php: verificationCode.php.replace(
      "<?php\n",
      () =>
        `<?php\n$secret = '${secret}';\n// $ok = verify($secret, getallheaders(), file_get_contents('php://input'));\n\n`,
    ),
    curl: curl(secret, url),
  }
}

function curl(secret: string, url: string): string {
  return `secret='${secret}'
url=${quoted(url)}
id=msg_essai
sent_at=$(date +%s)
body='{"type":"form.response.created","data":{"values":{"nom":"Essai"}}}'
key=$(printf %s "\${secret#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
signature=$(printf %s "$id.$sent_at.$body" \\
  | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
curl -i "$url" -H 'content-type: application/json' -H "webhook-id: $id" \\
  -H "webhook-timestamp: $sent_at" -H "webhook-signature: v1,$signature" --data-binary "$body"
`
}

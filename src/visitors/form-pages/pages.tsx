import { randomUUID } from "node:crypto"
import { LRUCache } from "lru-cache"
import type { ComponentChildren } from "preact"
import { type Refusal, statusOfCode } from "../../base/errors.ts"
import { sha256 } from "../../base/hash.ts"
import type { Form } from "../../forms/definition/form.ts"
import { userMessage } from "../../wording/user-message.ts"
import { words } from "../words.fr.ts"
import type { FormView } from "./form-view.ts"
import { emptyState, extraScripts, FormMarkup, type HostedFormState } from "./markup.tsx"
import { page, pageHtml, pageReply } from "./shell.tsx"
import { shownFields, shownStep } from "./step.ts"

/** The form as a page of its own. `address` is the page's. */
type HostedPage = (view: FormView, at: { address: string; hidden: HostedFormState["hidden"] }) => Response

/** Characters of the pages that are remembered. */
const maxRemembered = 32_000_000

/** Renders each version of a form once: anybody may request the page of a large one, as often as they like. */
export function openHostedPages(): HostedPage {
  const remembered = new LRUCache<string, string>({
    maxSize: maxRemembered,
    sizeCalculation: ({ length }) => length,
  })
  // No text of an owner holds it.
  const mark = randomUUID()
  return (view, { address, hidden }) => {
    const { form, style, logo, service, timezone } = view
    const names = hidden.map(([name]) => name)
    const key = sha256(
      JSON.stringify([form, view.project.origins, style, logo, service, timezone, address, names]),
    )
    const leadsAway = form.redirectUrl !== null
    const options = { status: 200, title: form.name, leadsAway, ...surroundings(view) }
    const marked = names.map((name, at): [string, string] => [name, `${mark}.${at}.`])
    const html =
      remembered.get(key) ??
      pageHtml(
        options,
        <FormMarkup
          form={form}
          action={address}
          state={{ ...emptyState, hidden: marked, step: 0 }}
          timezone={timezone}
        />,
      )
    remembered.set(key, html)
    const filled = hidden.reduce(
      (text, [, value], at) => text.replace(`${mark}.${at}.`, () => Bun.escapeHTML(value)),
      html,
    )
    return pageReply(options, filled)
  }
}

/** Anybody may post what is refused, as often as they like. */
const maxRefusalBytes = 64 * 1024
/** Problems that are told without the form. */
const maxTold = 10

/** With what was typed. Where that is too large a page: the fields with a problem, or the problems alone. */
export function formRetryPage(view: FormView, state: HostedFormState, refusal: Refusal): Response {
  const { form } = view
  const { retryAfterSeconds } = refusal
  const options = {
    status: statusOfCode[refusal.code],
    title: form.name,
    progress: shownStep(form, state)?.progress,
    leadsAway: form.redirectUrl !== null,
    ...surroundings(view),
  }
  const htmlWith = (below: ComponentChildren) =>
    pageHtml(
      options,
      <>
        <p role="alert" class="guichet-problem">
          {userMessage(refusal.detail)}
        </p>
        {below}
      </>,
    )
  const withinSize = (state: HostedFormState) => {
    // A form that is too large before it is HTML is not rendered in vain.
    if (JSON.stringify([shownFields(form, state).fields, state]).length > maxRefusalBytes) return undefined
    const html = htmlWith(<FormMarkup form={form} state={state} timezone={view.timezone} />)
    return Buffer.byteLength(html) > maxRefusalBytes ? undefined : html
  }
  const html =
    withinSize(state) ??
    withinSize({ ...state, only: new Set(Object.keys(state.problems)) }) ??
    htmlWith(<Problems form={form} state={state} />)
  const reply = pageReply(options, html)
  if (retryAfterSeconds !== undefined) reply.headers.set("retry-after", String(retryAfterSeconds))
  return reply
}

function Problems({ form, state: { problems } }: { form: Form; state: HostedFormState }) {
  const wrongFields = form.fields.filter(({ name }) => Object.hasOwn(problems, name)).slice(0, maxTold)
  return (
    <>
      <ul>
        {wrongFields.map(({ name, label }) => (
          <li key={name}>{`${label} – ${problems[name]}`}</li>
        ))}
      </ul>
      <p>{words.goBack}</p>
    </>
  )
}

/** A step of the form, with what was typed on the others. `action`: where it is posted to, if not where it stands. */
export function formStepPage(view: FormView, state: HostedFormState, action?: string): Response {
  const { form } = view
  const progress = shownStep(form, state)?.progress
  const leadsAway = form.redirectUrl !== null
  return page(
    { status: 200, title: form.name, progress, leadsAway, ...surroundings(view) },
    <FormMarkup
      form={form}
      {...(action !== undefined && { action })}
      state={state}
      timezone={view.timezone}
    />,
  )
}

/** In place of a form that takes no response now, with the sentence that says why. */
export function closedPage(view: FormView, sentence: string): Response {
  const { form } = view
  return page(
    { status: 200, title: form.name, ...surroundings(view) },
    <>
      <p class="notice">{sentence}</p>
      <BackToSite form={form} />
    </>,
  )
}

/** `asksToConfirm`: a mail asks to confirm a consent that was given. */
export function thanksPage(view: FormView, asksToConfirm: boolean): Response {
  const { form } = view
  return page(
    { status: 200, title: words.thanksTitle, ...surroundings(view) },
    <>
      <p class="lines">{form.thanks ?? words.thanks}</p>
      {asksToConfirm && <p class="notice">{words.confirmByMail}</p>}
      <BackToSite form={form} />
    </>,
  )
}

/** In a frame, the helper tells the height of each page that may stand there, also without sending the form itself. */
function surroundings({ form, project, style, logo, service }: FormView) {
  return {
    site: form.site,
    style,
    logo,
    frames: project.origins,
    // Shown again, a form that wants a proof can be sent only by a script.
    helper: form.hosted || form.proofOfWork ? service : undefined,
    scripts: extraScripts(form),
  }
}

/** For a form without a page of its own: a browser reloads a form shown again there. */
export function elsewherePage(form: Form): Response {
  return page(
    { status: 404, title: words.formTitle, site: form.site },
    <>
      <p>{words.elsewhere}</p>
      <BackToSite form={form} />
    </>,
  )
}

export function BackToSite({ form }: { form: Form }) {
  return (
    <p>
      <a href={form.site.url} target="_top">
        {words.back}
      </a>
    </p>
  )
}

export function refusedPage(status: number, title: string, sentence: string): Response {
  return page({ status, title }, <p>{sentence}</p>)
}

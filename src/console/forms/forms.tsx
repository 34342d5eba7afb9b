import { render } from "preact-render-to-string"
import { idsOf } from "../../base/ids.ts"
import { hasValue } from "../../forms/definition/field-types.ts"
import { type Form, listFormsPage } from "../../forms/definition/form.ts"
import { addForm } from "../../forms/operations/forms.ts"
import { countResponses, type ResponseCounts } from "../../forms/responses/count.ts"
import { whyClosed } from "../../forms/submission/opening.ts"
import { listPage } from "../../http/list.ts"
import { Empty, LinkButton, More, Tag } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Head } from "../kit/head.tsx"
import { type PageContext, usePage, withValues } from "../kit/page-context.ts"
import { action, performs, projectInAddress } from "../kit/page-handlers.ts"
import { htmlReply } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { MessagesHead } from "../responses/messages-head.tsx"
import { builderHead, FormBuilder } from "./builder/form-builder.tsx"
import { bodyIn, builderValues, draftForm, type Rearranged, rearrange } from "./builder/form-description.ts"
import { Preview } from "./builder/preview.tsx"
import { isTemplateName, type TemplateName, templateForm } from "./builder/templates.ts"
import { words as builderWords } from "./builder/words.fr.ts"
import { formPath } from "./one-form.tsx"
import { words } from "./words.fr.ts"

export function formsPages(deps: ConsoleDeps) {
  const { db, mailer } = deps

  async function list(context: PageContext): Promise<Response> {
    const project = await projectInAddress(db, context)
    const { items, next_cursor } = await listPage({ cursor: context.query["cursor"] }, ({ after, atMost }) =>
      listFormsPage(db, context.workspaceId, { after, atMost: atMost - 1, projectId: project.id }),
    )
    const counts = await countResponses(db, idsOf(items))
    const flash = { removed: words.removed }
    const address = `/console/projects/${project.id}/forms`
    return page(
      context,
      { title: words.forms, current: "messages", project, flash },
      <>
        <MessagesHead
          project={project}
          current="forms"
          actions={
            context.may("editor") && (
              <>
                <LinkButton href="/console/persons" label={words.person} />
                <LinkButton href={`${address}/new`} label={words.newForm} isMain />
              </>
            )
          }
        />
        {items.length === 0 && <Empty>{words.none}</Empty>}
        <ul class="things">
          {items.map((form) => (
            <Item key={form.id} form={form} counts={counts.get(form.id)} />
          ))}
        </ul>
        <More address={address} cursor={next_cursor} />
      </>,
    )
  }

  async function builder(
    context: PageContext,
    { template, rearranged }: { template?: TemplateName; rearranged?: Rearranged } = {},
  ): Promise<Response> {
    const project = await projectInAddress(db, context)
    const address = `/console/projects/${project.id}/forms`
    return page(
      context,
      { title: words.newForm, current: "messages", project, head: builderHead() },
      <>
        <Head title={words.newForm} back={{ href: address, name: words.forms }} />
        {/* The builder starts with one template; the others are offered beside it. */}
        {template && <Templates address={`${address}/new`} current={template} />}
        <FormBuilder
          deps={deps}
          project={project}
          action={`${address}/new`}
          isSaved={template !== undefined}
          rearranged={rearranged}
        />
      </>,
    )
  }

  return {
    page: list,
    newPage: async (context: PageContext) => {
      const wanted = context.query["template"]
      const template = isTemplateName(wanted) ? wanted : "contact"
      // Whoever makes a form is told about its messages, unless they take their address out.
      const notify = mailer.configured ? [{ to: context.session.operator.email, confirmedAt: null }] : []
      const described = { ...templateForm(template, mailer.configured), notify }
      const values = builderValues(described, context.timezone)
      return builder(withValues(context, values), { template })
    },
    preview: action(async (context) => {
      const draft = draftForm(context.values, await projectInAddress(db, context), context.timezone)
      const html = deps.formPreview(draft, context.timezone)
      return htmlReply(render(<Preview form={draft} html={html} />))
    }),
    addForm: performs(addForm, {
      show: (context) => builder(context),
      async instead(context) {
        const rearranged = rearrange(context.values)
        return rearranged && builder(withValues(context, rearranged.values), { rearranged })
      },
      input: (values, { params, timezone }) => ({ ...bodyIn(values, timezone), project: params["project"] }),
      leadsTo: (form) => `${formPath(form)}/html?done=${form.hosted ? "createdWithPage" : "created"}`,
    }),
  }
}

function Templates({ address, current }: { address: string; current: TemplateName }) {
  return (
    <nav aria-label={builderWords.templatesTitle}>
      <h2>{builderWords.templatesTitle}</h2>
      <ul class="templates">
        {Object.entries(builderWords.templates).map(([name, { name: title, about }]) => (
          <li key={name}>
            <a href={`${address}?template=${name}`} aria-current={name === current ? "true" : undefined}>
              <strong>{title}</strong>
              <span class="hint">{about}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const none: ResponseCounts = { received: 0, held: 0, unwanted: 0 }

function Item({ form, counts = none }: { form: Form; counts: ResponseCounts | undefined }) {
  const closed = whyClosed(form, counts.received + counts.held, usePage())
  return (
    <li>
      <div class="line">
        <h2>
          <a href={formPath(form)}>{form.name}</a>
        </h2>
        {closed && <Tag mood="plain">{words.closed[closed.code as keyof typeof words.closed]}</Tag>}
        {counts.held > 0 && <Tag mood="warn">{words.counts.held(counts.held)}</Tag>}
        {counts.unwanted > 0 && <Tag mood="plain">{words.counts.unwanted(counts.unwanted)}</Tag>}
        <span class="count">{words.counts.received(counts.received)}</span>
      </div>
      <p class="hint">
        {form.fields
          .filter(hasValue)
          .map(({ label }) => label)
          .join(", ")}
      </p>
    </li>
  )
}

import { hasValue } from "../../forms/definition/field-types.ts"
import type { Form as FormOf } from "../../forms/definition/form.ts"
import { changeForm } from "../../forms/operations/forms.ts"
import { declaredPage, formAddress } from "../../forms/submission/page.ts"
import { fileName } from "../../http/file-name.ts"
import { securityHeaders } from "../../http/security.ts"
import { type Endpoint, listEndpoints } from "../../webhooks/endpoints/endpoint.ts"
import { endpointName } from "../../wording/endpoint-name.fr.ts"
import { fieldFaces } from "../../wording/field-faces.fr.ts"
import { words as formsMessages } from "../../wording/forms.fr.ts"
import { takes } from "../home/project-parts.ts"
import { LinkButton, QuietButton, Section, Table, Tag } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Field, Form, Snippet } from "../kit/forms/fields.tsx"
import { type PageContext, usePage } from "../kit/page-context.ts"
import { performs, projectInAddress } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { FirstEndpoint } from "../webhooks/first-endpoint.tsx"
import { endpointPage } from "../webhooks/heads.tsx"
import { words as webhooksWords } from "../webhooks/words.fr.ts"
import { words } from "./builder/words.fr.ts"
import { FormHead, formInAddress, formPath } from "./one-form.tsx"
import { frameCode, qrCode } from "./share.ts"
import { words as formWords } from "./words.fr.ts"

/** How a form gets to its visitors: its own page with link, frame and QR code, and its HTML to copy. */
export function embedPages(deps: ConsoleDeps) {
  const { db, config } = deps

  async function embed(context: PageContext): Promise<Response> {
    const project = await projectInAddress(db, context)
    const form = await formInAddress(deps, context)
    const endpoints = await listEndpoints(db, context.workspaceId)
    const pageAddress = context.query["page"]?.trim() ?? ""
    const from = pageAddress === "" ? undefined : declaredPage(pageAddress, project.origins)
    const problem = pageAddress !== "" && !from ? formsMessages.pageAddress : undefined
    const { created, createdWithPage } = formWords
    const flash = { created, createdWithPage, started: words.pageStarted, stopped: words.pageStopped }
    return page(
      context,
      { title: form.name, current: "messages", project, flash },
      <>
        <FormHead form={form} current="embed" />
        <HostedPage form={form} publicUrl={config.publicUrl} />
        <Section title={words.code}>
          <p>{words.codeHint}</p>
          <form method="get" action={`${formPath(form)}/html`} class="row">
            <Field
              name="page"
              value={pageAddress}
              problem={problem}
              type="url"
              {...words.pageOfForm}
              optional
            />
            <QuietButton label={words.show} />
          </form>
          <Snippet label={words.codeLabel} text={deps.formHtml(form, from)} />
          <p class="hint">{words.codeForSite({ site: new URL(from ?? form.site.url).origin })}</p>
        </Section>
        <Recipients form={form} endpoints={endpoints} />
        <Section title={words.variables}>
          <Table label={words.variables} head={[words.variable, words.label, words.type]}>
            {form.fields.filter(hasValue).map(({ name, label, type }) => (
              <tr key={name}>
                <td class="lead">
                  <code>{name}</code>
                </td>
                <td>{label}</td>
                <td class="top">{fieldFaces[type].name}</td>
              </tr>
            ))}
          </Table>
        </Section>
      </>,
    )
  }

  return {
    page: embed,
    qrCode: async (context: PageContext) => {
      const form = await formInAddress(deps, context)
      const at = { timezone: config.timezone, nowMs: context.nowMs }
      return new Response(qrCode(formAddress(config.publicUrl, form)), {
        headers: {
          ...securityHeaders,
          "content-type": "image/svg+xml",
          "content-disposition": `attachment; filename="${fileName(["formulaire", form.name], "svg", at)}"`,
          "cache-control": "no-store",
        },
      })
    },
    changeForm: performs(changeForm, {
      input: (values) => ({ hosted: values.get("hosted") === "on" }),
      leadsTo: (form) => `${formPath(form)}/html?done=${form.hosted ? "started" : "stopped"}`,
    }),
  }
}

/** Where the form's messages go. Without an endpoint of the workspace, how to get one. */
function Recipients({ form, endpoints }: { form: FormOf; endpoints: readonly Endpoint[] }) {
  const { may } = usePage()
  const own = endpoints.filter((endpoint) => takes(endpoint, form))
  return (
    <Section id="recipients" title={words.recipients}>
      <p>
        {words.recipientsHint} <a href={formPath(form)}>{words.toReceived}</a>
      </p>
      {own.length > 0 ? (
        <>
          <p>{words.sentTo}</p>
          <ul>
            {own.map((endpoint) => (
              <li key={endpoint.id}>
                <a href={endpointPage(endpoint)}>{endpointName(endpoint)}</a>{" "}
                {!endpoint.active && <Tag mood="plain">{webhooksWords.inactive}</Tag>}
              </li>
            ))}
          </ul>
        </>
      ) : (
        may("editor") && (
          <>
            <p>{words.sentNowhere}</p>
            <FirstEndpoint endpoints={endpoints} project={form.projectId} />
          </>
        )
      )}
    </Section>
  )
}

function HostedPage({ form, publicUrl }: { form: FormOf; publicUrl: string }) {
  const isEditor = usePage().may("editor")
  const action = `${formPath(form)}/page`
  const link = formAddress(publicUrl, form)
  const qr = `${formPath(form)}/qr.svg`
  return (
    <Section title={words.page}>
      {form.hosted ? (
        <>
          <div class="hosted">
            <div>
              <Snippet label={words.link} text={link} />
              <Snippet label={words.frame} text={frameCode(form, publicUrl)} />
              <p class="hint">{words.frameHint}</p>
            </div>
            <figure class="qr">
              <img src={qr} alt={words.qrAlt({ name: form.name })} width="176" height="176" />
              <figcaption>
                <LinkButton href={qr} label={words.qrDownload} download={`formulaire-${form.publicId}.svg`} />
              </figcaption>
            </figure>
          </div>
          <div class="actions">
            <LinkButton href={link} label={words.openPage} target="_blank" rel="noopener" isMain />
            {isEditor && (
              <Form action={action} confirm={words.pageStopConfirm} send={words.pageStop} look="quiet" />
            )}
          </div>
        </>
      ) : (
        <>
          <p>{words.pageOff}</p>
          {isEditor && (
            <Form action={action} send={words.pageOn}>
              <input type="hidden" name="hosted" value="on" />
            </Form>
          )}
        </>
      )}
    </Section>
  )
}

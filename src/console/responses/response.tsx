import { listMembers } from "../../accounts/operator.ts"
import { Refusal, required } from "../../base/errors.ts"
import type { Form as FormOf } from "../../forms/definition/form.ts"
import {
  acceptResponse,
  addNote,
  changeResponse,
  eraseResponse,
  openFile,
  removeNote,
} from "../../forms/operations/responses.ts"
import { type FollowedResponse, withNotes } from "../../forms/responses/follow-up.ts"
import { type FormResponse, findResponse } from "../../forms/responses/form-response.ts"
import { findNeighbours, type Neighbour, type Neighbours } from "../../forms/responses/list-responses.ts"
import { markRead, markUnread } from "../../forms/responses/unread.ts"
import { withoutConfirmationMail } from "../../forms/submission/consent.ts"
import { questionTexts } from "../../owners/gaps/asked-questions.ts"
import { fileReply } from "../../storage/file-reply.ts"
import { deliveriesOfResponses, type ResponseDelivery } from "../../webhooks/messages/of-responses.ts"
import { endpointName } from "../../wording/endpoint-name.fr.ts"
import { formInAddress, formPath } from "../forms/one-form.tsx"
import { addressWith, Facts, LinkButton, pickParams, Section, Table, Tag } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { formatTime, Time } from "../kit/dates.tsx"
import { Form } from "../kit/forms/fields.tsx"
import { Head } from "../kit/head.tsx"
import { type PageContext, usePage } from "../kit/page-context.ts"
import { action, downloads, performs, projectInAddress } from "../kit/page-handlers.ts"
import { seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { words as commonWords } from "../kit/words.fr.ts"
import { StateTag } from "../webhooks/outcome.tsx"
import { FollowUp } from "./follow-up.tsx"
import { filterIn, listParams, responseAddress } from "./response-list.tsx"
import { ConsentTag, Origin, Values } from "./response-parts.tsx"
import { responseSummary } from "./summary.ts"
import { words } from "./words.fr.ts"

/** One form response: its values, its consent, its deliveries, and what it came from. Opening it marks it as read. */
export function responsePages(deps: ConsoleDeps) {
  const show = (context: PageContext) => showPage(deps, context)

  return {
    page: show,
    openFile: downloads(openFile, fileReply),
    acceptResponse: performs(acceptResponse, {
      leadsTo: ({ form, response }, context) => responseAddress(context, form, response.id, "accepted"),
    }),
    changeResponse: performs(changeResponse, {
      show,
      input: (values) => ({
        ...(values.has("progress") && { progress: values.get("progress") }),
        ...(values.has("assignee") && { assignee: values.get("assignee") || null }),
      }),
      leadsTo: ({ form, response }, context) => responseAddress(context, form, response.id, "followed"),
    }),
    addNote: performs(addNote, {
      show,
      input: (values) => ({ text: (values.get("text") ?? "").replace(/\r\n/g, "\n") }),
      leadsTo: ({ form, response }, context) => responseAddress(context, form, response.id, "noted"),
    }),
    removeNote: performs(removeNote, {
      leadsTo: ({ form, response }, context) => responseAddress(context, form, response.id, "unnoted"),
    }),
    markUnread: action(async (context) => {
      const { form, response } = await responseInAddress(deps, context)
      await markUnread(deps.db, response.id)
      return seeOther(listAddress(context, form, "unread"))
    }),
    eraseResponse: performs(eraseResponse, {
      leadsTo: ({ form }, context) => listAddress(context, form, "erased"),
    }),
  }
}

async function responseInAddress(deps: ConsoleDeps, context: PageContext) {
  const form = await formInAddress(deps, context)
  const response = await findResponse(deps.db, form.id, context.params["response"] ?? "")
  return { form, response: required(response, commonWords.unknownPage) }
}

async function showPage(deps: ConsoleDeps, context: PageContext): Promise<Response> {
  const { db, clock, config } = deps
  const project = await projectInAddress(db, context)
  const { form, response } = await responseInAddress(deps, context)
  const { answerId } = response
  if (response.readAt === null) await markRead(db, response.id, context.nowMs)
  const [questions, unasked, deliveries, members, neighbours, [followed]] = await Promise.all([
    questionTexts(db, project.id, answerId === null ? [] : [answerId]),
    withoutConfirmationMail(db, [response], clock.now()),
    deliveriesOfResponses(db, [response.id]),
    listMembers(db, context.workspaceId),
    neighboursIn(deps, context, form, response.id),
    withNotes(db, [response]),
  ])
  const { name, email } = responseSummary(form, response)
  const title = name || email || formatTime(response.createdAt, config.timezone)
  const { accepted, followed: saved, noted, unnoted } = words
  return page(
    context,
    { title, current: "messages", project, flash: { accepted, followed: saved, noted, unnoted } },
    <>
      <Head
        title={title}
        back={{ href: listAddress(context, form), name: words.back }}
        beside={
          <>
            <Tag mood={response.state === "received" ? "plain" : "warn"}>
              {words.stateOfOne[response.state]}
            </Tag>
            {form.consent && <ConsentTag consent={response.consent} />}
          </>
        }
        actions={
          <>
            {context.may("editor") && <Actions form={form} response={response} />}
            {email && (
              <LinkButton href={`mailto:${encodeURIComponent(email)}`} label={words.answerByMail} isMain />
            )}
          </>
        }
      >
        <Time at={response.createdAt} withYear />
      </Head>
      <Beside neighbours={neighbours} projectId={project.id} />
      {unasked.has(response.id) && <p class="notice">{words.consentUnasked}</p>}
      {response.stoppedBy && response.state !== "received" && (
        <p class="notice">{words.stoppedBy[response.stoppedBy]}</p>
      )}
      <section aria-label={words.content}>
        <Values
          form={form}
          values={response.values}
          files={{ list: followed?.files ?? [], at: `${formPath(form)}/responses/${response.id}/files` }}
        />
      </section>
      <FollowUp form={form} response={followed as FollowedResponse} members={members} />
      <Deliveries deliveries={deliveries.get(response.id) ?? []} isReceived={response.state === "received"} />
      <Provenance
        form={form}
        response={response}
        question={answerId === null ? undefined : questions.get(answerId)}
      />
    </>,
  )
}

/** In the list that the operator came from; none where its filter cannot be read. */
async function neighboursIn(
  { db, config }: Pick<ConsoleDeps, "db" | "config">,
  { query }: PageContext,
  form: FormOf,
  id: string,
): Promise<Neighbours> {
  const formId = query["list"] === "project" ? query["form"] : form.id
  try {
    const filter = filterIn(query, config.timezone)
    return await findNeighbours(db, { projectId: form.projectId, formId: formId || undefined }, filter, id)
  } catch (error) {
    if (error instanceof Refusal) return { newer: undefined, older: undefined }
    throw error
  }
}

function Beside({ neighbours, projectId }: { neighbours: Neighbours; projectId: string }) {
  const context = usePage()
  const { newer, older } = neighbours
  if (!newer && !older) return null
  const link = (to: Neighbour | undefined, rel: "prev" | "next", name: string) =>
    to && (
      <a href={responseAddress(context, { id: to.formId, projectId }, to.id)} rel={rel}>
        {name}
      </a>
    )
  return (
    <nav class="neighbours" aria-label={words.beside}>
      {link(newer, "prev", words.newer)}
      {link(older, "next", words.older)}
    </nav>
  )
}

function listAddress({ query }: PageContext, form: FormOf, done?: string): string {
  const path = query["list"] === "project" ? `/console/projects/${form.projectId}/messages` : formPath(form)
  return addressWith(path, { ...pickParams(query, listParams), done })
}

function Actions({ form, response }: { form: FormOf; response: FormResponse }) {
  const context = usePage()
  const to = (action: string) => responseAddress(context, form, `${response.id}/${action}`)
  return (
    <>
      {response.state === "received" ? (
        <Form action={to("unread")} send={words.markUnread} look="quiet" />
      ) : (
        <Form action={to("acceptance")} send={words.accept} />
      )}
      <Form action={to("erasure")} confirm={words.eraseConfirm} send={words.erase} look="quiet grave" />
    </>
  )
}

function Deliveries(props: { deliveries: readonly ResponseDelivery[]; isReceived: boolean }) {
  const { deliveries, isReceived } = props
  return (
    <Section id="deliveries" title={words.deliveries}>
      {deliveries.length === 0 ? (
        <p class="hint">{isReceived ? words.notSent : words.notSentYet}</p>
      ) : (
        <Table
          label={words.deliveriesOfOne}
          head={[words.destination, words.deliveryState, words.attempts, words.endedAt, words.detail]}
        >
          {deliveries.map(({ id, state, attemptsMade, endedAt, endpoint }) => (
            <tr key={id}>
              <td class="lead">
                {endpoint ? (
                  <a href={`/console/webhooks/${endpoint.id}`}>{endpointName(endpoint)}</a>
                ) : (
                  words.removedEndpoint
                )}
              </td>
              <td class="top">
                <StateTag state={state} />
              </td>
              <td class="named">{attemptsMade.toLocaleString("fr")}</td>
              <td class="when">{endedAt === null ? words.noDelivery : <Time at={endedAt} />}</td>
              <td>
                <a
                  href={`/console/deliveries/${id}`}
                  aria-label={words.seeDeliveryTo(endpoint ? endpointName(endpoint) : words.removedEndpoint)}
                >
                  {words.seeDelivery}
                </a>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  )
}

interface ProvenanceProps {
  form: FormOf
  response: FormResponse
  question: string | undefined
}

function Provenance({ form, response, question }: ProvenanceProps) {
  const { consent, page: from } = response
  return (
    <Section id="facts" title={words.facts}>
      {response.answerId !== null && (
        <Origin
          question={question}
          href={`/console/projects/${form.projectId}/questions/${response.answerId}`}
        />
      )}
      <Facts
        of={[
          [words.form, <a href={formPath(form)}>{form.name}</a>],
          [
            words.page,
            <a href={from} rel="noreferrer">
              {from}
            </a>,
          ],
          [words.identifier, <code>{response.id}</code>],
        ]}
      />
      {consent && (
        <>
          <h3>{words.consentTitle}</h3>
          <Facts
            of={[
              [words.consentWording, <span class="lines">{consent.text}</span>],
              [words.consentAt, <Time at={consent.at} withYear />],
              consent.confirmedAt !== null && [
                words.consentConfirmedAt,
                <Time at={consent.confirmedAt} withYear />,
              ],
            ]}
          />
        </>
      )}
    </Section>
  )
}

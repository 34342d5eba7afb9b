/** @jsxImportSource preact */

import { listTokens, type Token } from "../../accounts/token.ts"
import { addToken, removeToken } from "../../accounts/tokens/operations.ts"
import { listPage } from "../../http/list.ts"
import { accessesOf, areas, everyScope, type Scope } from "../../operations/scope.ts"
import { CodeTabs } from "../kit/code-tabs.tsx"
import { More, Table } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { formatTime } from "../kit/dates.tsx"
import { Field, Form, Problem, Snippet } from "../kit/forms/fields.tsx"
import { type PageContext, usePage } from "../kit/page-context.ts"
import type { Pages } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { shownOnce } from "../kit/shown-once.tsx"
import { messages } from "../messages/settings.fr.ts"
import { callCode, firstCall, listenCommand } from "./first-call.ts"
import { SettingsHead } from "./settings-head.tsx"

/** The API tokens of the workspace: list, creation and revocation. */
export function tokensPages(pages: Pages, { db, config }: ConsoleDeps) {
  async function showPage(context: PageContext): Promise<Response> {
    const { items: tokens, next_cursor: cursor } = await listPage(
      { cursor: context.query["cursor"] },
      (part) => listTokens(db, context.workspaceId, part),
    )
    const flash = { revoked: messages.revoked }
    return page(
      context,
      { title: messages.tokens, current: "settings", flash },
      <>
        <SettingsHead current="tokens" />
        <p class="intro">{messages.tokensIntro}</p>
        {tokens.length === 0 ? (
          <section class="empty">
            <p>{messages.noToken}</p>
          </section>
        ) : (
          <List tokens={tokens} date={(at) => formatTime(at, config.timezone, context.nowMs)} />
        )}
        <More address="/console/settings/tokens" cursor={cursor} />
        {context.may("owner") ? (
          <Form action="/console/settings/tokens" singleSubmit>
            <h2>{messages.createToken}</h2>
            <Problem />
            <Field name="name" label={messages.tokenName} hint={messages.tokenNameHint} />
            <fieldset>
              <legend>{messages.scopes}</legend>
              {context.submitted.problems["scopes"] && (
                <p class="wrong">{context.submitted.problems["scopes"]}</p>
              )}
              <div class="pair">
                {areas.map((area) => (
                  <Field
                    key={area}
                    name={area}
                    label={messages.areas[area]}
                    value="none"
                    choices={(["none", ...accessesOf(area)] as const).map((access) => [
                      access,
                      messages.access[access],
                    ])}
                  />
                ))}
              </div>
            </fieldset>
            <button type="submit">{messages.createToken}</button>
          </Form>
        ) : (
          <p class="hint">{messages.ownersOnly}</p>
        )}
      </>,
    )
  }

  pages
    .at("/console/settings/tokens")
    .page("", showPage)
    .performs("", addToken, {
      show: showPage,
      input: (values) => ({ name: values.get("name") ?? "", scopes: scopesIn(values) }),
      async leadsTo({ token: { scopes }, text }, context) {
        const call = `${config.publicUrl}${await firstCall(db, context.workspaceId, scopes)}`
        return showNewToken(context, text, call, listenCommand(text, config.publicUrl, scopes))
      },
    })
    .performs("/:token/removal", removeToken, {
      show: showPage,
      leadsTo: () => "/console/settings/tokens?done=revoked",
    })
}

/** All that there is of every area is granted as the single scope `all`. */
function scopesIn(values: URLSearchParams): string[] {
  const scopes = areas.flatMap((area): Scope[] => {
    const access = accessesOf(area).find((each) => each === values.get(area))
    return access ? [`${area}:${access}`] : []
  })
  const isEverything = areas.every((area) => scopes.includes(`${area}:${accessesOf(area).at(-1) ?? "read"}`))
  return isEverything ? [everyScope] : scopes
}

/** `call`: the address of a list that the token may read. `listen`: the command for messages, if it may read these. */
function showNewToken(
  context: PageContext,
  text: string,
  call: string,
  listen: string | undefined,
): Response {
  return shownOnce(context, {
    heading: messages.createToken,
    current: "settings",
    flash: messages.tokenCreated,
    notice: messages.tokenOnce,
    label: messages.token,
    text,
    more: (
      <section>
        {listen !== undefined && (
          <>
            <h2>{messages.listen}</h2>
            <p class="hint">{messages.listenHint}</p>
            <Snippet label={messages.listenCommand} text={listen} />
          </>
        )}
        <h2>{messages.firstCall}</h2>
        <p class="hint">
          {messages.firstCallHint} <a href="/api/v1/docs">{messages.apiLink}</a>
        </p>
        <CodeTabs label={messages.firstCall} codes={callCode(text, call)} />
      </section>
    ),
    next: "/console/settings/tokens",
  })
}

function List({ tokens, date }: { tokens: Token[]; date: (at: number) => string }) {
  const context = usePage()
  const { tokenName, scopes, since, lastUsed, actions } = messages
  const owns = context.may("owner")
  return (
    <>
      <Table label={messages.tokens} head={[tokenName, scopes, since, lastUsed, actions]}>
        {tokens.map((token) => (
          <tr key={token.id}>
            <td class="lead">{token.name || messages.unnamed}</td>
            <td class="scopes">{scopesOf(token)}</td>
            <td class="when wide">{date(token.createdAt)}</td>
            <td class={token.lastUsedAt === null ? "when" : "when named"}>
              {token.lastUsedAt === null ? messages.neverUsed : date(token.lastUsedAt)}
            </td>
            <td class="top">
              {owns && (
                <button
                  type="submit"
                  form="revoke"
                  formaction={`/console/settings/tokens/${token.id}/removal`}
                  class="quiet slim"
                  aria-label={messages.revokeOf(token.name || token.id)}
                >
                  {messages.revoke}
                </button>
              )}
            </td>
          </tr>
        ))}
      </Table>
      {owns && <Form forRows="revoke" action="/console/settings/tokens" confirm={messages.revokeConfirm} />}
    </>
  )
}

function scopesOf({ scopes }: Token): string {
  if (scopes.includes(everyScope)) return messages.all
  return areas
    .flatMap((area) => {
      const access = (["write", "read"] as const).find((each) => scopes.includes(`${area}:${each}`))
      return access ? [`${messages.areas[area]}\u00a0: ${messages.access[access]}`] : []
    })
    .join(" · ")
}

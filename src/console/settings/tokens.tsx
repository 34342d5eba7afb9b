import { isExpired, listTokens, type Token } from "../../accounts/token.ts"
import { addToken, removeToken } from "../../accounts/tokens/operations.ts"
import { dayMs, isoTime } from "../../base/clock.ts"
import { listPage } from "../../http/list.ts"
import { type Area, accessesOf, areas, everyScope, presets, type Scope } from "../../operations/scope.ts"
import { CodeTabs } from "../kit/code-tabs.tsx"
import { Empty, More, QuietButton, Table } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { useDate } from "../kit/dates.tsx"
import { Field, Form, Problem, Snippet } from "../kit/forms/fields.tsx"
import { type PageContext, usePage } from "../kit/page-context.ts"
import { performs } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { shownOnce } from "../kit/shown-once.tsx"
import { callCode, firstCall, listenCommand } from "./first-call.ts"
import { SettingsHead } from "./settings-head.tsx"
import { words } from "./words.fr.ts"

const presetNames = Object.keys(presets) as (keyof typeof presets)[]

/** The API tokens of the workspace: list, creation and revocation. */
export function tokensPages(deps: ConsoleDeps) {
  const { db, config } = deps
  const show = (context: PageContext) => showPage(deps, context)

  return {
    page: show,
    addToken: performs(addToken, {
      show,
      input: (values, { nowMs }) => ({ scopes: scopesIn(values), expires_at: expiryIn(values, nowMs) }),
      async leadsTo({ token: { scopes }, text }, context) {
        const listen = listenCommand(text, config.publicUrl, scopes)
        const call = `${config.publicUrl}${await firstCall(db, context.workspaceId, scopes)}`
        return shownOnce(context, {
          heading: words.createToken,
          current: "settings",
          flash: words.tokenCreated,
          notice: words.tokenOnce,
          label: words.token,
          text,
          more: (
            <section>
              {listen !== undefined && (
                <>
                  <h2>{words.listen}</h2>
                  <p class="hint">{words.listenHint}</p>
                  <Snippet label={words.listenCommand} text={listen} />
                </>
              )}
              <h2>{words.firstCall}</h2>
              <p class="hint">
                {words.firstCallHint} <a href="/api/v1/docs">{words.apiLink}</a>
              </p>
              <CodeTabs label={words.firstCall} codes={callCode(text, call)} />
            </section>
          ),
          next: "/console/settings/tokens",
        })
      },
    }),
    removeToken: performs(removeToken, {
      show,
      leadsTo: () => "/console/settings/tokens?done=revoked",
    }),
  }
}

async function showPage({ db }: ConsoleDeps, context: PageContext): Promise<Response> {
  const { items: tokens, next_cursor: cursor } = await listPage({ cursor: context.query["cursor"] }, (part) =>
    listTokens(db, context.workspaceId, part),
  )
  return page(
    context,
    { title: words.tabs.tokens, current: "settings", flash: { revoked: words.revoked } },
    <>
      <SettingsHead current="tokens" />
      <p class="intro">{words.tokensIntro}</p>
      {tokens.length === 0 ? <Empty>{words.noToken}</Empty> : <List tokens={tokens} />}
      <More address="/console/settings/tokens" cursor={cursor} />
      {context.may("owner") ? (
        <NewToken submitted={context.submitted} />
      ) : (
        <p class="hint">{words.ownersOnly}</p>
      )}
    </>,
  )
}

function NewToken({ submitted }: Pick<PageContext, "submitted">) {
  return (
    <Form action="/console/settings/tokens" singleSubmit send={words.createToken}>
      <h2>{words.createToken}</h2>
      <Problem />
      <Field name="name" label={words.tokenName} hint={words.tokenNameHint} />
      <Field
        name="expires"
        label={words.expires}
        value="90"
        choices={expiryDays.map((days) => [String(days), words.expiresIn(days)])}
      />
      <Field
        name="preset"
        label={words.scopes}
        value="reading"
        problem={submitted.problems["scopes"]}
        choices={presetNames.map((preset) => [preset, words.presets[preset]])}
      />
      <details class="options" open={areas.some((area) => isChosen(submitted.values, area))}>
        <summary>{words.ownScopes}</summary>
        <p class="hint">{words.ownScopesHint}</p>
        <div class="pair">
          {areas.map((area) => (
            <Field
              key={area}
              name={area}
              label={words.areas[area]}
              value="none"
              choices={(["none", ...accessesOf(area)] as const).map((access) => [
                access,
                words.access[access],
              ])}
            />
          ))}
        </div>
      </details>
    </Form>
  )
}

/** Days that a token may last; 0: it never expires. */
const expiryDays = [30, 90, 365, 0] as const

function expiryIn(values: URLSearchParams, nowMs: number): string | null {
  const days = expiryDays.find((each) => String(each) === values.get("expires")) ?? 0
  return days === 0 ? null : isoTime(nowMs + days * dayMs)
}

/** Those chosen one by one, all that there is of every area as the single scope `all`; else those of the preset. */
function scopesIn(values: URLSearchParams): readonly string[] {
  const preset = presetNames.find((each) => each === values.get("preset"))
  if (preset && !areas.some((area) => isChosen(values, area))) return presets[preset]
  const scopes = areas.flatMap((area): Scope[] => {
    const access = accessesOf(area).find((each) => each === values.get(area))
    return access ? [`${area}:${access}`] : []
  })
  const isEverything = areas.every((area) => scopes.includes(`${area}:${accessesOf(area).at(-1) ?? "read"}`))
  return isEverything ? [everyScope] : scopes
}

function isChosen(values: URLSearchParams, area: Area): boolean {
  return !["none", null].includes(values.get(area))
}

function List({ tokens }: { tokens: Token[] }) {
  const date = useDate()
  const { tokenName, scopes, since, lastUsed, tokenExpires, actions } = words
  const { may, nowMs } = usePage()
  const owns = may("owner")
  return (
    <>
      <Table label={words.tabs.tokens} head={[tokenName, scopes, since, lastUsed, tokenExpires, actions]}>
        {tokens.map((token) => (
          <tr key={token.id}>
            <td class="lead">{token.name || words.unnamed}</td>
            <td class="scopes">{scopesText(token)}</td>
            <td class="when wide">{date(token.createdAt)}</td>
            <td class={token.lastUsedAt === null ? "when" : "when named"}>
              {token.lastUsedAt === null ? words.neverUsed : date(token.lastUsedAt)}
            </td>
            <td class="when wide">
              {token.expiresAt === null
                ? words.neverExpires
                : isExpired(token, nowMs)
                  ? words.hasExpired(date(token.expiresAt))
                  : date(token.expiresAt)}
            </td>
            <td class="top">
              {owns && (
                <QuietButton
                  form="revoke"
                  formaction={`/console/settings/tokens/${token.id}/removal`}
                  label={words.revoke}
                  spoken={words.revokeOf(token.name || token.id)}
                />
              )}
            </td>
          </tr>
        ))}
      </Table>
      {owns && <Form forRows="revoke" action="/console/settings/tokens" confirm={words.revokeConfirm} />}
    </>
  )
}

function scopesText({ scopes }: Token): string {
  if (scopes.includes(everyScope)) return words.all
  return areas
    .flatMap((area) => {
      const access = (["write", "read"] as const).find((each) => scopes.includes(`${area}:${each}`))
      return access ? [`${words.areas[area]}\u00a0: ${words.access[access]}`] : []
    })
    .join(" · ")
}

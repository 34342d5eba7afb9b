import { csrfField } from "../../../src/console/kit/session/csrf.ts"

/** A browser without a screen that goes from one server to another, with cookies of each. */
export interface Browser {
  /** Follows redirects, also those of `Refresh`, up to a page, or up to one that `stops` says. */
  go(address: string, stops?: (address: URL) => boolean): Promise<Page>
  /** Sends the form of the last page. */
  send(values: Record<string, string>, action?: string): Promise<Page>
  cookies: Map<string, Map<string, string>>
}

export interface Page {
  url: URL
  status: number
  headers: Headers
  text: string
}

export function openBrowser(): Browser {
  const cookies = new Map<string, Map<string, string>>()
  let last: Page | undefined

  async function request(url: URL, init: RequestInit): Promise<Page> {
    const held = cookies.get(url.host) ?? new Map<string, string>()
    cookies.set(url.host, held)
    const cookie = [...held].map(([name, value]) => `${name}=${value}`).join("; ")
    const response = await fetch(url, {
      redirect: "manual",
      ...init,
      headers: { cookie, ...(init.headers as Record<string, string>) },
    })
    for (const set of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (set.split(";")[0] as string).split(/=(.*)/)
      if (value === "" || /max-age=0|expires=thu, 01 jan 1970/i.test(set)) held.delete(name)
      else held.set(name, value)
    }
    return { url, status: response.status, headers: response.headers, text: await response.text() }
  }

  async function follow(first: Page, stops: (address: URL) => boolean): Promise<Page> {
    let page = first
    for (let hops = 0; hops < 20; hops++) {
      const to = page.headers.get("location") ?? /url=(.*)$/.exec(page.headers.get("refresh") ?? "")?.[1]
      if (!to) break
      const url = new URL(to, page.url)
      if (stops(url)) return { ...page, url }
      page = await request(url, {})
    }
    last = page
    return page
  }

  return {
    cookies,
    go: async (address, stops = () => false) => follow(await request(new URL(address, last?.url), {}), stops),
    async send(values, action) {
      if (!last) throw new Error("no page was opened")
      const token = new RegExp(`name="${csrfField}" value="([^"]+)"`).exec(last.text)?.[1]
      const body = new URLSearchParams({
        ...(token && { [csrfField]: token }),
        ...hiddenIn(last.text),
        ...values,
      })
      const url = new URL(action ?? /<form[^>]* action="([^"]+)"/.exec(last.text)?.[1] ?? "", last.url)
      const sent = await request(url, { method: "POST", body, headers: { origin: last.url.origin } })
      return follow(sent, () => false)
    },
  }
}

function hiddenIn(text: string): Record<string, string> {
  const fields = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  return Object.fromEntries(fields.map(([, name = "", value = ""]) => [name, value]))
}

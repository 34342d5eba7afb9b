// Browser script of the pages that use passkeys. A form with `data-passkey` asks a device before it is sent, and brings
// its answer in the field `credential`. The server verifies it; without this script the form is hidden.

/** WebAuthn's structures hold bytes, their JSON forms base64url. */
type Json = Record<string, unknown>

const forms = window.PublicKeyCredential
  ? document.querySelectorAll<HTMLFormElement>("form[data-passkey]")
  : []
for (const form of forms) {
  document.querySelector("[data-without-passkeys]")?.remove()
  form.hidden = false
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    const problem = form.querySelector<HTMLElement>("[data-passkey-problem]")
    try {
      const answer = await ask(form)
      form.querySelector<HTMLInputElement>("[name=credential]")?.setAttribute("value", JSON.stringify(answer))
      // Without another `submit` event.
      form.submit()
    } catch {
      // Cancelled, too late, or no passkey: the browser does not tell which.
      if (problem) problem.hidden = false
    }
  })
}

async function ask(form: HTMLFormElement): Promise<Json> {
  const options = JSON.parse(form.dataset["options"] ?? "{}")
  const publicKey = {
    ...options,
    challenge: fromBase64url(options.challenge),
    ...(options.user && { user: { ...options.user, id: fromBase64url(options.user.id) } }),
    allowCredentials: toDescriptors(options.allowCredentials),
    excludeCredentials: toDescriptors(options.excludeCredentials),
  }
  const credential =
    form.dataset["passkey"] === "create"
      ? await navigator.credentials.create({ publicKey })
      : await navigator.credentials.get({ publicKey })
  const { id, rawId, type, response } = credential as PublicKeyCredential
  const names = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]
  const parts = names.map((name) => [name, (response as unknown as Record<string, ArrayBuffer | null>)[name]])
  return {
    id,
    type,
    rawId: toBase64url(rawId),
    response: Object.fromEntries(
      parts.flatMap(([name, bytes]) => (bytes ? [[name, toBase64url(bytes as ArrayBuffer)]] : [])),
    ),
    clientExtensionResults: {},
  }
}

function toDescriptors(list: Json[] = []) {
  return list.map((each) => ({ ...each, id: fromBase64url(String(each["id"])) }))
}

function fromBase64url(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

function toBase64url(bytes: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("")
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}

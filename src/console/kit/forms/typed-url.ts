/**
 * The address that somebody typed as people write one: `www.exemple.fr/aide` becomes
 * `https://www.exemple.fr/aide`. Anything that is not plainly a host name stays as it was typed, for the
 * domain to judge.
 */
export function typedUrl(text: string): string {
  const typed = text.trim()
  return startsWithHost.test(typed) ? `https://${typed}` : typed
}

/** At least two labels and perhaps a port: neither `mailto:…` nor `localhost` nor a user name. */
const startsWithHost = /^[^\s:/?#@\\]+\.[^\s:/?#@\\]+(:\d{1,5})?([/?#]|$)/

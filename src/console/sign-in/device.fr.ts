/** By what a `User-Agent` holds, in the order in which it is looked for: each names several others, too. */
const browsers = [
  ["Edg", "Edge"],
  ["OPR/", "Opera"],
  ["SamsungBrowser", "Samsung Internet"],
  ["Firefox", "Firefox"],
  ["FxiOS", "Firefox"],
  ["Chrome", "Chrome"],
  ["CriOS", "Chrome"],
  ["Safari", "Safari"],
] as const

const systems = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["CrOS", "ChromeOS"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const

/** The browser and the system of a `User-Agent`, in words. It is what the browser says, and proves nothing. */
export function deviceName(userAgent: string | null): string {
  const named = (names: readonly (readonly [string, string])[]) =>
    names.find(([mark]) => userAgent?.includes(mark))?.[1]
  const [browser, system] = [named(browsers), named(systems)]
  if (browser === undefined) return system === undefined ? "Navigateur inconnu" : `Navigateur sur ${system}`
  return system === undefined ? browser : `${browser} sur ${system}`
}

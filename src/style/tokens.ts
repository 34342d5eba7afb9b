/**
 * The palette of everything that people see: console, reference of the API, pages and forms of visitors, demo,
 * widget and mails. Each colour for light surroundings, then for dark ones.
 */
export const tokens = {
  paper: ["#f6f7f9", "#12161c"],
  card: ["#fff", "#1b2430"],
  well: ["#f6f7f9", "#141a22"],
  ink: ["#1b2430", "#e5e9ef"],
  soft: ["#566273", "#a0acbb"],
  line: ["#dfe4ea", "#2e3743"],
  edge: ["#7d8998", "#7b8898"],
  fill: ["#e3e8ef", "#2e3743"],
  accent: ["#1d4f91", "#8ab4f0"],
  "accent-paper": ["#e8eff9", "#1d2c42"],
  "on-accent": ["#fff", "#0f1823"],
  good: ["#17683b", "#74cf9a"],
  "good-paper": ["#e6f4eb", "#15301f"],
  wrong: ["#a11", "#f99"],
  "wrong-paper": ["#fdecec", "#3a191b"],
  warn: ["#7a4b00", "#f0c274"],
  "warn-paper": ["#fdf3df", "#35280f"],
  "bar-main": ["#3b74bd", "#5f96dd"],
  "bar-good": ["#3b8f60", "#4da878"],
  "bar-warn": ["#d69a2d", "#d9a441"],
  "bar-bad": ["#cf4b4f", "#e26d6d"],
  /** The widget's own colour, until its owner chooses one. */
  "widget-accent": ["#0b5c8a", "#5cb6e6"],
} as const satisfies Palette

/** The Système de design de l’État, whose own names stand beside ours; the sheets in `dsfr` use it. */
const stateTokens = {
  "dsfr-accent": ["#000091", "#8585f6"], // blue-france-sun-113-625
  "dsfr-accent-hover": ["#1212ff", "#b1b1f9"],
  "dsfr-on-accent": ["#f5f5fe", "#000091"],
  "dsfr-bar": ["#6a6af4", "#6a6af4"], // blue-france-main-525
  "dsfr-alt-blue": ["#f5f5fe", "#1b1b35"], // blue-france-975-75
  "dsfr-open": ["#e3e3fd", "#272747"], // blue-france-925-125
  "dsfr-paper": ["#fff", "#161616"], // grey-1000-50
  "dsfr-lifted": ["#fff", "#1e1e1e"], // grey-1000-75
  "dsfr-alt": ["#f6f6f6", "#1e1e1e"], // grey-975-75
  "dsfr-field": ["#eee", "#242424"], // grey-950-100
  "dsfr-rule": ["#ddd", "#353535"], // grey-900-175
  "dsfr-plain": ["#3a3a3a", "#cecece"], // grey-200-850
  "dsfr-mention": ["#666", "#929292"], // grey-425-625
  "dsfr-ink": ["#161616", "#fff"], // grey-50-1000
  "dsfr-wrong": ["#ce0500", "#ff5655"], // error-425-625
  "dsfr-good": ["#18753c", "#27a658"], // success-425-625
  "dsfr-info": ["#0063cb", "#518fff"], // info-425-625
  "dsfr-info-paper": ["#e8edff", "#1d2437"], // info-950-100
  "dsfr-focus": ["#0a76f6", "#0a76f6"],
} as const satisfies Palette

type Palette = Record<string, readonly [light: string, dark: string]>
const palette = { ...tokens, ...stateTokens }

/** The palette as custom properties, `--accent` and so on: the beginning of each style sheet of our own pages. */
export const tokenSheet = `:root{color-scheme:light dark;${Object.entries(tokens)
  .map(([name, [light, dark]]) => `--${name}:light-dark(${light},${dark})`)
  .join(";")}}`

/**
 * Writes the palette into a style sheet for pages of others, where our custom properties would meet theirs:
 * `var(--token-ink)` becomes the colour for light and dark surroundings, `var(--token-ink-light)` the light one.
 */
export function withTokens(css: string): string {
  return css.replace(/var\(--token-([a-z-]+?)(-light)?\)/g, (_, name: keyof typeof palette, isLight) => {
    const [light, dark] = palette[name]
    return isLight ? light : `light-dark(${light},${dark})`
  })
}

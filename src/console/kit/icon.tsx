/** @jsxImportSource preact */

/** Strokes of each icon, on a grid of 16 by 16. */
const paths = {
  menu: "M2 4h12M2 8h12M2 12h12",
  unfold: "M4 6l4 4 4-4",
  home: "M2 8l6-5 6 5M4 7v6h8V7",
  overview: "M2 8l6-5 6 5M4 7v6h8V7",
  questions: "M3 3h10v7H8l-3 3v-3H3zM6 6h4",
  indexing: "M4 2h6l3 3v9H4zM6 7h4M6 10h4",
  synonyms: "M3 5h8l-2-2M13 11H5l2 2",
  received: "M2 9l2-6h8l2 6v4H2zM2 9h4l1 2h2l1-2h4",
  forms: "M3 3h10v3H3zM3 9h10v4H3z",
  appearance: "M8 2a6 6 0 1 0 0 12c1 0 1-1 1-2s1-1 2-1h3A6 6 0 0 0 8 2zM5 7h0M8 5h0M11 7h0",
  projectSettings: "M2 5h12M2 11h12M6 3v4M10 9v4",
  projects: "M2 3h5v4H2zM9 3h5v4H9zM2 9h5v4H2zM9 9h5v4H9z",
  webhooks: "M9 2L4 9h4l-1 5 5-7H8z",
  settings: "M2 5h12M2 11h12M6 3v4M10 9v4",
  auditLog: "M3 4h1M6 4h8M3 8h1M6 8h8M3 12h1M6 12h8",
} as const

/** A decoration beside a word that says the same. */
export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}

/** Strokes of each icon, on a grid of 16 by 16. */
const paths = {
  menu: "M2 4h12M2 8h12M2 12h12",
  unfold: "M4 6l4 4 4-4",
  back: "M10 4L6 8l4 4",
  further: "M3.5 8h0M8 8h0M12.5 8h0",
  grip: "M6 3.5h0M10 3.5h0M6 8h0M10 8h0M6 12.5h0M10 12.5h0",
  up: "M8 13V3M3.5 7.5 8 3l4.5 4.5",
  down: "M8 3v10m4.5-4.5L8 13 3.5 8.5",
  duplicate: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  remove: "M2.5 4h11M6 4V2.5h4V4M4 4l.6 9.5h6.8L12 4M6.8 6.8v4.2M9.2 6.8v4.2",
  person: "M8 8.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.5 14a5.5 5.5 0 0 1 11 0",
  home: "M2 8l6-5 6 5M4 7v6h8V7",
  overview: "M2.5 13.5v-5M6.2 13.5v-8M9.8 13.5v-4M13.5 13.5v-11",
  questions: "M3 3h10v7H8l-3 3v-3H3zM6 6h4",
  indexing: "M4 2h6l3 3v9H4zM6 7h4M6 10h4",
  messages: "M2 9l2-6h8l2 6v4H2zM2 9h4l1 2h2l1-2h4",
  projectSettings: "M2 5h12M2 11h12M6 3v4M10 9v4",
  projects: "M2 3h5v4H2zM9 3h5v4H9zM2 9h5v4H2zM9 9h5v4H9z",
  webhooks: "M9 2L4 9h4l-1 5 5-7H8z",
  settings:
    "M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM8 1.8v1.7M8 12.5v1.7M1.8 8h1.7M12.5 8h1.7M3.6 3.6l1.2 1.2M11.2 11.2l1.2 1.2M12.4 3.6l-1.2 1.2M4.8 11.2l-1.2 1.2",
} as const

/** A decoration beside a word that says the same. */
export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg
      class={name === "further" || name === "grip" ? "icon bold" : "icon"}
      viewBox="0 0 16 16"
      width="16"
      height="16"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  )
}

// The plain ask box of the demo's pages: the real route, the answer as text, its sources as links. Browser code.
interface Reply {
  id: string
  answer: string
  sources: { title: string; section: string | null; url: string }[]
  error?: { message: string }
}

const form = document.querySelector("#ask") as HTMLFormElement
const output = document.querySelector("#answer") as HTMLOutputElement
const list = document.querySelector("#sources") as HTMLOListElement
const previous: string[] = []

form.addEventListener("submit", async (event) => {
  event.preventDefault()
  output.textContent = "…"
  list.replaceChildren()
  const question = String(new FormData(form).get("question"))
  const reply = await ask(question)
  if (reply.error) {
    output.textContent = reply.error.message
    return
  }
  previous.push(reply.id)
  output.textContent = reply.answer.replace(/\[\^(\d+)\]/g, " [$1]")
  for (const { title, section, url } of reply.sources) {
    const link = document.createElement("a")
    link.href = url
    link.textContent = section ? `${title} – ${section}` : title
    const item = document.createElement("li")
    item.append(link)
    list.append(item)
  }
})

async function ask(question: string): Promise<Reply> {
  const reply = await fetch("/api/v1/ask", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      project: form.dataset["project"],
      question,
      page: location.pathname,
      previous: previous.slice(-3),
    }),
  })
  return reply.json()
}

/* Buttons of a page that open the assistant. */
;(function () {
  window.guichet ??= new Proxy([], {
    get: (calls, name) => calls[name] ?? ((...call) => calls.push([name, ...call])),
  })
  for (const button of document.querySelectorAll(".guichet-open")) {
    button.hidden = false
    button.addEventListener("click", () => {
      const { question } = button.dataset
      if (question) window.guichet.ask(question)
      else window.guichet.open()
    })
  }
})()

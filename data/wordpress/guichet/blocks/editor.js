/* The two blocks in the editor. Plain JavaScript: the plugin needs no build. */
;(function ({ blocks, element, blockEditor, components }, words) {
  const create = element.createElement

  /** A block that is set by text fields and saved by the server. */
  function register(name, title, fields, preview) {
    blocks.registerBlockType(name, {
      title,
      edit({ attributes, setAttributes }) {
        const inputs = fields.map(([attribute, label]) =>
          create(components.TextControl, {
            key: attribute,
            label,
            value: attributes[attribute],
            onChange: (value) => setAttributes({ [attribute]: value.trim() === "" ? "" : value }),
          }),
        )
        return create(
          "div",
          blockEditor.useBlockProps(),
          create(components.Placeholder, { label: title, instructions: preview(attributes) }, ...inputs),
        )
      },
      save: () => null,
    })
  }

  register(
    "guichet/assistant",
    words.assistant,
    [
      ["label", words.label],
      ["question", words.question],
    ],
    ({ label, question }) => label || question || words.ask,
  )
  register(
    "guichet/form",
    words.form,
    [
      ["id", words.id],
      ["title", words.title],
    ],
    ({ title, id }) => title || id,
  )
})(window.wp, window.guichetWords)

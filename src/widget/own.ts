/**
 * The element, or document, as the browser made it. A form has its fields, and a document its named forms,
 * pictures and frames, as properties that hide those of every other form or document: `form.elements` is a
 * field of that name. It is for reading properties and calling methods: wherever a node is wanted, hand over
 * the node itself.
 */
export function own<Owner extends Document | Element>(owner: Owner): Owner {
  return new Proxy(owner, {
    get(_, name) {
      const value = Reflect.get(Object.getPrototypeOf(owner), name, owner)
      return value?.bind?.(owner) ?? value
    },
  })
}

export const ownDocument = own(document)

declare global {
  interface Window {
    /**
     * On a page that may require Trusted Types. One that lists its policies allows ours by
     * `trusted-types guichet 'allow-duplicates'`; no other script can use it.
     */
    trustedTypes?: { createPolicy<Rules extends object>(name: string, rules: Rules): Rules }
  }
}

// What every element of the page does alike: it is given its state from above, and tells its wishes by events.

import type { PropertyDeclarations } from 'lit'

/** Properties that the parent sets; none of them is an attribute. */
export function given(...names: readonly string[]): PropertyDeclarations {
  return Object.fromEntries(names.map(name => [name, { attribute: false }]))
}

/** Properties that only the element itself sets. */
export function own(...names: readonly string[]): PropertyDeclarations {
  return Object.fromEntries(names.map(name => [name, { state: true }]))
}

/** Tells a wish to whoever listens further up, also outside of the element's own tree. */
export function tell(element: EventTarget, wish: string, detail?: unknown): void {
  element.dispatchEvent(new CustomEvent(wish, { detail, bubbles: true, composed: true }))
}

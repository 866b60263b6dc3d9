// The base of all elements of the page: the parent sets their properties, and they report what the person does as events.

import type { PropertyDeclarations } from 'lit'

/** Properties that the parent sets; none of them is an attribute. */
export function given(...names: readonly string[]): PropertyDeclarations {
  return Object.fromEntries(names.map(name => [name, { attribute: false }]))
}

/** Properties that only the element itself sets. */
export function own(...names: readonly string[]): PropertyDeclarations {
  return Object.fromEntries(names.map(name => [name, { state: true }]))
}

/** Dispatches an event that bubbles out of the element's shadow tree. */
export function tell(element: EventTarget, wish: string, detail?: unknown): void {
  element.dispatchEvent(new CustomEvent(wish, { detail, bubbles: true, composed: true }))
}

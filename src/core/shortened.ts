export const echoedCharacters = 200

/** Shortens `name`, which a model gave, to 200 characters for messages. */
export function shortened(name: unknown): string {
  const text = String(name)
  return text.length > echoedCharacters ? `${text.slice(0, echoedCharacters).replace(/[\uD800-\uDBFF]$/, '')}…` : text
}

export const echoedCharacters = 200

/** Shortens `name`, which a model gave, to 200 characters for messages. */
export function shortened(name: string): string {
  return name.length > echoedCharacters ? `${name.slice(0, echoedCharacters).replace(/[\uD800-\uDBFF]$/, '')}…` : name
}

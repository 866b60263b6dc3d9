export const echoedCharacters = 200

/** `name`, which a model gave, as messages repeat it: 200 characters at most. */
export function shortened(name: string): string {
  return name.length > echoedCharacters ? `${name.slice(0, echoedCharacters).replace(/[\uD800-\uDBFF]$/, '')}…` : name
}

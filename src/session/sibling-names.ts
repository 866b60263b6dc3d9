// Descriptions and errors name the other tools of a toolset by their own names. Where a host renames tools or leaves some out, a model is
// told which is which: rewriting the texts would also change words that only look like names.

export interface SiblingNames {
  /** A sentence for a text that names tools which are called otherwise or are not there; `undefined` where there is nothing to say. */
  readonly noteFor: (text: string) => string | undefined
}

/** `shown`: own name → the name that the model sees; a tool without one is left out. */
export function siblingNames(own: readonly string[], shown: ReadonlyMap<string, string>): SiblingNames {
  const renamed = own.filter(name => shown.has(name) && shown.get(name) !== name)
  const missing = own.filter(name => !shown.has(name))
  if (renamed.length === 0 && missing.length === 0) return { noteFor: () => undefined }
  return {
    noteFor(text) {
      const parts = [
        ...named(renamed, text).map(name => `\`${name}\` is called \`${shown.get(name)}\``),
        ...named(missing, text).map(name => `there is no \`${name}\``),
      ]
      return parts.length === 0 ? undefined : `In this workspace ${parts.join(', ')}.`
    },
  }
}

function named(names: readonly string[], text: string): readonly string[] {
  return names.filter(name => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(text))
}

// Descriptions and errors use the original names of the other tools in a toolset. If a host renames tools or leaves some out, the model is
// told the new names in a note: replacing names in the texts would also change words that only look like names.

export interface SiblingNames {
  /** A note for a text that names renamed or missing tools; `undefined` if there is nothing to say. */
  readonly noteFor: (text: string) => string | undefined
}

/** `shown`: original name → the name that the model sees; a tool that is left out has none. */
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

// Descriptions and errors use the original names of the other tools in a toolset. If a host renames or omits tools, a note tells
// the model the new names. Replacing names in the texts would also change words that are not tool names.

export interface SiblingNames {
  /** The note for a text that names renamed or missing tools. `undefined` if none is necessary. */
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

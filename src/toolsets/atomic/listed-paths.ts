const maxPaths = 10
const maxPathCharacters = 100

/** Paths in one line of a result: the first of many, each cut to a readable length. */
export function listedPaths(paths: readonly string[]): string {
  const shown = paths
    .slice(0, maxPaths)
    .map(path => (path.length > maxPathCharacters ? `${path.slice(0, maxPathCharacters)}…` : path))
  const more = paths.length > maxPaths ? ` and ${paths.length - maxPaths} more` : ''
  return `${shown.join(', ')}${more}`
}

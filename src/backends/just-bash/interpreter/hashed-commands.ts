// Where the shell finds commands, and which paths it remembers.

/** A command that was found in `PATH`. */
export interface HashedCommand {
  readonly path: string
  readonly hits: number
}

/** The path of `name` in a directory of `PATH`. An empty one is the current directory. */
export function pathInside(directory: string, name: string): string {
  return directory === '' ? `./${name}` : `${directory}${directory.endsWith('/') ? '' : '/'}${name}`
}

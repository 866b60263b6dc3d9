// ripgrep 15 from npm, as package.json pins it: the machine's own is often older.

/** Its path; `undefined` if the package has no program for this machine, of which it tells by throwing. */
export async function pinnedRipgrep(): Promise<string | undefined> {
  try {
    return (await import('@vscode/ripgrep')).rgPath
  } catch {
    return undefined
  }
}

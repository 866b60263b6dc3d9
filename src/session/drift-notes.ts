// Notes for the model about an edit of a file that others have changed.

/** The note for an edit of a file of which the model has not seen all lines. `from` and `to` are 1-based lines. */
export function mergedNote(display: string, { from, to }: { readonly from: number; readonly to: number }): string {
  const moved = from === to ? '' : ` Line ${from} is line ${to} now.`
  return `${display} changed since you saw it. The lines of this edit did not, so it was made where they are now, and every other change was kept.${moved}`
}

export function alreadyNote(display: string): string {
  return `${display} changed since you saw it, and already holds this change.`
}

// Separate from glob.ts, so that paths can be told from globs before the matcher is loaded.

/** Whether `text` contains a character that makes it a glob. */
export function isGlob(text: string): boolean {
  return /[*?[{]/.test(text.replaceAll(/\\./g, ''))
}

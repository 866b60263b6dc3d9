import type { Shell } from './shell.ts'

/** What an error message of the shell begins with, as in bash: the script or the name of the shell, and the line. */
export function messagePrefix(shell: Shell): string {
  const { name, shownLine: line, isInteractive, isCommandString } = shell
  const frame = shell.frames.at(-1)
  if (frame !== undefined && frame.source !== '') return `${frame.source}: line ${line}: `
  if (isInteractive) return `${name}: `
  if (!isCommandString) return `${frame?.source || name}: line ${line}: `
  if (frame === undefined) return `${name}: line ${line}: `
  return line === 0 ? 'environment: ' : `environment: line ${line}: `
}

// Assignments as arguments, such as `declare -A m=([k]=v)`. The builtin receives a placeholder that no script can contain, and
// replaces it with the assignment.

import type { Assignment } from '../syntax/tree.ts'
import type { Shell } from './shell.ts'

const mark = '\u{10fffd}'

export function keepAssignment(shell: Shell, assignment: Assignment): string {
  shell.keptAssignments.push(assignment)
  return `${mark}${shell.keptAssignments.length - 1}`
}

/** The assignment for which `word` is a placeholder, if it is one. */
export function keptAssignment(shell: Shell, word: string): Assignment | undefined {
  return word.startsWith(mark) ? shell.keptAssignments[Number(word.slice(mark.length))] : undefined
}

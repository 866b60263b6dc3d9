// `declare -A m=([k]=v)`: an argument that is an assignment. The builtin gets a word in its place, which nobody could write, and takes the
// assignment back by it.

import type { Assignment } from '../syntax/tree.ts'
import type { Shell } from './shell.ts'

const mark = '\u{10fffd}'

export function keepAssignment(shell: Shell, assignment: Assignment): string {
  shell.keptAssignments.push(assignment)
  return `${mark}${shell.keptAssignments.length - 1}`
}

/** The assignment that `word` stands for, if it is one. */
export function keptAssignment(shell: Shell, word: string): Assignment | undefined {
  return word.startsWith(mark) ? shell.keptAssignments[Number(word.slice(mark.length))] : undefined
}

// `set -e`, `set -o pipefail`: options by letter and by name.

import { optionNames, optionOfLetter, type Shell } from './shell.ts'

/** False: one of the letters names no option. */
export function setOptionLetters(shell: Shell, letters: string, isOn: boolean): boolean {
  const names = Array.from(letters, optionOfLetter)
  for (const name of names) {
    if (name === undefined) return false
    if (isOn) shell.options.add(name)
    else shell.options.delete(name)
  }
  return true
}

/** False: there is no such option. */
export function setNamedOption(shell: Shell, name: string, isOn: boolean): boolean {
  if (!optionNames.includes(name)) return false
  if (isOn) shell.options.add(name)
  else shell.options.delete(name)
  return true
}

// `set -e`, `set -o pipefail`: options by letter and by name.

import { optionNames, optionOfLetter, type Shell } from './shell.ts'

/** Returns false if a letter is not an option. */
export function setOptionLetters(shell: Shell, letters: string, isOn: boolean): boolean {
  const names = Array.from(letters, optionOfLetter)
  for (const name of names) {
    if (name === undefined) return false
    if (isOn) shell.options.add(name)
    else shell.options.delete(name)
  }
  return true
}

/** Returns false if the option does not exist. */
export function setNamedOption(shell: Shell, name: string, isOn: boolean): boolean {
  if (!optionNames.includes(name)) return false
  if (isOn) shell.options.add(name)
  else shell.options.delete(name)
  return true
}

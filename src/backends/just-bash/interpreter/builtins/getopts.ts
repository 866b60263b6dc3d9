import { isName, usage, usageProblem, type Builtin } from './builtin.ts'

export const getopts: Builtin = async (shell, args) => {
  const [letters, name, ...given] = args
  if (letters === undefined || name === undefined) return usage(shell, 'getopts')
  if (!isName(name)) return usageProblem(shell, 'getopts', `\`${name}': not a valid identifier`, 1)
  const words = args.length > 2 ? given : shell.parameters
  const isSilent = letters.startsWith(':')
  const place = shell.getoptsPlace
  let index = Math.min(Number(shell.variables.get('OPTIND') ?? 1) || 1, words.length + 1)
  if (index !== place.index) place.offset = 0
  const finish = (next: number, offset: number): void => {
    place.index = next
    shell.variables.set('OPTIND', String(next))
    // Assigning `OPTIND` resets the position within the word, so the position is restored here.
    place.offset = offset
  }
  const word = words[index - 1]
  if (place.offset === 0) {
    if (word === undefined || !/^-./.test(word) || word === '--') {
      finish(word === '--' ? index + 1 : index, 0)
      shell.variables.unset('OPTARG')
      shell.assign(name, '?')
      return 1
    }
    place.offset = 1
  }
  const text = word ?? ''
  const letter = text.charAt(place.offset)
  const isLast = place.offset + 1 >= text.length
  const at = letter === ':' ? -1 : letters.indexOf(letter, isSilent ? 1 : 0)
  if (at < 0) {
    if (isSilent) shell.variables.set('OPTARG', letter)
    else {
      shell.variables.unset('OPTARG')
      if (shell.variables.get('OPTERR') !== '0') await shell.writeError(`${shell.name}: illegal option -- ${letter}\n`)
    }
    finish(isLast ? index + 1 : index, isLast ? 0 : place.offset + 1)
    shell.assign(name, '?')
    return 0
  }
  if (letters.charAt(at + 1) !== ':') {
    shell.variables.unset('OPTARG')
    finish(isLast ? index + 1 : index, isLast ? 0 : place.offset + 1)
    shell.assign(name, letter)
    return 0
  }
  const attached = text.slice(place.offset + 1)
  index += attached === '' ? 2 : 1
  const value = attached === '' ? words[index - 2] : attached
  if (value === undefined) {
    finish(index - 1, 0)
    if (isSilent) shell.variables.set('OPTARG', letter)
    else {
      shell.variables.unset('OPTARG')
      if (shell.variables.get('OPTERR') !== '0')
        await shell.writeError(`${shell.name}: option requires an argument -- ${letter}\n`)
    }
    shell.assign(name, isSilent ? ':' : '?')
    return 0
  }
  shell.variables.set('OPTARG', value)
  finish(index, 0)
  shell.assign(name, letter)
  return 0
}

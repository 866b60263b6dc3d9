// Builtins that list or change which commands there are: `hash`, `enable` and `help`.

import { builtinNames, hasBuiltin } from '../calls.ts'
import { commandBuckets, walkedKeys } from '../map-order.ts'
import type { Shell } from '../shell.ts'
import { print, readLetters, usageProblem, type Builtin } from './builtin.ts'
import { filesOf, hashedFile } from './lookup.ts'

export const enable: Builtin = async (shell, args) => {
  const read = readLetters(args, 'anps')
  if (typeof read === 'string') return usageProblem(shell, 'enable', read)
  if (read.operands.length === 0) {
    const isOff = (name: string): boolean => shell.disabledBuiltins.has(name)
    const names = builtinNames().filter(name => read.letters.has('a') || isOff(name) === read.letters.has('n'))
    return print(
      shell,
      names
        .sort()
        .map(name => `enable ${isOff(name) ? '-n ' : ''}${name}\n`)
        .join(''),
    )
  }
  let status = 0
  for (const name of read.operands) {
    if (!hasBuiltin(name)) status = await usageProblem(shell, 'enable', `${name}: not a shell builtin`, 1)
    else if (read.letters.has('n')) shell.disabledBuiltins.add(name)
    else shell.disabledBuiltins.delete(name)
  }
  return status
}

export const hash: Builtin = async (shell, args) => {
  const read = readLetters(args, 'dlprt')
  if (typeof read === 'string') return usageProblem(shell, 'hash', read)
  const { letters } = read
  if (!shell.has('hashall')) return usageProblem(shell, 'hash', 'hashing disabled', 1)
  const [path, names] = letters.has('p') ? [read.operands[0], read.operands.slice(1)] : [undefined, read.operands]
  if (letters.has('p') && path === undefined) return usageProblem(shell, 'hash', '-p: option requires an argument')
  if (letters.has('t') && names.length === 0) return usageProblem(shell, 'hash', '-t: option requires an argument', 1)
  if (letters.has('r')) shell.hashed.clear()
  if (names.length === 0) return letters.has('r') ? 0 : print(shell, hashedCommands(shell, letters.has('l')))
  let status = 0
  for (const name of names) {
    const known = await hashedFile(shell, name)
    const [file] = known === undefined || letters.size === 0 ? await filesOf(shell, name) : [known]
    if (letters.has('t') && known?.kind === 'file') await print(shell, shownTarget(name, known.path, letters, names.length > 1))
    else if (path !== undefined) shell.hashed.set(name, { path, hits: 0 })
    else if (letters.has('d') && shell.hashed.delete(name)) continue
    else if (letters.has('t') || letters.has('d')) status = await usageProblem(shell, 'hash', `${name}: not found`, 1)
    else if (name.includes('/') || shell.functions.has(name) || hasBuiltin(name)) continue
    else if (file?.kind === 'file') shell.hashed.set(name, { path: file.path, hits: 0 })
    else status = await usageProblem(shell, 'hash', `${name}: not found`, 1)
  }
  return status
}

function shownTarget(name: string, path: string, letters: ReadonlySet<string>, isOneOfMany: boolean): string {
  if (letters.has('l')) return `builtin hash -p ${path} ${name}\n`
  return isOneOfMany ? `${name}\t${path}\n` : `${path}\n`
}

function hashedCommands({ hashed, options }: Shell, isReusable: boolean): string {
  if (hashed.size === 0) return isReusable || options.has('posix') ? '' : 'hash: hash table empty\n'
  const lines = walkedKeys(hashed.keys(), false, commandBuckets).map(name => {
    const { path = '', hits = 0 } = hashed.get(name) ?? {}
    return isReusable ? `builtin hash -p ${path} ${name}\n` : `${String(hits).padStart(4)}\t${path}\n`
  })
  return `${isReusable ? '' : 'hits\tcommand\n'}${lines.join('')}`
}

export const help: Builtin = async (shell, args) => {
  const [name] = args.filter(arg => !arg.startsWith('-'))
  const known = [...shell.run.commands.values()]
  if (name === undefined) {
    const ownNames = builtinNames().sort().join(' ')
    const lines = known
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name: own, help: text }) => `${own}${text === undefined ? '' : `: ${text}`}`)
    return print(shell, `Builtins: ${ownNames}\n\nCommands:\n${lines.join('\n')}\n`)
  }
  const found = shell.run.commands.get(name)
  if (found !== undefined) return print(shell, `${name}: ${found.help ?? 'a command of this shell'}\n`)
  return hasBuiltin(name)
    ? print(shell, `${name}: a builtin of bash\n`)
    : usageProblem(shell, 'help', `no help topics match \`${name}'`, 1)
}

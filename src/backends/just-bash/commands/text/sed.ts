// just-bash's sed is silently wrong in a few places: it changes bytes that are not UTF-8 (also with -i), prints `\U` as a letter, takes `3g`
// for `g`, accepts an `s` command without its end, and makes no copy for `-i.bak`. What cannot be mended from outside is refused by name.

import { latin1Bytes } from '../../encoding.ts'
import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { endOfBracket } from './basic-pattern.ts'

export async function sed(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const rest: string[] = []
  const scripts: string[] = []
  const files: string[] = []
  let [isInPlace, hasScript] = [false, false]
  let suffix = ''
  let isOver = false
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    const [, long, value] = /^--(expression|file|in-place)(?:=([^]*))?$/.exec(isOver ? '' : arg) ?? []
    if (isOver || !arg.startsWith('-') || arg === '-') files.push(arg)
    else if (arg === '--') isOver = true
    else if (long === 'in-place') [isInPlace, suffix] = [true, value ?? '']
    else if (long === 'expression') {
      scripts.push(value ?? args[(index += 1)] ?? '')
      hasScript = true
    } else if (long === 'file' || /^-[nErs]*f/.test(arg)) return context.original(args)
    else if (arg.startsWith('--')) rest.push(arg)
    else {
      for (let at = 1; at < arg.length; at++) {
        const letter = arg.charAt(at)
        const attached = arg.slice(at + 1)
        if (letter === 'i') [isInPlace, suffix] = [true, attached]
        else if (letter === 'e') {
          scripts.push(attached === '' ? (args[(index += 1)] ?? '') : attached)
          hasScript = true
        } else if (letter !== 'u') rest.push(`-${letter}`)
        if (letter === 'i' || letter === 'e') break
      }
    }
  }
  if (!hasScript) {
    const [script, ...others] = files.splice(0)
    if (script === undefined) return context.original(args)
    scripts.push(script)
    files.push(...others)
  }
  const read = scripts.map(rewrite)
  const problem = read.find(script => typeof script !== 'string')
  if (problem !== undefined && typeof problem !== 'string') return failed('sed', problem.problem)
  const broken = await firstThatIsNotText(files, context)
  if (broken !== undefined) return failed('sed', `${broken}: not UTF-8, and this sed would change its bytes; see them with xxd`)
  if (files.length === 0 && !isText(context.stdin))
    return failed('sed', 'standard input is not UTF-8, and this sed would change its bytes')
  if (isInPlace && suffix !== '') {
    const { fs, cwd } = context
    for (const file of files) {
      const path = fs.resolvePath(cwd, file)
      const cut = path.lastIndexOf('/') + 1
      const name = path.slice(cut)
      const copy = suffix.includes('*') ? suffix.replaceAll('*', name) : name + suffix
      if (await fs.exists(path)) await fs.cp(path, fs.resolvePath(path.slice(0, cut), copy))
    }
  }
  const expressions = read.flatMap(script => (typeof script === 'string' ? ['-e', script] : []))
  return context.original([
    ...rest,
    ...(isInPlace ? ['-i'] : []),
    ...expressions,
    ...files.map(file => (/^-./.test(file) ? `./${file}` : file)),
  ])
}

async function firstThatIsNotText(files: readonly string[], { fs, cwd }: CommandContext): Promise<string | undefined> {
  for (const file of files) {
    const path = fs.resolvePath(cwd, file)
    // What is missing or a directory is its own to report.
    if (file === '-' || !(await fs.exists(path)) || (await fs.stat(path)).isDirectory) continue
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(await fs.readFileBuffer(path))
    } catch (error) {
      if (error instanceof TypeError) return file
      throw error
    }
  }
  return undefined
}

/** One character for each byte. */
function isText(bytes: string): boolean {
  if (!/[\x80-\xff]/.test(bytes)) return true
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(latin1Bytes(bytes))
    return true
  } catch {
    // That is the answer.
    return false
  }
}

/** The script with what its own reads wrongly written otherwise, or why it cannot be run. A script that is not understood is left as it is. */
export function rewrite(script: string): string | { readonly problem: string } {
  let output = ''
  let at = 0
  const take = (pattern: RegExp): string => {
    const sticky = new RegExp(pattern.source, 'y')
    sticky.lastIndex = at
    const found = sticky.exec(script)?.[0] ?? ''
    at += found.length
    return found
  }
  // Each turn takes at least one character.
  while (at < script.length) {
    output += take(/[\s;{}!]+/)
    output += take(/(?:\d+(?:~\d+)?|\$|[+~]\d+|,|\s|!)+/)
    if (script.charAt(at) === '/' || script.charAt(at) === '\\') {
      const isOther = script.charAt(at) === '\\'
      const delimiter = script.charAt(at + (isOther ? 1 : 0))
      const end = endOfPart(script, at + (isOther ? 2 : 1), delimiter, true)
      if (end === undefined) return { problem: 'unterminated address regex' }
      output += withBytes(script.slice(at, end))
      at = end
      output += take(/[IM]/)
      continue
    }
    const command = script.charAt(at)
    if (command === 's' || command === 'y') {
      const delimiter = script.charAt(at + 1)
      const middle = endOfPart(script, at + 2, delimiter, command === 's')
      const end = middle === undefined ? undefined : endOfPart(script, middle, delimiter, false)
      if (middle === undefined || end === undefined) return { problem: `unterminated '${command}' command` }
      const [pattern, replacement] = [script.slice(at, middle), script.slice(middle, end)]
      at = end
      const flags = take(/[gpiIemM\d]*/)
      if (/\d/.test(flags) && flags.includes('g'))
        return { problem: `the flags '${flags}' together are not available here; use awk` }
      if (script.charAt(at) === 'w')
        return { problem: "the flag 'w' of s is not available here; redirect the output of sed -n 's/…/…/p'" }
      const unescaped = replacement.replace(/\\\\/g, '')
      if (command === 's' && /\\[ULEul]/.test(unescaped))
        return {
          problem: "changing case with \\U, \\L, \\u or \\l is not available here; use awk's toupper() and tolower(), or tr",
        }
      output += withBytes(pattern) + withBytes(replacement) + flags
    } else if (/[aic]/.test(command)) {
      const text = take(/[aic](?:[^\\\n]|\\[^])*/)
      // Blanks behind `a\` belong to the text.
      output += text.replace(/^([aic])\s*\\([ \t]+\S)/, '$1\\\n$2')
    } else if (/[rRwWbtT:#]/.test(command)) output += take(/[^\n;}]*/) || take(/[^]/)
    else output += take(/[^]/)
  }
  return output
}

/** Behind the delimiter that ends the part which begins at `start`. In a pattern one inside brackets does not count. */
function endOfPart(script: string, start: number, delimiter: string, isPattern: boolean): number | undefined {
  for (let at = start; at < script.length; at++) {
    const character = script.charAt(at)
    if (character === '\\') at += 1
    else if (character === delimiter) return at + 1
    else if (isPattern && character === '[') {
      const end = endOfBracket(script, at)
      // A set that is not closed within the script is a character.
      if (end < script.length) at = end - 1
    }
  }
  return undefined
}

/** `\xHH`, which its own does not know, as the characters that the bytes are. */
function withBytes(text: string): string {
  return text.replace(/(\\\\)|((?:\\x[\da-fA-F]{2})+)/g, (all, pair?: string, bytes?: string) => {
    if (pair !== undefined || bytes === undefined) return all
    const values = (bytes.match(/[\da-fA-F]{2}(?=\\|$)/g) ?? []).map(hex => Number.parseInt(hex, 16))
    const characters = new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(values))
    return characters.replace(/[\\^$.*+?()[\]{}|/&\n]/g, '\\$&')
  })
}

// `read` and `mapfile`.

import { finished, finishedInSteps, type Steps } from '../../../../core/in-steps.ts'
import { assignElement } from '../assign-element.ts'
import { namedElement } from '../named-element.ts'
import { decodeText } from '../../../../shell/byte-text.ts'
import type { OpenFile } from '../descriptors.ts'
import type { Awaitable } from '../../../../shell/files.ts'
import { isLong, shellPace } from '../pace.ts'
import { evalBuiltin } from './control.ts'
import { hasByteLocale } from '../byte-locale.ts'
import { readCharacters, readLine, type Line } from '../read-line.ts'
import type { Shell } from '../shell.ts'
import { isName, usageProblem, type Builtin } from './builtin.ts'
import { unitsPerItem } from '../../commands/pace.ts'
import { pushAll } from '../../../../core/many.ts'

interface ReadOptions {
  isRaw: boolean
  array: string | undefined
  delimiter: string
  count: number | undefined
  ignoresDelimiter: boolean
  timeoutMs: number | undefined
  fd: number
  prompt: string | undefined
  names: string[]
}

function parse(args: readonly string[]): ReadOptions | string {
  const options: ReadOptions = {
    isRaw: false,
    array: undefined,
    delimiter: '\n',
    count: undefined,
    ignoresDelimiter: false,
    timeoutMs: undefined,
    fd: 0,
    prompt: undefined,
    names: [],
  }
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (arg === '--') {
      pushAll(options.names, args.slice(index + 1))
      break
    }
    if (!/^-./.test(arg)) {
      pushAll(options.names, args.slice(index))
      break
    }
    for (let at = 1; at < arg.length; at++) {
      const letter = arg.charAt(at)
      if (letter === 'r') options.isRaw = true
      else if (letter === 's' || letter === 'e') continue
      else if ('adinNptu'.includes(letter)) {
        const attached = arg.slice(at + 1)
        const value = attached === '' ? args[(index += 1)] : attached
        if (value === undefined) return `-${letter}: option requires an argument`
        const problem = setValue(options, letter, value)
        if (problem !== undefined) return problem
        break
      } else return `-${letter}: invalid option`
    }
  }
  return options
}

function setValue(options: ReadOptions, letter: string, value: string): string | undefined {
  switch (letter) {
    case 'a':
      options.array = value
      return undefined
    case 'd':
      options.delimiter = value === '' ? '\0' : value.charAt(0)
      return undefined
    case 'n':
    case 'N':
      if (!/^\d+$/.test(value)) return `${value}: invalid number`
      options.count = Number(value)
      options.ignoresDelimiter = letter === 'N'
      return undefined
    case 'p':
      options.prompt = value
      return undefined
    case 't':
      if (!/^\d*\.?\d+$|^\d+\.$/.test(value)) return `${value}: invalid timeout specification`
      options.timeoutMs = Number(value) * 1000
      return undefined
    case 'u':
      if (!/^\d+$/.test(value)) return `${value}: invalid file descriptor specification`
      options.fd = Number(value)
      return undefined
    default:
      return undefined
  }
}

export const read: Builtin = async (shell, args) => {
  const options = parse(args)
  if (typeof options === 'string')
    return usageProblem(shell, 'read', options, options.startsWith('-') && /option/.test(options) ? 2 : 1)
  const wrong = options.names.find(name => !/^[A-Za-z_]\w*(?:\[[^]*\])?$/.test(name))
  if (wrong !== undefined) return usageProblem(shell, 'read', `\`${wrong}': not a valid identifier`, 1)
  const file = shell.descriptors.get(options.fd)?.file
  if (file === undefined || !file.canRead)
    return usageProblem(
      shell,
      'read',
      `${options.fd === 0 ? 'read error: 0' : options.fd}: ${options.fd === 0 ? 'Bad file descriptor' : 'invalid file descriptor: Bad file descriptor'}`,
      1,
    )
  if (options.timeoutMs === 0) return 0
  const reading = readInput(file, options, hasByteLocale(shell))
  const line = options.timeoutMs === undefined ? await reading : await withTimeout(shell, reading, options.timeoutMs)
  if (line === 'late') return 142
  const text = line === undefined ? '' : line.text
  const marks = line?.escaped
  await assignWords(shell, options, text, marks)
  return line?.isComplete === true ? 0 : 1
}

interface Input {
  readonly text: string
  /** The indices of characters that a backslash protects from word splitting. */
  readonly escaped: ReadonlySet<number> | undefined
  readonly isComplete: boolean
}

async function readInput(file: OpenFile, options: ReadOptions, isInBytes: boolean): Promise<Input | undefined> {
  // A backslash quotes before it delimits.
  const delimiter = options.delimiter === '\\' && !options.isRaw ? -1 : options.delimiter.charCodeAt(0)
  const next = (): Promise<Line | undefined> =>
    options.count === undefined
      ? readLine(file, delimiter)
      : readCharacters(file, {
          count: options.count,
          delimiter: options.ignoresDelimiter ? undefined : delimiter,
          isInBytes,
          hasEscapes: !options.isRaw,
        })
  if (options.count === 0) return { text: '', escaped: undefined, isComplete: true }
  const first = await next()
  if (first === undefined) return undefined
  let text = decodeText(first.bytes).replaceAll('\0', '')
  if (options.isRaw || !text.includes('\\')) return { text, escaped: undefined, isComplete: first.isComplete }
  let { isComplete } = first
  // A backslash before the delimiter quotes it.
  while (isComplete && /(?:^|[^\\])(?:\\\\)*\\$/.test(text) && options.count === undefined) {
    text += options.delimiter
    const more = await next()
    isComplete = more?.isComplete === true
    if (more === undefined) break
    text += decodeText(more.bytes).replaceAll('\0', '')
  }
  const escaped = new Set<number>()
  let plain = ''
  for (let at = 0; at < text.length; at++) {
    if (text.charAt(at) === '\\') {
      at += 1
      if (at >= text.length) break
      // A newline is removed together with its backslash.
      if (text.charAt(at) === '\n') continue
      escaped.add(plain.length)
    }
    plain += text.charAt(at)
  }
  return { text: plain, escaped, isComplete }
}

async function withTimeout<T>(shell: Shell, work: Promise<T>, timeoutMs: number): Promise<T | 'late'> {
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    return await Promise.race([
      work,
      new Promise<'late'>(resolve => {
        timer = setTimeout(() => resolve('late'), timeoutMs)
      }),
    ])
  } finally {
    clearTimeout(timer)
    shell.checkAlive()
  }
}

async function assignWords(
  shell: Shell,
  options: ReadOptions,
  text: string,
  escaped: ReadonlySet<number> | undefined,
): Promise<void> {
  const split = (most: number): Awaitable<string[]> => {
    const steps = splitFields(text, shell.ifs, escaped, most)
    return isLong(text) ? finishedInSteps(steps, () => shell.letOthersRun()) : finished(steps)
  }
  if (options.array !== undefined) {
    const words = await split(Number.POSITIVE_INFINITY)
    shell.variables.setList(options.array, words)
    return
  }
  if (options.names.length === 0) {
    shell.assign('REPLY', text)
    return
  }
  const names = options.names
  const words = options.ignoresDelimiter ? [text] : await split(names.length)
  for (const [index, name] of names.entries()) {
    const { name: base = name, key } = (await namedElement(shell, name)) ?? {}
    assignElement(shell, base, key, words[index] ?? '')
  }
}

const fieldsPerStep = 4096

/** At most `most` fields; the last one has all the rest, less the white space around it. */
export function* splitFields(text: string, ifs: string, escaped: ReadonlySet<number> | undefined, most: number): Steps<string[]> {
  const isDelimiter = (at: number): boolean => ifs.includes(text.charAt(at)) && escaped?.has(at) !== true
  const isBlank = (at: number): boolean => isDelimiter(at) && /[ \t\n]/.test(text.charAt(at))
  const fields: string[] = []
  let at = 0
  while (at < text.length && isBlank(at)) at += 1
  while (at < text.length) {
    if (fields.length === most - 1) {
      fields.push(lastField(text, at, isDelimiter, isBlank))
      return fields
    }
    const start = at
    while (at < text.length && !isDelimiter(at)) at += 1
    if (fields.length % fieldsPerStep === 0) yield
    fields.push(text.slice(start, at))
    while (at < text.length && isBlank(at)) at += 1
    if (at < text.length && isDelimiter(at) && !(at > 0 && false)) {
      const hadBlank = at > start && isBlank(at - 1)
      // A delimiter that is not white space belongs to the field before it.
      if (!hadBlank || isDelimiter(at)) {
        if (!isBlank(at)) at += 1
        while (at < text.length && isBlank(at)) at += 1
      }
    }
  }
  return fields
}

function lastField(text: string, start: number, isDelimiter: (at: number) => boolean, isBlank: (at: number) => boolean): string {
  let end = text.length
  while (end > start && isBlank(end - 1)) end -= 1
  // A single delimiter after a single field is removed.
  if (end > start && isDelimiter(end - 1)) {
    let hasOther = false
    for (let at = start; at < end - 1; at++) hasOther ||= isDelimiter(at)
    if (!hasOther) {
      end -= 1
      while (end > start && isBlank(end - 1)) end -= 1
    }
  }
  return text.slice(start, end)
}

const mostArrayBytes = 64 * 1024 * 1024

interface LinesRequest {
  trims: boolean
  delimiter: number
  most: number
  skipped: number
  origin: number | undefined
  fd: number
  callback: string | undefined
  every: number
}

/** How bash calls a wrong number behind the letter of an option. */
const numbersOfMapfile: Readonly<Record<string, string>> = {
  n: 'line count',
  s: 'line count',
  O: 'array origin',
  u: 'file descriptor specification',
  c: 'callback quantum',
}

function mapfileRequest(
  args: readonly string[],
): { readonly request: LinesRequest; readonly operands: readonly string[] } | string {
  const request: LinesRequest = {
    trims: false,
    delimiter: 10,
    most: Number.POSITIVE_INFINITY,
    skipped: 0,
    origin: undefined,
    fd: 0,
    callback: undefined,
    every: 5000,
  }
  let index = 0
  for (; index < args.length && /^-./.test(args[index] ?? ''); index++) {
    const arg = args[index] ?? ''
    if (arg === '--') {
      index += 1
      break
    }
    for (let at = 1; at < arg.length; at++) {
      const letter = arg.charAt(at)
      if (letter === 't') {
        request.trims = true
        continue
      }
      if (!'dnsOuCc'.includes(letter)) return `-${letter}: invalid option`
      const value = at + 1 < arg.length ? arg.slice(at + 1) : args[(index += 1)]
      if (value === undefined) return `-${letter}: option requires an argument`
      const kind = numbersOfMapfile[letter]
      if (kind !== undefined && (!/^\d+$/.test(value) || (letter === 'c' && Number(value) === 0)))
        return `${value}: invalid ${kind}`
      setOfMapfile(request, letter, value)
      break
    }
  }
  return { request, operands: args.slice(index) }
}

function setOfMapfile(request: LinesRequest, letter: string, value: string): void {
  if (letter === 'd') request.delimiter = value === '' ? 0 : value.charCodeAt(0)
  else if (letter === 'n') request.most = Number(value) || Number.POSITIVE_INFINITY
  else if (letter === 's') request.skipped = Number(value)
  else if (letter === 'O') request.origin = Number(value)
  else if (letter === 'u') request.fd = Number(value)
  else if (letter === 'C') request.callback = value
  else request.every = Number(value)
}

export const mapfile: Builtin = async (shell, args, { name }) => {
  const read = mapfileRequest(args)
  if (typeof read === 'string') return usageProblem(shell, name, read, /option/.test(read) ? 2 : 1)
  const { trims, delimiter, most, skipped, origin, fd, callback, every } = read.request
  const [array = 'MAPFILE'] = read.operands
  if (!isName(array) || shell.variables.target(array)?.subscript !== undefined)
    return usageProblem(shell, name, `\`${array}': not a valid identifier`, 1)
  if (shell.variables.find(array)?.map !== undefined) return usageProblem(shell, name, `${array}: not an indexed array`, 1)
  const file = shell.descriptors.get(fd)?.file
  if (file === undefined) return usageProblem(shell, name, `${fd}: invalid file descriptor: Bad file descriptor`, 1)
  const lines: string[] = []
  let sizeBytes = 0
  const pace = shellPace(shell)
  for (let count = 0; lines.length < most; count++) {
    const line = await readLine(file, delimiter)
    if (line === undefined) break
    if (pace.isDue(line.bytes.length + unitsPerItem)) await pace.rest()
    sizeBytes += line.bytes.length + 1
    if (sizeBytes > mostArrayBytes) return usageProblem(shell, name, 'the input has more than 64 MiB; give a count with -n', 1)
    const end = trims || !line.isComplete ? '' : String.fromCharCode(delimiter)
    if (count < skipped) continue
    lines.push(decodeText(line.bytes) + (end === '\0' ? '' : end))
    if (callback !== undefined && lines.length % every === 0)
      await evalBuiltin(
        shell,
        [`${callback} ${(origin ?? 0) + lines.length - 1} '${(lines.at(-1) ?? '').replaceAll("'", `'\\''`)}'`],
        {
          name: 'eval',
          saved: undefined,
        },
      )
  }
  if (shell.variables.find(array)?.isReadonly === true) return usageProblem(shell, name, `${array}: readonly variable`, 1)
  if (origin === undefined || shell.variables.find(array) === undefined)
    shell.variables.setList(array, origin === undefined ? lines : [])
  if (origin !== undefined) for (const [index, line] of lines.entries()) assignElement(shell, array, String(origin + index), line)
  return 0
}

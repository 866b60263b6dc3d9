// Rules that recognise commands for which a tool is better.

import type { ParsedCommand } from '../../../shell/parsed-script.ts'

export interface CommandRule {
  readonly name: string
  readonly tool: string
  readonly message: string
  readonly matches: (command: ParsedCommand) => boolean
}

const writingOperators: readonly string[] = ['>', '>>', '>|', '&>', '&>>']

export const builtInRules: readonly CommandRule[] = [
  {
    name: 'write-file',
    tool: 'write',
    message: 'A file that a command writes has no tag for later edits.',
    matches: command => {
      const [name, ...args] = textsOf(command)
      if (name === 'tee') return args.some(arg => !arg.startsWith('-') && !isDevice(arg))
      return writesFile(command) && (name === 'echo' || name === 'printf' || (name === 'cat' && hasHeredoc(command)))
    },
  },
  {
    name: 'read-file',
    tool: 'read',
    message: 'A command shows a file without its tag and line numbers.',
    matches: command => hasArguments(command, 'cat', 'head', 'tail', 'less', 'more'),
  },
  {
    name: 'search-text',
    tool: 'search',
    message: 'A command shows matches without tags and without pages.',
    matches: command => hasArguments(command, 'grep', 'rg', 'ripgrep', 'ag', 'ack'),
  },
  {
    name: 'find-path',
    tool: 'find',
    message: 'A command finds paths without regard to ignore files, and not the newest first.',
    matches: command =>
      hasArguments(command, 'find', 'fd', 'locate') &&
      textsOf(command).some(word => ['-name', '-iname', '-type', '--type', '-glob'].includes(word)),
  },
  {
    name: 'edit-in-place',
    tool: 'edit',
    message: 'An edit by a command does not notice that the file has changed since you read it.',
    matches: command => {
      const [name, ...args] = textsOf(command)
      return (
        (name === 'sed' && /^(?:-i|--in-place)/.test(args[0] ?? '')) ||
        (name === 'perl' && args.some(arg => /^-[pn]?i/.test(arg))) ||
        (name === 'awk' && args.some((arg, index) => arg === '-i' && args[index + 1] === 'inplace'))
      )
    },
  },
]

export function textsOf({ words }: ParsedCommand): readonly string[] {
  return words.map(({ text }) => text)
}

function hasArguments(command: ParsedCommand, ...names: readonly string[]): boolean {
  const [name = '', ...args] = textsOf(command)
  return names.includes(name) && args.length > 0
}

/** Whether standard output goes to a file: not `2>`, not `>&2`, not a device. */
function writesFile({ redirections }: ParsedCommand): boolean {
  return redirections.some(
    ({ operator, fd, target }) =>
      writingOperators.includes(operator) && (fd === undefined || fd === 1) && target !== undefined && !isDevice(target.text),
  )
}

function hasHeredoc({ redirections }: ParsedCommand): boolean {
  return redirections.some(({ operator }) => operator === '<<' || operator === '<<-')
}

function isDevice(path: string): boolean {
  return /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/.test(path)
}

/** Options of these prefixes that take a value. */
const prefixOptions: Readonly<Record<string, readonly string[]>> = {
  sudo: ['-u', '-g', '-p', '-C', '-h', '-U', '-r', '-t'],
  doas: ['-u', '-C'],
  env: ['-u', '-C', '-S'],
  command: [],
  builtin: [],
  exec: ['-a'],
  nohup: [],
  nice: ['-n'],
  stdbuf: ['-i', '-o', '-e'],
  timeout: ['-s', '-k'],
  time: ['-f', '-o'],
  xargs: ['-n', '-I', '-P', '-L', '-d', '-E', '-s'],
}

const maxPrefixes = 10

/** The command behind `sudo`, `env X=1`, `command` and similar prefixes; `undefined` if there is none. */
export function withoutPrefix(command: ParsedCommand): ParsedCommand | undefined {
  let { words } = command
  for (let round = 0; round < maxPrefixes; round++) {
    const [name] = words
    const withValue = name === undefined || !Object.hasOwn(prefixOptions, name.text) ? undefined : prefixOptions[name.text]
    if (name === undefined || withValue === undefined) break
    let at = 1
    while (at < words.length) {
      const text = words[at]?.text ?? ''
      const isSetting = (name.text === 'env' || name.text === 'sudo') && /^[A-Za-z_]\w*=/.test(text)
      if (text === '--') {
        at += 1
        break
      }
      if (!isSetting && !text.startsWith('-')) break
      at += withValue.includes(text) ? 2 : 1
    }
    // `timeout 5 cat f`
    if (name.text === 'timeout') at += 1
    words = words.slice(at)
  }
  return words.length === command.words.length ? undefined : { ...command, words }
}

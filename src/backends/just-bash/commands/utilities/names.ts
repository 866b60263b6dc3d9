// Commands about names and the system: basename, dirname, readlink, which, env, printenv, id, uname and others.

import { defined, ownValue } from '../../../../core/record.ts'
import { resolveFrom } from '../../../../shell/files.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { pathFrom } from '../../physical-files.ts'
import { durationMs } from '../duration.ts'
import { has, optionTable, parseArguments, valueOf } from '../options.ts'
import { complain, lastName, pathOf, statIfThere } from '../program.ts'
import { checkFileName, codeOf, reasonOf, namesDirectory } from '../../errno.ts'

const basenameOptions = optionTable(`
  -a --multiple: a, -s --suffix: suffix=, -z --zero: z
`)

export async function basename(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, basenameOptions, true)
  if (typeof parsed === 'string') return complain(context, 'basename', parsed)
  const [first, second, third] = parsed.operands
  if (first === undefined) return complain(context, 'basename', 'missing operand')
  const isMany = has(parsed, 'a') || valueOf(parsed, 'suffix') !== undefined
  if (!isMany && third !== undefined) return complain(context, 'basename', `extra operand '${third}'`)
  const suffix = valueOf(parsed, 'suffix') ?? (isMany ? '' : (second ?? ''))
  for (const path of isMany ? parsed.operands : [first]) {
    const name = lastName(path)
    const cut = suffix !== '' && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name
    await context.stdout.write(cut + (has(parsed, 'z') ? '\0' : '\n'))
  }
  return 0
}

export async function dirname(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, { '-z': 'z', '--zero': 'z' })
  if (typeof parsed === 'string') return complain(context, 'dirname', parsed)
  if (parsed.operands.length === 0) return complain(context, 'dirname', 'missing operand')
  for (const path of parsed.operands) {
    const trimmed = path.replace(/\/+$/, '')
    const slash = trimmed.lastIndexOf('/')
    const directory = slash < 0 ? (trimmed === '' && path !== '' ? '/' : '.') : trimmed.slice(0, slash).replace(/\/+$/, '') || '/'
    await context.stdout.write(directory + (has(parsed, 'z') ? '\0' : '\n'))
  }
  return 0
}

const readlinkOptions = optionTable(`
  -f --canonicalize: f, -e --canonicalize-existing: e, -m --canonicalize-missing: m, -n --no-newline: n, -v --verbose: v,
  -q --quiet -s --silent: q, -z --zero: z
`)

export async function readlink(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, readlinkOptions)
  if (typeof parsed === 'string') return complain(context, 'readlink', parsed)
  if (parsed.operands.length === 0) return complain(context, 'readlink', 'missing operand')
  if (has(parsed, 'n') && parsed.operands.length > 1)
    await complain(context, 'readlink', 'ignoring --no-newline with multiple arguments')
  let code = 0
  for (const name of parsed.operands) {
    try {
      const shown =
        has(parsed, 'f') || has(parsed, 'e') || has(parsed, 'm')
          ? await canonical(context, name, has(parsed, 'e') ? 'all' : has(parsed, 'm') ? 'none' : 'parents')
          : await context.files.readlink(pathOf(context, name))
      await context.stdout.write(shown + (has(parsed, 'n') && parsed.operands.length === 1 ? '' : has(parsed, 'z') ? '\0' : '\n'))
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code === 'EPIPE') throw error
      const isVerbose = parsed.options.findLast(({ name: option }) => option === 'v' || option === 'q')?.name === 'v'
      if (isVerbose) await complain(context, 'readlink', `${name}: ${reasonOf(error)}`)
      code = 1
    }
  }
  return code
}

/** As many links as Linux follows for one path. */
const mostLinks = 40

export async function canonical(
  context: ShellCommandContext,
  name: string,
  mustExist: 'all' | 'parents' | 'none',
  linksLeft: number = mostLinks,
): Promise<string> {
  const path = pathFrom(context.cwd, name)
  try {
    const real = await context.files.realpath(path)
    if (mustExist !== 'none' && namesDirectory(name) && (await context.files.stat(real)).kind !== 'directory') checkFileName(name)
    return real
  } catch (error) {
    if (mustExist === 'none' && linksLeft === 0) return path
    if (mustExist === 'all' || codeOf(error) === 'ENOTDIR' || path === '/' || path === '' || linksLeft === 0) throw error
    const parent = path.slice(0, path.lastIndexOf('/')) || '/'
    const target = await statIfThere(context, path, false)
    if (target?.kind === 'symlink')
      return canonical({ ...context, cwd: parent }, await context.files.readlink(path), mustExist, linksLeft - 1)
    const above =
      mustExist === 'none' ? await canonical(context, parent, 'none', linksLeft) : await context.files.realpath(parent)
    return path.endsWith('/..') ? resolveFrom(above, '..') : `${above === '/' ? '' : above}/${lastName(path)}`
  }
}

const splitEscapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', _: ' ' }

class SplitError extends Error {}

/** Splits the argument of `env -S`: quotes, escapes and `${NAME}`; nothing else of a shell. */
function wordsOf(text: string, variables: Readonly<Record<string, string>>): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at)
    if (quote === '' && /[ \t\n\v\f\r]/.test(letter)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (quote === '' && letter === '#' && word === undefined) break
    else if ((letter === '"' || letter === "'") && (quote === '' || quote === letter)) {
      quote = quote === '' ? letter : ''
      word ??= ''
    } else if (letter === '\\' && quote !== "'") {
      const next = text.charAt((at += 1))
      if (next === 'c' && quote === '') break
      if (next === '_' && quote === '') {
        if (word !== undefined) words.push(word)
        word = undefined
      } else word = (word ?? '') + (splitEscapes[next] ?? next)
    } else if (letter === '$' && quote !== "'") {
      const [whole, name = ''] = /^\$\{([A-Za-z_]\w*)\}/.exec(text.slice(at)) ?? []
      if (whole === undefined) throw new SplitError(`only \${VARNAME} expansion is supported, error at: ${text.slice(at)}`)
      word = (word ?? '') + (variables[name] ?? '')
      at += whole.length - 1
    } else word = (word ?? '') + letter
  }
  if (quote !== '') throw new SplitError('no terminating quote in -S string')
  return word === undefined ? words : [...words, word]
}

export async function env(context: ShellCommandContext): Promise<number> {
  const variables: Record<string, string> = { ...context.env }
  const { args, exec } = context
  let index = 0
  let directory: string | undefined
  let end = '\n'
  const unset: string[] = []
  const words = [...args]
  // -S is replaced by its words, at any position among the options.
  for (let at = 0; at < words.length; at++) {
    const arg = words[at] ?? ''
    if (arg === '--' || !arg.startsWith('-') || arg === '-') break
    const [, flags, attached] = /^(-[iv0]*S|--split-string(?:=|$))([^]*)$/.exec(arg) ?? []
    if (flags === undefined) {
      if (/^(?:-u|-C|--unset|--chdir)$/.test(arg)) at += 1
      continue
    }
    const isAttached = attached !== '' || flags.endsWith('=')
    const text = isAttached ? attached : words[at + 1]
    if (text === undefined) return complain(context, 'env', "option requires an argument -- 'S'", 125)
    const before = flags.startsWith('--') || flags === '-S' ? [] : [flags.slice(0, -1)]
    try {
      words.splice(at, isAttached ? 1 : 2, ...before, ...wordsOf(text, context.env))
    } catch (error) {
      if (error instanceof SplitError) return complain(context, 'env', error.message, 125)
      throw error
    }
    at -= 1
  }
  for (; index < words.length; index++) {
    const arg = words[index] ?? ''
    if (arg === '-i' || arg === '-' || arg === '--ignore-environment')
      for (const name of Object.keys(variables)) delete variables[name]
    else if (/^(?:-u|-C|--unset|--chdir)$/.test(arg) && index + 1 >= words.length)
      return complain(context, 'env', `option requires an argument -- '${arg.replace(/^-+/, '')}'`, 125)
    else if (arg === '-u' || arg === '--unset') unset.push(words[(index += 1)] ?? '')
    else if (/^-u./.test(arg) || arg.startsWith('--unset=')) unset.push(arg.replace(/^-u|^--unset=/, ''))
    else if (arg === '-C' || arg === '--chdir') directory = words[(index += 1)] ?? ''
    else if (arg.startsWith('--chdir=')) directory = arg.slice('--chdir='.length)
    else if (arg === '-0' || arg === '--null') end = '\0'
    // Signals keep their usual effect here.
    else if (/^(?:-v|--debug|--(?:block|default|ignore)-signal(?:=.*)?)$/.test(arg)) continue
    else if (arg === '--') {
      index += 1
      break
    } else if (/^-./.test(arg))
      return complain(
        context,
        'env',
        arg.startsWith('--') ? `unrecognized option '${arg}'` : `invalid option -- '${arg.charAt(1)}'`,
        125,
      )
    else break
  }
  if (unset.some(name => name === '' || name.includes('=')))
    return complain(context, 'env', 'cannot unset: the name is empty or has a =', 125)
  for (const name of unset) delete variables[name]
  for (; index < words.length; index++) {
    const [, name, value] = /^([^=]*)=([^]*)$/.exec(words[index] ?? '') ?? []
    if (name === undefined) break
    variables[name] = value ?? ''
  }
  const command = words.slice(index)
  if (end === '\0' && command.length > 0) return complain(context, 'env', 'cannot specify --null (-0) with command', 125)
  const cwd = directory === undefined ? undefined : pathOf(context, directory)
  if (directory !== undefined && command.length === 0)
    return complain(context, 'env', 'must specify command with --chdir (-C)', 125)
  if (cwd !== undefined && (await statIfThere(context, cwd))?.kind !== 'directory')
    return complain(context, 'env', `cannot change directory to '${directory ?? ''}': No such file or directory`, 125)
  if (command.length > 0 && exec !== undefined) return exec(command, { env: variables, ...defined({ cwd }) })
  await context.stdout.write(
    Object.entries(variables)
      .map(([name, value]) => `${name}=${value}${end}`)
      .join(''),
  )
  return 0
}

export async function printenv(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, { '-0': 'z', '--null': 'z' }, true)
  if (typeof parsed === 'string') return complain(context, 'printenv', parsed, 2)
  const names = parsed.operands
  const end = has(parsed, 'z') ? '\0' : '\n'
  if (names.length === 0) {
    await context.stdout.write(
      Object.entries(context.env)
        .map(([name, value]) => name + '=' + value + end)
        .join(''),
    )
    return 0
  }
  let code = 0
  for (const name of names) {
    const value = context.env[name]
    if (value === undefined) code = 1
    else await context.stdout.write(value + end)
  }
  return code
}

export async function which(context: ShellCommandContext): Promise<number> {
  const isAll = context.args.includes('-a')
  const names = context.args.filter(arg => !arg.startsWith('-'))
  let code = names.length === 0 ? 1 : 0
  for (const name of names) {
    const path = name.includes('/') ? name : await findProgram(context, name)
    const isThere = path !== undefined && ((await statIfThere(context, pathOf(context, path)))?.mode ?? 0) & 0o111
    if (path === undefined || !isThere) code = 1
    else await context.stdout.write(`${path}\n${isAll && path.startsWith('/usr/bin/') ? `/bin/${name}\n` : ''}`)
  }
  return code
}

async function findProgram(context: ShellCommandContext, name: string): Promise<string | undefined> {
  for (const directory of (context.env['PATH'] ?? '/usr/bin:/bin').split(':')) {
    const path = `${directory === '' ? '.' : directory}/${name}`
    const found = await statIfThere(context, pathOf(context, path))
    if (found?.kind === 'file' && (found.mode & 0o111) !== 0) return path
  }
  return undefined
}

export async function id(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    ...Object.fromEntries(Array.from('augGnrz', letter => [`-${letter}`, letter])),
    ...optionTable('--user: u, --group: g, --groups: G, --name: n, --real: r, --zero: z'),
  })
  if (typeof parsed === 'string') return complain(context, 'id', parsed)
  const letters = parsed.options.map(({ name }) => name).join('')
  const user = context.env['USER'] ?? 'user'
  const shown = letters.includes('n') ? user : '1000'
  const unknown = parsed.operands.find(name => name !== user && name !== '1000')
  if (unknown !== undefined) return complain(context, 'id', `'${unknown}': no such user`)
  await context.stdout.write(/[uUgG]/.test(letters) ? `${shown}\n` : `uid=1000(${user}) gid=1000(${user}) groups=1000(${user})\n`)
  return 0
}

export async function whoami(context: ShellCommandContext): Promise<number> {
  await context.stdout.write(`${context.env['USER'] ?? 'user'}\n`)
  return 0
}

export async function hostname(context: ShellCommandContext): Promise<number> {
  await context.stdout.write('localhost\n')
  return 0
}

const unameOptions = optionTable(`
  --kernel-name: s, --nodename: n, --kernel-release: r, --kernel-version: v, --machine: m, --processor: p,
  --hardware-platform: i, --operating-system: o, --all: a
`)

export async function uname(context: ShellCommandContext): Promise<number> {
  const parts = { s: 'Linux', n: 'localhost', r: '6.1.0', v: '#1', m: 'x86_64', p: 'unknown', i: 'unknown', o: 'GNU/Linux' }
  const wrong = context.args.find(arg => unameOptions[arg] === undefined && !/^-[asnrvmpio]+$/.test(arg))
  if (wrong !== undefined)
    return complain(
      context,
      'uname',
      wrong.startsWith('--')
        ? `unrecognized option '${wrong}'`
        : wrong.startsWith('-')
          ? `invalid option -- '${wrong.charAt(1)}'`
          : `extra operand '${wrong}'`,
    )
  const letters = context.args.map(arg => ownValue(unameOptions, arg) ?? arg.replace(/^-/, '')).join('')
  const wanted = letters.includes('a') ? 'snrvmo' : letters === '' ? 's' : letters
  await context.stdout.write(
    `${Object.entries(parts)
      .filter(([letter]) => wanted.includes(letter))
      .map(([, text]) => text)
      .join(' ')}\n`,
  )
  return 0
}

export async function nproc(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, { '--all': 'all', '--ignore': 'ignore=' })
  if (typeof parsed === 'string') return complain(context, 'nproc', parsed)
  const [extra] = parsed.operands
  if (extra !== undefined) return complain(context, 'nproc', `extra operand '${extra}'`)
  // Commands run one at a time.
  await context.stdout.write('1\n')
  return 0
}

export async function sleep(context: ShellCommandContext): Promise<number> {
  if (context.args.length === 0) return complain(context, 'sleep', 'missing operand')
  const times = context.args.map(arg => (arg === 'infinity' ? Number.POSITIVE_INFINITY : durationMs(arg)))
  const wrong = times.indexOf(undefined)
  if (wrong >= 0) return complain(context, 'sleep', `invalid time interval '${context.args[wrong] ?? ''}'`)
  const total = times.reduce<number>((sum, time) => sum + (time ?? 0), 0)
  const { signal } = context
  await new Promise<void>(resolve => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, Math.min(total, 2 ** 31 - 1))
    signal.addEventListener('abort', done, { once: true })
    if (signal.aborted) done()
  })
  return signal.aborted ? 143 : 0
}

export async function nohup(context: ShellCommandContext): Promise<number> {
  const { args, exec } = context
  return args.length === 0 || exec === undefined ? complain(context, 'nohup', 'missing operand', 125) : exec(args)
}

export async function nice(context: ShellCommandContext): Promise<number> {
  const { exec } = context
  const args = context.args.map((arg, index) => (index === 0 ? arg.replace(/^-(-?\d+)$/, '-n$1') : arg))
  const parsed = parseArguments(args, { '-n': 'by=', '--adjustment': 'by=' }, true)
  if (typeof parsed === 'string') return complain(context, 'nice', parsed, 125)
  const by = valueOf(parsed, 'by')
  if (by !== undefined && !/^[-+]?\d+$/.test(by)) return complain(context, 'nice', `invalid adjustment '${by}'`, 125)
  const words = parsed.operands
  if (words.length > 0 && exec !== undefined) return exec(words)
  await context.stdout.write('0\n')
  return 0
}

export async function clear(context: ShellCommandContext): Promise<number> {
  await context.stdout.write('')
  return 0
}

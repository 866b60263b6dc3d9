// mktemp: creates temporary files and directories with unique names.

import { failed, type CommandContext, type CommandResult } from './command.ts'

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const maxAttempts = 100

/** `mktemp [-d] [-q] [-u] [-t] [-p DIRECTORY] [TEMPLATE]`, as in GNU coreutils. */
export async function mktemp(
  args: readonly string[],
  { fs, cwd, env }: Pick<CommandContext, 'fs' | 'cwd' | 'env'>,
): Promise<CommandResult> {
  const options = parse(args)
  if (typeof options === 'string') return failed('mktemp', options)
  const template = (options.template ?? 'tmp.XXXXXXXXXX') + options.suffix
  if (options.suffix !== '' && options.template?.endsWith('X') === false)
    return failed('mktemp', `with --suffix, template '${options.template}' must end in X`)
  if (options.suffix.includes('/')) return failed('mktemp', `invalid suffix '${options.suffix}', contains directory separator`)
  const isBelow = options.inTemporary || options.folder !== undefined
  if (isBelow && template.startsWith('/'))
    return failed('mktemp', `invalid template, '${template}'; with --tmpdir, it may not be absolute`)
  if (options.isOldForm && template.includes('/'))
    return failed('mktemp', `invalid template, '${template}', contains directory separator`)
  const holes = /X{3,}(?=[^X/]*$)/.exec(template)
  if (holes === null) return failed('mktemp', `too few X's in template '${template}'`)
  const temporary = env['TMPDIR'] || undefined
  const asked = options.isOldForm ? (temporary ?? options.folder) : (options.folder ?? temporary)
  const folder = isBelow || options.template === undefined ? (asked ?? '/tmp') : undefined
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const name = template.slice(0, holes.index) + randomName(holes[0].length) + template.slice(holes.index + holes[0].length)
    const shown = folder === undefined ? name : `${folder.replace(/\/$/, '')}/${name}`
    const path = fs.resolvePath(cwd, shown)
    if (await fs.exists(path)) continue
    try {
      if (options.isDry) return { stdout: `${shown}\n`, stderr: '', exitCode: 0 }
      await (options.kind === 'directory' ? fs.mkdir(path) : fs.writeFile(path, ''))
      await fs.chmod(path, options.kind === 'directory' ? 0o700 : 0o600)
    } catch (error) {
      return failed(
        'mktemp',
        `failed to create ${options.kind} via template '${template}': ${error instanceof Error ? error.message : String(error)}`,
      )
    }
    return { stdout: `${shown}\n`, stderr: '', exitCode: 0 }
  }
  return failed('mktemp', `no free name was found for template '${template}' in ${maxAttempts} attempts`)
}

interface Options {
  kind: 'file' | 'directory'
  /** Only a free name is wanted. */
  isDry: boolean
  inTemporary: boolean
  /** `-t`: the variable TMPDIR goes before `-p`. */
  isOldForm: boolean
  folder?: string
  template?: string
  suffix: string
}

function parse(given: readonly string[]): Options | string {
  // `-dt` is `-d -t`; `-dp FOLDER` is `-d -p FOLDER`.
  const args = given.flatMap(arg => (/^-[dqut]+p?$/.test(arg) ? Array.from(arg.slice(1), letter => `-${letter}`) : [arg]))
  const options: Options = { kind: 'file', isDry: false, inTemporary: false, isOldForm: false, suffix: '' }
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    const folder = /^(?:--tmpdir=|-p)(.+)$/.exec(arg)?.[1] ?? (arg === '-p' ? args[(index += 1)] : undefined)
    const [, suffix = arg === '--suffix' ? args[(index += 1)] : undefined] = /^--suffix=([^]*)$/.exec(arg) ?? []
    if (folder !== undefined) options.folder = folder
    else if (suffix !== undefined) options.suffix = suffix
    else if (arg === '-d' || arg === '--directory') options.kind = 'directory'
    else if (arg === '-u' || arg === '--dry-run') options.isDry = true
    else if (arg === '-t' || arg === '--tmpdir') {
      options.inTemporary = true
      options.isOldForm ||= arg === '-t'
    } else if (arg === '-q' || arg === '--quiet' || arg === '--') continue
    else if (arg.startsWith('--')) return `unrecognized option '${arg}'`
    else if (arg.startsWith('-')) return `invalid option -- '${arg.charAt(1)}'`
    else if (options.template === undefined) options.template = arg
    else return 'too many templates'
  }
  return options
}

function randomName(length: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(length)), byte => letters[byte % letters.length]).join('')
}

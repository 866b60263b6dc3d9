// install: copies with a mode, and makes directories.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { reasonOf, namesDirectory } from '../../errno.ts'
import { type Arguments, has, optionTable, parseArguments, valueOf } from '../options.ts'
import { complain, pathOf, statIfThere } from '../program.ts'
import { quotedName } from '../quoted-name.ts'
import { changeMode } from './modes.ts'
import { targetOptions, movesOf, backUp } from './moves.ts'
import { copyTree, isFlow } from './tree-operations.ts'

const installOptions = {
  ...targetOptions,
  ...optionTable(`
    -d --directory: d, -m --mode: mode=, -D: D, -o --owner -g --group: owner=, -p --preserve-timestamps: p, -C -c: ignored
  `),
}

export async function install(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, installOptions)
  if (typeof parsed === 'string') return complain(context, 'install', parsed)
  const owner = parsed.options.find(({ name, value }) => name === 'owner' && value !== 'user' && value !== '1000')
  if (owner !== undefined) return complain(context, 'install', `every file belongs to 'user' here; leave '${owner.value}' out`)
  const written = valueOf(parsed, 'mode')
  const mode = written === undefined ? 0o755 : changeMode(written, 0, false, 0)
  if (mode === undefined) return complain(context, 'install', `invalid mode '${written ?? ''}'`)
  try {
    if (has(parsed, 'd')) {
      if (has(parsed, 'target'))
        return await complain(context, 'install', 'target directory not allowed when installing a directory')
      let directoryCode = parsed.operands.length === 0 ? await complain(context, 'install', 'missing file operand') : 0
      for (const name of parsed.operands) {
        const missing = await missingAbove(context, name)
        try {
          await context.files.mkdir(pathOf(context, name), { recursive: true, mode: 0o755 })
          await context.files.chmod(pathOf(context, name), mode)
        } catch (error) {
          if (isFlow(error)) throw error
          directoryCode = await complain(context, 'install', `cannot create directory ‘${name}’: ${reasonOf(error)}`)
          continue
        }
        await announce(context, parsed, missing)
      }
      return directoryCode
    }
    const last = valueOf(parsed, 'target') ?? parsed.operands.at(-1) ?? ''
    const parent = has(parsed, 'target') ? pathOf(context, last) : pathOf(context, last).replace(/\/[^/]*$/, '') || '/'
    if (has(parsed, 'D')) {
      const above = has(parsed, 'target') ? last : last.replace(/\/?[^/]*$/, '')
      const missing = await missingAbove(context, above)
      await context.files.mkdir(parent, { recursive: true, mode: 0o755 })
      await announce(context, parsed, missing)
    }
  } catch (error) {
    if (isFlow(error)) throw error
    return complain(context, 'install', reasonOf(error))
  }
  const moves = await movesOf(context, 'install', parsed)
  if (typeof moves === 'string') return complain(context, 'install', moves)
  let code = 0
  for (const { from, to } of moves) {
    if (namesDirectory(from) && (await statIfThere(context, pathOf(context, from)))?.kind === 'file') {
      code = await complain(context, 'install', `cannot stat ${quotedName(from)}: Not a directory`)
      continue
    }
    const options = {
      name: 'install',
      isRecursive: false,
      keepsLinks: false,
      keepsTimes: has(parsed, 'p'),
      keepsMode: false,
      overwrites: 'always',
      isVerbose: has(parsed, 'v'),
      removesTarget: true,
      makes: 'copy',
      backUp: (path: string) => backUp(context, path, parsed),
    } as const
    const copied = await copyTree(context, pathOf(context, from), pathOf(context, to), from, to, options)
    if (copied === 0) await context.files.chmod(pathOf(context, to), mode)
    code = copied || code
  }
  return code
}

/** The directories on the way to `name`, and itself, that are not there. */
async function missingAbove(context: ShellCommandContext, name: string): Promise<readonly string[]> {
  const parts = name.split('/')
  const missing: string[] = []
  for (const [index, part] of parts.entries()) {
    const above = parts.slice(0, index + 1).join('/')
    if (part !== '' && (await statIfThere(context, pathOf(context, above))) === undefined) missing.push(above)
  }
  return missing
}

async function announce(context: ShellCommandContext, parsed: Arguments, made: readonly string[]): Promise<void> {
  if (!has(parsed, 'v')) return
  for (const one of made) await context.stdout.write(`install: creating directory ${quotedName(one)}\n`)
}

// rm: removes files and directories.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { pathFrom } from '../../physical-files.ts'
import { reasonOf } from '../../errno.ts'
import { type Arguments, has, parseArguments, optionTable } from '../options.ts'
import { childOf, complain, statIfThere } from '../program.ts'
import { quotedName } from '../quoted-name.ts'
import { Questions } from './questions.ts'
import { isFlow } from './tree-operations.ts'

const rmOptions = optionTable(`
  -r -R --recursive: r, -f --force: f, -d --dir: d, -v --verbose: v, -i: i, -I: once, --interactive: interactive?,
  --one-file-system: ignored, --preserve-root: ignored?, --no-preserve-root: ignored
`)

export async function rm(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, rmOptions)
  if (typeof parsed === 'string') return complain(context, 'rm', parsed)
  const asks = howOftenAsked(parsed)
  const isForced = has(parsed, 'f') && asks !== 'always'
  const count = parsed.operands.length
  if (count === 0) return isForced ? 0 : complain(context, 'rm', 'missing operand')
  const questions = asks === 'never' ? undefined : new Questions(context, 'rm')
  if (asks === 'once' && (count > 3 || has(parsed, 'r'))) {
    const how = has(parsed, 'r') ? ' recursively' : ''
    if ((await questions?.ask(`remove ${count} argument${count === 1 ? '' : 's'}${how}`)) === false) return 0
  }
  let code = 0
  for (const name of parsed.operands) {
    const problem = await removeOne(context, name, parsed, isForced, asks === 'always' ? questions : undefined)
    if (problem !== undefined) code = await complain(context, 'rm', problem)
  }
  return code
}

/** The last of `-f`, `-i`, `-I` and `--interactive` applies. */
function howOftenAsked({ options }: Arguments): 'always' | 'once' | 'never' {
  const last = options.findLast(({ name }) => /^(?:f|i|once|interactive)$/.test(name))
  if (last?.name === 'i' || (last?.name === 'interactive' && /^(?:|always|yes)$/.test(last.value))) return 'always'
  return last?.name === 'once' || last?.value === 'once' ? 'once' : 'never'
}

async function removeOne(
  context: ShellCommandContext,
  name: string,
  parsed: Arguments,
  isForced: boolean,
  questions: Questions | undefined,
): Promise<string | undefined> {
  const { files, cwd } = context
  const trimmed = name.replace(/\/+$/, '')
  if (/(?:^|\/)\.\.?$/.test(trimmed)) return `refusing to remove '.' or '..' directory: skipping ${quotedName(name)}`
  if (name === '') return isForced ? undefined : "cannot remove '': No such file or directory"
  const path = pathFrom(cwd, name)
  if (path === '/') return "it is dangerous to operate recursively on '/'"
  const found = await statIfThere(context, path, false)
  if (found === undefined) return isForced ? undefined : `cannot remove ${quotedName(name)}: No such file or directory`
  if (trimmed !== name && found.kind !== 'directory') return `cannot remove ${quotedName(name)}: Not a directory`
  if (`${cwd}/`.startsWith(`${path}/`))
    return `refusing to remove ${quotedName(name)}, which holds the working directory; cd elsewhere first`
  try {
    if (found.kind !== 'directory') {
      const kind = found.kind === 'symlink' ? 'symbolic link' : found.sizeBytes === 0 ? 'regular empty file' : 'regular file'
      if (questions !== undefined && !(await questions.ask(`remove ${kind} ${quotedName(name)}`))) return undefined
      await files.rm(path, {})
    } else if (has(parsed, 'r')) {
      if (questions !== undefined) return await removeAsked(context, path, name, parsed, questions)
      if (has(parsed, 'v')) await removeVerbosely(context, path, name)
      else await files.rm(path, { recursive: true })
      return undefined
    } else if (has(parsed, 'd')) await files.rm(path, { emptyDirectory: true })
    else return `cannot remove ${quotedName(name)}: Is a directory`
  } catch (error) {
    if (isFlow(error)) throw error
    return `cannot remove ${quotedName(name)}: ${reasonOf(error)}`
  }
  if (has(parsed, 'v'))
    await context.stdout.write(`removed ${found.kind === 'directory' ? 'directory ' : ''}${quotedName(name)}\n`)
  return undefined
}

/** `rm -ri`: asks before it enters a directory, for each of its entries, and before it removes the directory. */
async function removeAsked(
  context: ShellCommandContext,
  path: string,
  name: string,
  parsed: Arguments,
  questions: Questions,
): Promise<string | undefined> {
  const entries = await context.files.readdir(path)
  if (entries.length > 0 && !(await questions.ask(`descend into directory ${quotedName(name)}`))) return undefined
  for (const entry of entries) {
    const problem = await removeOne(context, childOf(name, entry.name), parsed, false, questions)
    if (problem !== undefined) return problem
  }
  if (!(await questions.ask(`remove directory ${quotedName(name)}`))) return undefined
  await context.files.rm(path, { emptyDirectory: true })
  if (has(parsed, 'v')) await context.stdout.write(`removed directory ${quotedName(name)}\n`)
  return undefined
}

async function removeVerbosely(context: ShellCommandContext, path: string, name: string): Promise<void> {
  const { files, stdout } = context
  for (const entry of await files.readdir(path)) {
    const [inner, shown] = [childOf(path, entry.name), childOf(name, entry.name)]
    if (entry.kind === 'directory') await removeVerbosely(context, inner, shown)
    else {
      await files.rm(inner, {})
      await stdout.write(`removed ${quotedName(shown)}\n`)
    }
  }
  await files.rm(path, { emptyDirectory: true })
  await stdout.write(`removed directory ${quotedName(name)}\n`)
}

// Commands that answer for the one user, the one machine and the missing terminal: groups, tty, arch, logname, users, who, tput,
// sync, chown and chgrp.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { has, optionTable, parseArguments, valueOf } from '../options.ts'
import { childOf, complain, pathOf } from '../program.ts'
import { quotedName } from '../quoted-name.ts'
import { reasonOf } from '../../errno.ts'

const userId = '1000'

function userOf({ env }: ShellCommandContext): string {
  return env['USER'] ?? 'user'
}

export async function groups(context: ShellCommandContext): Promise<number> {
  const user = userOf(context)
  let code = 0
  for (const name of context.args.length === 0 ? [user] : context.args) {
    if (name !== user) code = await complain(context, 'groups', `'${name}': no such user`)
    else await context.stdout.write(context.args.length === 0 ? `${user}\n` : `${name} : ${user}\n`)
  }
  return code
}

export async function tty(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, { '-s': 's', '--silent': 's', '--quiet': 's' })
  if (typeof parsed === 'string') return complain(context, 'tty', parsed, 2)
  const [extra] = parsed.operands
  if (extra !== undefined) return complain(context, 'tty', `extra operand '${extra}'`, 2)
  if (!has(parsed, 's')) await context.stdout.write('not a tty\n')
  return 1
}

export async function arch(context: ShellCommandContext): Promise<number> {
  const [extra] = context.args
  if (extra !== undefined) return complain(context, 'arch', `extra operand '${extra}'`)
  await context.stdout.write('x86_64\n')
  return 0
}

export async function logname(context: ShellCommandContext): Promise<number> {
  return complain(context, 'logname', 'no login name')
}

/** Nobody is logged in. */
export async function who(context: ShellCommandContext): Promise<number> {
  const option = context.args.find(arg => !/^-[Hamiqsu]*$/.test(arg))
  return option?.startsWith('-') === true ? complain(context, 'who', `option '${option}' is not available here; use id`) : 0
}

/** Without a terminal and TERM there are no control sequences. */
export async function tput(context: ShellCommandContext): Promise<number> {
  const [capability = ''] = context.args.filter((arg, index) => arg !== '-T' && context.args[index - 1] !== '-T')
  if (capability === 'cols' || capability === 'lines') {
    await context.stdout.write(capability === 'cols' ? '80\n' : '24\n')
    return 0
  }
  return complain(context, 'tput', 'No value for $TERM and no -T specified', 2)
}

/** Everything that a command wrote is stored when it ends. */
export async function sync(context: ShellCommandContext): Promise<number> {
  let code = 0
  for (const name of context.args) {
    if (name.startsWith('-')) continue
    try {
      await context.files.stat(pathOf(context, name))
    } catch (error) {
      code = await complain(context, 'sync', `error opening ${quotedName(name)}: ${reasonOf(error)}`)
    }
  }
  return code
}

const ownerOptions = optionTable(`
  -R --recursive: R, -v --verbose: v, -c --changes: c, -f --silent --quiet: f, -h --no-dereference: h,
  --dereference: dereference, -H: H, -L: L, -P: P, --from: from=, --reference: reference=, --no-preserve-root: no-root,
  --preserve-root: root
`)

/** The one user owns all files, and may give none away. */
export async function changeOwner(command: 'chown' | 'chgrp', context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, ownerOptions)
  if (typeof parsed === 'string') return complain(context, command, parsed)
  const isReference = valueOf(parsed, 'reference') !== undefined
  const [owner = ''] = parsed.operands
  const names = isReference ? parsed.operands : parsed.operands.slice(1)
  if (names.length === 0)
    return complain(
      context,
      command,
      isReference || owner === '' ? 'missing operand' : `missing operand after ${quotedName(owner)}`,
    )
  const user = userOf(context)
  const wanted = isReference ? [] : command === 'chgrp' ? [owner] : owner.split(/[:.]/)
  const known = [user, userId, 'root', '0', '']
  const wrong = wanted.findIndex(name => !known.includes(name) && !/^\d+$/.test(name))
  if (wrong >= 0) {
    const kind = command === 'chgrp' || wrong > 0 ? 'group' : 'user'
    return complain(context, command, `invalid ${kind}: ${quotedName(owner)}`)
  }
  const isOwn = wanted.every(name => [user, userId, ''].includes(name))
  let code = 0
  const change = async (name: string): Promise<void> => {
    try {
      const { kind } = await context.files[has(parsed, 'h') ? 'lstat' : 'stat'](pathOf(context, name))
      if (!isOwn) {
        const what = command === 'chgrp' || wanted[0] === '' ? 'group' : 'ownership'
        code = 1
        if (!has(parsed, 'f'))
          await complain(context, command, `changing ${what} of ${quotedName(name)}: Operation not permitted`)
      } else if (has(parsed, 'v'))
        await context.stdout.write(
          command === 'chown'
            ? `ownership of ${quotedName(name)} retained as ${owner}\n`
            : `group of ${quotedName(name)} retained as ${owner}\n`,
        )
      if (kind === 'directory' && has(parsed, 'R'))
        for (const entry of await context.files.readdir(pathOf(context, name)))
          if (entry.kind !== 'symlink') await change(childOf(name, entry.name))
    } catch (error) {
      code = 1
      if (!has(parsed, 'f')) await complain(context, command, `cannot access ${quotedName(name)}: ${reasonOf(error)}`)
    }
  }
  for (const name of names) await change(name)
  return code
}

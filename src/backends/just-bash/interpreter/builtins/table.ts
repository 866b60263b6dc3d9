// The builtins, by name.

import { aliasBuiltin, unaliasBuiltin } from './alias.ts'
import type { Builtin } from './builtin.ts'
import { cd, enter, pwd } from './directories.ts'
import { declare, exportBuiltin, local, readonly, unset } from './declare.ts'
import { breakBuiltin, continueBuiltin, evalBuiltin, exec, exit, logout, returnBuiltin, source } from './control.ts'
import { echo } from './echo.ts'
import { bg, disown, fg, jobs, kill, wait } from './jobs.ts'
import { builtin, command, type } from './lookup.ts'
import { printf } from './printf.ts'
import { mapfile, read } from './read.ts'
import { history } from './history.ts'
import { letBuiltin, set, shift, shopt } from './set.ts'
import { caller, times, trap, ulimit, umask } from './system.ts'
import { test } from './test.ts'

// Loaded with the first use: completions have no effect without a terminal.
const complete: Builtin = async (...call) => (await import('./complete.ts')).complete(...call)
const compopt: Builtin = async (...call) => (await import('./complete.ts')).compopt(...call)
const compgen: Builtin = async (...call) => (await import('./compgen.ts')).compgen(...call)

// Loaded with the first use, because few scripts call them.
const knownCommands = (): Promise<typeof import('./known-commands.ts')> => import('./known-commands.ts')
const enable: Builtin = async (...call) => (await knownCommands()).enable(...call)
const directoryStack = (): Promise<typeof import('./directory-stack.ts')> => import('./directory-stack.ts')
const dirs: Builtin = async (...call) => (await directoryStack()).dirs(...call)
const popd: Builtin = async (...call) => (await directoryStack()).popd(enter)(...call)
const pushd: Builtin = async (...call) => (await directoryStack()).pushd(enter)(...call)
const getopts: Builtin = async (...call) => (await import('./getopts.ts')).getopts(...call)
const hash: Builtin = async (...call) => (await knownCommands()).hash(...call)
const help: Builtin = async (...call) => (await knownCommands()).help(...call)

const succeed: Builtin = () => Promise.resolve(0)

export const builtins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  [':', succeed],
  ['true', succeed],
  ['false', () => Promise.resolve(1)],
  ['[', test],
  ['test', test],
  ['echo', echo],
  ['printf', printf],
  ['cd', cd],
  ['pwd', pwd],
  ['pushd', pushd],
  ['popd', popd],
  ['dirs', dirs],
  ['declare', declare],
  ['typeset', declare],
  ['local', local],
  ['export', exportBuiltin],
  ['readonly', readonly],
  ['unset', unset],
  ['set', set],
  ['shopt', shopt],
  ['shift', shift],
  ['let', letBuiltin],
  ['eval', evalBuiltin],
  ['exec', exec],
  ['exit', exit],
  ['logout', logout],
  ['return', returnBuiltin],
  ['break', breakBuiltin],
  ['continue', continueBuiltin],
  ['source', source],
  ['.', source],
  ['read', read],
  ['mapfile', mapfile],
  ['readarray', mapfile],
  ['trap', trap],
  ['umask', umask],
  ['ulimit', ulimit],
  ['times', times],
  ['caller', caller],
  ['wait', wait],
  ['jobs', jobs],
  ['kill', kill],
  ['disown', disown],
  ['fg', fg],
  ['bg', bg],
  ['type', type],
  ['command', command],
  ['builtin', builtin],
  ['enable', enable],
  ['hash', hash],
  ['help', help],
  ['alias', aliasBuiltin],
  ['unalias', unaliasBuiltin],
  ['getopts', getopts],
  ['history', history],
  ['compgen', compgen],
  ['complete', complete],
  ['compopt', compopt],
])

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
  ...Object.entries({ ':': succeed, true: succeed, false: () => Promise.resolve(1), '[': test, test, echo, printf }),
  ...Object.entries({ cd, pwd, pushd, popd, dirs }),
  ...Object.entries({
    declare,
    typeset: declare,
    local,
    export: exportBuiltin,
    readonly,
    unset,
    set,
    shopt,
    shift,
    let: letBuiltin,
  }),
  ...Object.entries({ eval: evalBuiltin, exec, exit, logout, return: returnBuiltin, break: breakBuiltin }),
  ...Object.entries({ continue: continueBuiltin, source, '.': source, read, mapfile, readarray: mapfile }),
  ...Object.entries({ trap, umask, ulimit, times, caller, wait, jobs, kill, disown, fg, bg }),
  ...Object.entries({ type, command, builtin, enable, hash, help, alias: aliasBuiltin, unalias: unaliasBuiltin }),
  ...Object.entries({ getopts, history, compgen, complete, compopt }),
])

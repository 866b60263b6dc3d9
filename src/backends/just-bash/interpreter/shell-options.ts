// The options of `set` and `shopt`.

import type { Run } from './run.ts'
import { Descriptors } from './descriptors.ts'
import type { Shell } from './shell.ts'

export const optionLetters: Readonly<Record<string, string>> = {
  a: 'allexport',
  b: 'notify',
  B: 'braceexpand',
  C: 'noclobber',
  e: 'errexit',
  E: 'errtrace',
  f: 'noglob',
  h: 'hashall',
  H: 'histexpand',
  k: 'keyword',
  m: 'monitor',
  n: 'noexec',
  p: 'privileged',
  P: 'physical',
  T: 'functrace',
  t: 'onecmd',
  u: 'nounset',
  v: 'verbose',
  x: 'xtrace',
}

export const optionNames: readonly string[] = [
  ...Object.values(optionLetters),
  'emacs',
  'history',
  'ignoreeof',
  'interactive-comments',
  'nolog',
  'pipefail',
  'posix',
  'vi',
].sort()

function optionOfLetter(letter: string): string | undefined {
  return optionLetters[letter]
}

export const shoptNames: readonly string[] = [
  'autocd assoc_expand_once cdable_vars cdspell checkhash checkjobs checkwinsize cmdhist compat31 compat32 compat40 compat41 compat42',
  'compat43 compat44 complete_fullquote direxpand dirspell dotglob execfail expand_aliases extdebug extglob extquote failglob force_fignore',
  'globasciiranges globskipdots globstar gnu_errfmt histappend histreedit histverify hostcomplete huponexit inherit_errexit',
  'interactive_comments lastpipe lithist localvar_inherit localvar_unset login_shell mailwarn no_empty_cmd_completion nocaseglob',
  'nocasematch noexpand_translation nullglob patsub_replacement progcomp progcomp_alias promptvars restricted_shell shift_verbose',
  'sourcepath varredir_close xpg_echo',
].flatMap(line => line.split(' '))

export const initialShopts: readonly string[] = [
  'checkwinsize cmdhist complete_fullquote extquote force_fignore globasciiranges globskipdots hostcomplete interactive_comments',
  'patsub_replacement progcomp promptvars sourcepath',
].flatMap(line => line.split(' '))

export interface ShellOptions {
  readonly run: Run
  readonly descriptors: Descriptors
  readonly environment: Readonly<Record<string, string>>
  readonly cwd: string
  /** `cwd` without links. */
  readonly directory?: string
  readonly name: string
  readonly parameters: readonly string[]
  readonly parentPid: number
  /** Whether the shell was started as `bash -c`, as for the scripts of the workspace. */
  readonly isCommandString: boolean
  /** An interactive session. Errors have no line numbers, and end only the command. */
  readonly isInteractive?: boolean
  /** The process that waits for this one. If it ends, this process ends too. */
  readonly parent?: Shell | undefined
  readonly signal: AbortSignal
}

export function byFlagOrder(one: string, other: string): number {
  const rank = (letter: string): number => (letter === letter.toLowerCase() ? 0 : 1)
  return rank(one) - rank(other) || (one < other ? -1 : 1)
}

/** Returns false if a letter is not an option. */
export function setOptionLetters(shell: Shell, letters: string, isOn: boolean): boolean {
  const names = Array.from(letters, optionOfLetter)
  for (const name of names) {
    if (name === undefined) return false
    if (isOn) shell.options.add(name)
    else shell.options.delete(name)
  }
  return true
}

/** Returns false if the option does not exist. */
export function setNamedOption(shell: Shell, name: string, isOn: boolean): boolean {
  if (!optionNames.includes(name)) return false
  if (isOn) shell.options.add(name)
  else shell.options.delete(name)
  if (name === 'posix')
    for (const shopt of ['expand_aliases', 'shift_verbose', ...(isOn ? ['inherit_errexit'] : [])])
      if (isOn) shell.shopts.add(shopt)
      else shell.shopts.delete(shopt)
  return true
}

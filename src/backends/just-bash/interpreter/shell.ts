// The state of one shell process: what a subshell copies and a child shell does not have.

import type { Assignment, Command } from '../syntax/tree.ts'
import type { Description } from './descriptors.ts'
import { Descriptors } from './descriptors.ts'
import { Killed, ReadonlyError, ShellError } from './flow.ts'
import { Jobs } from './jobs.ts'
import type { Run } from './run.ts'
import { DynamicVariables } from './dynamic-variables.ts'
import { Variables, type Variable } from './variables.ts'

export interface Frame {
  readonly name: string
  readonly source: string
  /** Of the call. */
  readonly line: number
}

const optionLetters: Readonly<Record<string, string>> = {
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
  ...Object.values(optionLetters).filter(name => name !== 'onecmd'),
  'emacs',
  'history',
  'ignoreeof',
  'interactive-comments',
  'nolog',
  'pipefail',
  'posix',
  'vi',
].sort()

export function optionOfLetter(letter: string): string | undefined {
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

const initialShopts = [
  'checkwinsize cmdhist complete_fullquote extquote force_fignore globasciiranges globskipdots hostcomplete interactive_comments',
  'patsub_replacement progcomp promptvars sourcepath',
].flatMap(line => line.split(' '))

export interface ShellOptions {
  readonly run: Run
  readonly descriptors: Descriptors
  readonly environment: Readonly<Record<string, string>>
  readonly cwd: string
  readonly name: string
  readonly parameters: readonly string[]
  readonly parentPid: number
  /** `bash -c`, as which a script of the workspace runs. */
  readonly isCommandString: boolean
  /** A session: what is wrong is reported without lines, and ends only the command. */
  readonly isInteractive?: boolean
  /** The process that waits for this one: what ends it ends this one too. */
  readonly parent?: Shell | undefined
  readonly signal: AbortSignal
}

/** What completes the words of a command, as `complete` was told. */
export interface CompletionSpec {
  readonly options: Set<string>
  readonly actions: Set<string>
  /** By letter: `-F` and the others that take a text. */
  readonly values: Map<string, string>
}

export class Shell {
  readonly run: Run
  variables: Variables
  readonly functions: Map<string, Command>
  readonly exportedFunctions: Set<string>
  readonly readonlyFunctions: Set<string> = new Set()
  /** They inherit the traps of DEBUG and RETURN. */
  readonly tracedFunctions: Set<string>
  readonly functionLines: Map<string, number> = new Map()
  /** The file that defined a function. */
  readonly functionSources: Map<string, string> = new Map()
  readonly disabledBuiltins: Set<string> = new Set()
  readonly options: Set<string>
  readonly shopts: Set<string>
  readonly aliases: Map<string, string>
  /** What `complete` was told, by command. */
  readonly completions: Map<string, CompletionSpec>
  readonly traps: Map<string, string>
  /** What a subshell shows as its traps until it sets one: those of the shell that it comes from. */
  shownTraps: ReadonlyMap<string, string> | undefined
  readonly jobs: Jobs
  descriptors: Descriptors
  cwd: string
  /** `$0`. */
  name: string
  parameters: string[]
  status = 0
  /** Of the last pipeline. */
  pipeStatus: readonly number[] = []
  line = 0
  lastBackgroundPid: number | undefined
  readonly pid: number
  /** `$$`: also in subshells the pid of the shell that they come from. */
  readonly mainPid: number
  readonly parentPid: number
  subshellDepth = 0
  loopDepth = 0
  frames: Frame[] = []
  /** How deep `source` and functions are: what may be returned from. */
  returnDepth = 0
  /** A failing command does not end the shell here, whatever `set -e` says: it stands in a condition. */
  ignoresErrexit = false
  /** A file of the last compound command could not be opened, so that nothing in it ran. */
  missesFile = false
  /** The status of the last command substitution: what an assignment alone answers with. */
  substitutionStatus: number | undefined
  lastArgument = ''
  directoryStack: string[] = []
  startedAtMs: number = performance.now()
  secondsBase = 0
  getoptsPlace = { index: 0, offset: 0 }
  isInTrap = false
  /** Signals that arrived and wait for the next command. */
  readonly pendingSignals: string[] = []
  killedBy: number | undefined
  /** Killed by a process that it waits for: its children go on. */
  #leavesChildren = false
  /** A job of `&`. */
  isBackground = false
  randomSeed: number | undefined
  /** On `performance.now()`: it is over then. */
  deadlineMs: number | undefined
  readonly isCommandString: boolean
  readonly isInteractive: boolean
  /** The commands of a session so far. */
  lineHistory: string[] = []
  readonly #parent: Shell | undefined
  readonly #outerSignal: AbortSignal
  #controller: AbortController | undefined
  #unlink: (() => void) | undefined
  readonly openedProcesses: { readonly path: string; readonly ended: Promise<unknown>; readonly isAwaited: boolean }[] = []
  /** Of the command that is being run: see declared-assignments.ts. */
  keptAssignments: Assignment[] = []
  /** For each function that runs: the options that `local -` keeps. */
  readonly localOptions: (ReadonlySet<string> | undefined)[] = []
  /** Called when a signal with a trap arrives: ends a `wait`. */
  onSignal: (() => void) | undefined
  /** What `$BASH_COMMAND` says. */
  currentCommand = ''
  umask = 0o022

  constructor(options: ShellOptions, from?: Shell) {
    this.run = options.run
    this.descriptors = options.descriptors
    this.cwd = options.cwd
    this.name = options.name
    this.parameters = [...options.parameters]
    this.parentPid = options.parentPid
    this.isCommandString = options.isCommandString
    this.isInteractive = options.isInteractive ?? false
    this.#parent = options.parent
    this.#outerSignal = options.signal
    this.pid = options.run.nextPid()
    this.mainPid = from?.mainPid ?? this.pid
    this.functions = new Map(from?.functions)
    this.exportedFunctions = new Set(from?.exportedFunctions)
    this.tracedFunctions = new Set(from?.tracedFunctions)
    this.options = new Set(from?.options ?? ['braceexpand', 'hashall', 'interactive-comments'])
    this.shopts = new Set(from?.shopts ?? initialShopts)
    this.aliases = new Map(from?.aliases)
    this.completions = new Map(from?.completions)
    this.traps = new Map(from?.traps)
    this.jobs = new Jobs()
    if (from === undefined) {
      this.variables = new Variables(new DynamicVariables(this))
      for (const [name, value] of Object.entries(options.environment)) {
        const variable = this.variables.obtain(name)
        variable.scalar = value
        variable.isExported = true
      }
    } else {
      this.variables = from.variables.fork(new DynamicVariables(this, from.variables.dynamic.removed))
      this.status = from.status
      this.pipeStatus = from.pipeStatus
      this.line = from.line
      this.lastBackgroundPid = from.lastBackgroundPid
      this.subshellDepth = from.subshellDepth + 1
      this.loopDepth = 0
      this.frames = [...from.frames]
      this.returnDepth = from.returnDepth
      this.ignoresErrexit = from.ignoresErrexit
      this.lastArgument = from.lastArgument
      this.directoryStack = [...from.directoryStack]
      this.startedAtMs = from.startedAtMs
      this.secondsBase = from.secondsBase
      this.umask = from.umask
      this.getoptsPlace = { ...from.getoptsPlace }
      this.currentCommand = from.currentCommand
      this.traceDepth = from.traceDepth
    }
  }

  /** A subshell: a copy that changes nothing of this one but the files. `parent` null: it goes on when this one is interrupted. */
  fork(descriptors: Descriptors = this.descriptors.fork(), parent: Shell | null = this): Shell {
    const { run, cwd, name, parameters, parentPid, isCommandString } = this
    const copy = new Shell(
      {
        run,
        descriptors,
        environment: {},
        cwd,
        name,
        parameters,
        parentPid,
        isCommandString,
        parent: parent ?? undefined,
        signal: this.#outerSignal,
      },
      this,
    )
    run.processes.set(copy.pid, copy)
    copy.shownTraps = this.shownTraps ?? new Map(this.traps)
    // Traps stay with the shell that set them, but for signals that are ignored.
    for (const [signal, command] of [...copy.traps]) {
      const isKept = command === '' || (signal === 'ERR' && copy.options.has('errtrace'))
      if (!isKept && signal !== 'RETURN' && signal !== 'DEBUG') copy.traps.delete(signal)
      else if (signal === 'RETURN' || signal === 'DEBUG') if (!copy.options.has('functrace')) copy.traps.delete(signal)
    }
    return copy
  }

  has(option: string): boolean {
    return this.options.has(option)
  }

  hasShopt(name: string): boolean {
    return this.shopts.has(name)
  }

  /** Ends this process at its next command, and whatever it waits for now; but not `sender`, when it waits for that. */
  kill(status: number, sender?: Shell): void {
    if (this.killedBy !== undefined) return
    this.killedBy = status
    this.#leavesChildren = sender !== undefined && sender.#isAwaitedBy(this)
    if (!this.#leavesChildren) this.#controller?.abort()
  }

  #isAwaitedBy(ancestor: Shell): boolean {
    if (this.isBackground || this === ancestor) return false
    const parent = this.#parent
    return parent !== undefined && (parent === ancestor || parent.#isAwaitedBy(ancestor))
  }

  /** After a command of a session was interrupted: the next one runs. */
  revive(): void {
    this.#unlink?.()
    this.#unlink = undefined
    this.#controller = undefined
    this.killedBy = undefined
  }

  /** Aborts when this process or the whole run must end. */
  get signal(): AbortSignal {
    if (this.#controller !== undefined) return this.#controller.signal
    const outer = this.#parent?.signal ?? this.#outerSignal
    const controller = new AbortController()
    this.#controller = controller
    const abort = (): void => controller.abort()
    if (outer.aborted || this.killedBy !== undefined) abort()
    else outer.addEventListener('abort', abort, { once: true })
    this.#unlink = () => outer.removeEventListener('abort', abort)
    return controller.signal
  }

  /** Throws when this process or the whole run must end. */
  checkAlive(): void {
    if (this.killedBy !== undefined) throw new Killed(this.killedBy)
    if (this.#outerSignal.aborted || this.run.isStopped()) throw new Killed(143)
    this.#checkDeadline()
    for (let above = this.#parent; above !== undefined; above = above.#parent) {
      if (above.killedBy !== undefined && !above.#leavesChildren) throw new Killed(above.killedBy)
      above.#checkDeadline()
    }
  }

  #checkDeadline(): void {
    if (this.deadlineMs !== undefined && performance.now() >= this.deadlineMs) throw new Killed(143)
  }

  /** It is over: lets go of what it holds. */
  async end(): Promise<void> {
    this.#unlink?.()
    this.run.processes.delete(this.pid)
    await this.descriptors.closeAll()
  }

  /** A message on standard error, as bash writes it. */
  async complain(message: string): Promise<void> {
    await this.writeError(`${this.messagePrefix}${message}\n`)
  }

  get messagePrefix(): string {
    const frame = this.frames.at(-1)
    if (frame !== undefined && frame.name === 'source') return `${frame.source}: line ${this.line}: `
    if (this.isInteractive) return `${this.name}: `
    if (!this.isCommandString) return `${frame?.source || this.name}: line ${this.line}: `
    return frame === undefined ? `${this.name}: line ${this.line}: ` : `environment: line ${this.line}: `
  }

  async writeError(text: string): Promise<void> {
    await this.run.writeTo(this.descriptors.get(2), text)
  }

  /** A line of `set -x`. */
  async writeTrace(text: string): Promise<void> {
    const prefix = this.variables.get('PS4') ?? '+ '
    const first = Array.from(prefix)[0] ?? ''
    const expanded = await this.expandPrompt(prefix.slice(first.length))
    await this.writeError(`${first.repeat(1 + this.traceDepth)}${expanded}${text}\n`)
  }

  /** How many substitutions deep: each repeats the first character of `PS4`. */
  traceDepth = 0

  /** Set once, like `evaluate`. */
  static expandPromptOf: (shell: Shell, text: string) => Promise<string> = (_shell, text) => Promise.resolve(text)

  expandPrompt(text: string): Promise<string> {
    return text.includes('$') || text.includes('`') ? Shell.expandPromptOf(this, text) : Promise.resolve(text)
  }

  async withScope<T>(work: () => Promise<T>): Promise<T> {
    this.variables.enterScope()
    try {
      return await work()
    } finally {
      this.variables.leaveScope()
    }
  }

  restoreOptions(options: ReadonlySet<string>): void {
    this.options.clear()
    for (const option of options) this.options.add(option)
  }

  get outerSignal(): AbortSignal {
    return this.#outerSignal
  }

  /** The variable as everything that expands asks for it: `undefined` when it is unset. */
  get(name: string): string | undefined {
    if (/^[A-Za-z_]/.test(name)) return this.variables.get(name)
    switch (name) {
      case '?':
        return String(this.status)
      case '$':
        return String(this.mainPid)
      case '#':
        return String(this.parameters.length)
      case '!':
        return this.lastBackgroundPid === undefined ? undefined : String(this.lastBackgroundPid)
      case '-':
        return this.flags()
      case '0':
        return this.name
      case '@':
      case '*':
        return this.parameters.length === 0 ? undefined : this.parameters.join(name === '*' ? this.ifsJoiner : ' ')
      default:
        return this.parameters[Number(name) - 1]
    }
  }

  get ifs(): string {
    return this.variables.get('IFS') ?? ' \t\n'
  }

  /** What stands between the elements of `"$*"`. */
  get ifsJoiner(): string {
    const ifs = this.variables.get('IFS')
    return ifs === undefined ? ' ' : (Array.from(ifs)[0] ?? '')
  }

  flags(): string {
    const set = Object.entries(optionLetters).filter(([, name]) => this.options.has(name))
    return (
      set
        .map(([letter]) => letter)
        .sort(byFlagOrder)
        .join('') +
      (this.isInteractive ? 'i' : '') +
      (this.isCommandString ? 'c' : '')
    )
  }

  /** `set name=value` with what the variable's attributes make of it. Throws for one that is read-only. */
  assign(name: string, value: string): void {
    this.assignElement(name, undefined, value)
  }

  assignElement(name: string, subscript: string | undefined, value: string, isAppend = false): void {
    const resolved = this.variables.resolve(name)
    const key = subscript ?? resolved.subscript
    const target = resolved.name
    if (!/^[A-Za-z_]\w*$/.test(target)) throw new ShellError(`\`${target}': not a valid identifier`)
    if (key === undefined && this.variables.dynamic.has(target)) {
      this.variables.dynamic.set(target, value)
      return
    }
    if (this.variables.findOwn(target)?.isReadonly === true) throw new ReadonlyError(target)
    const variable = this.variables.obtain(target)
    if (this.options.has('allexport')) variable.isExported = true
    this.assignInto(variable, target, key, value, isAppend)
    this.variables.onChange?.(target)
  }

  /** Sets `variable` as its attributes say. A `key` makes an array of it. */
  assignInto(variable: Variable, name: string, key: string | undefined, value: string, isAppend: boolean): void {
    variable.isSet = true
    const { map } = variable
    if (map !== undefined) {
      const own = key ?? '0'
      if (own === '') throw new ShellError(`${name}[]: bad array subscript`)
      map.set(own, this.#attributed(variable, value, isAppend ? (map.get(own) ?? '') : undefined))
    } else if (key !== undefined || variable.list !== undefined) {
      const list = (variable.list ??= variable.scalar === undefined ? [] : [variable.scalar])
      variable.scalar = undefined
      const index = this.indexOf(name, key ?? '0', list)
      list[index] = this.#attributed(variable, value, isAppend ? (list[index] ?? '') : undefined)
    } else variable.scalar = this.#attributed(variable, value, isAppend ? (variable.scalar ?? '') : undefined)
  }

  /** The place in an indexed array that `subscript` names. */
  indexOf(name: string, subscript: string, list: readonly string[]): number {
    const index = Number(this.evaluate(subscript))
    const place = index < 0 ? list.length + index : index
    if (place < 0) throw new ShellError(`${name}[${subscript}]: bad array subscript`)
    if (place > 4_294_967_000) throw new ShellError(`${name}[${subscript}]: this shell's arrays end at 4294967000`)
    return place
  }

  static evaluateIn: (shell: Shell, expression: string) => bigint = () => 0n

  evaluate(expression: string): bigint {
    return Shell.evaluateIn(this, expression)
  }

  #attributed(variable: Variable, value: string, before: string | undefined): string {
    if (variable.isInteger) {
      const added = this.evaluate(value)
      return String(before === undefined ? added : BigInt.asIntN(64, this.evaluate(before === '' ? '0' : before) + added))
    }
    const text = (before ?? '') + value
    if (variable.letterCase === 'upper') return text.toUpperCase()
    if (variable.letterCase === 'lower') return text.toLowerCase()
    if (variable.letterCase === 'capital') return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()
    return text
  }

  /** `value` as the variable's attributes make it. */
  attributed(variable: Variable, value: string): string {
    return this.#attributed(variable, value, undefined)
  }

  descriptor(fd: number): Description | undefined {
    return this.descriptors.get(fd)
  }
}

function byFlagOrder(one: string, other: string): number {
  const rank = (letter: string): number => (letter === letter.toLowerCase() ? 0 : 1)
  return rank(one) - rank(other) || (one < other ? -1 : 1)
}

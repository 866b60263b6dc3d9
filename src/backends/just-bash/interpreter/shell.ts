// The state of one shell process. A subshell copies it; a child shell starts without it.

import type { Assignment, Command } from '../syntax/tree.ts'
import { Descriptors } from './descriptors.ts'
import { Killed } from './flow.ts'
import type { Frame } from './frame.ts'
import { Jobs } from './jobs.ts'
import { RenewableSignal } from './renewable-signal.ts'
import type { Run } from './run.ts'
import type { TimedSignals } from './timed-signals.ts'
import { applyChange, DynamicVariables } from './dynamic-variables.ts'
import { messagePrefix } from './message-prefix.ts'
import { circleWarning, Variables } from './variables.ts'
import { initialShopts, type ShellOptions } from './shell-options.ts'
import { specialParameter } from './special-parameters.ts'
import { assignElement, heldIn } from './assign-element.ts'
import type { CompletionSpec } from './completion-spec.ts'
import type { HashedCommand } from './hashed-commands.ts'

export class Shell {
  readonly run: Run
  variables: Variables
  readonly functions: Map<string, Command>
  readonly exportedFunctions: Set<string>
  readonly readonlyFunctions: Set<string> = new Set()
  /** Functions that inherit the DEBUG and RETURN traps. */
  readonly tracedFunctions: Set<string>
  readonly functionLines: Map<string, number> = new Map()
  /** The file in which each function was defined. */
  readonly functionSources: Map<string, string> = new Map()
  readonly disabledBuiltins: Set<string> = new Set()
  readonly options: Set<string>
  readonly shopts: Set<string>
  readonly aliases: Map<string, string>
  readonly hashed: Map<string, HashedCommand>
  /** The settings of `complete`, by command name. */
  readonly completions: Map<string, CompletionSpec>
  readonly traps: Map<string, string>
  /** The traps of the parent. A subshell lists them until it sets a trap. */
  shownTraps: ReadonlyMap<string, string> | undefined
  readonly jobs: Jobs
  descriptors: Descriptors
  /** What `pwd` prints. It may lead through links. */
  cwd = '/'
  /** The same directory without links, from which files are found. */
  directory = '/'
  /** The value of `$0`. */
  name: string
  parameters: string[]
  status = 0
  /** The exit codes of the last pipeline. */
  pipeStatus: readonly number[] = []
  line = 0
  /** What is added to lines in messages and in `LINENO`. Others than 0 only in substitutions. */
  lineShift = 0
  /** The last line of the current command, in a text that is parsed line by line. */
  lastReadLine = 0
  lastBackgroundPid: number | undefined
  /** Changed only by `takePlaceOf`. */
  pid: number
  /** The process ID of the main shell, which `$$` gives in subshells too. */
  mainPid: number
  readonly parentPid: number
  subshellDepth = 0
  /** What an assignment to `BASH_SUBSHELL` adds. */
  subshellBase = 0
  loopDepth = 0
  frames: Frame[] = []
  /** The nesting depth of functions and sourced files, which `return` can leave. */
  returnDepth = 0
  /** The nesting depth of texts in this process: `bash -c`, `eval`, `source`, traps and `$( )`. */
  textDepth = 0
  /** In a condition, a failing command does not end the shell under `set -e`. */
  ignoresErrexit = false
  /** A redirection of the last compound command failed, so the command did not run. */
  missesFile = false
  /** The exit code of the last command substitution, which an assignment without a command returns. */
  substitutionStatus: number | undefined
  lastArgument = ''
  directoryStack: string[] = []
  startedAtMs: number = performance.now()
  secondsBase = 0
  getoptsPlace = { index: 0, offset: 0 }
  /** Which of the ERR, DEBUG and RETURN traps run now. None of them runs within itself. */
  readonly runningTraps: Set<string> = new Set()
  /** In a trap, `BASH_COMMAND` stays the command before it. */
  trapDepth = 0
  /** Trapped signals that wait for the end of the current command. */
  readonly pendingSignals: string[] = []
  killedBy: number | undefined
  /** A process that this one waits for has killed it. Its children continue. */
  #leavesChildren = false
  /** Whether this is a background job (`&`). */
  isBackground = false
  /** Whether this holds a program that another program started. It is not a shell of its own. */
  isForProgram = false
  /** A background process that consists of one command. */
  runsOnlyOne = false
  /** Whether this belongs to an interactive session, which has job control. */
  isOfSession = false
  randomSeed: number | undefined
  /** Signals that this process gets at their times, with all that `timeout` has started. */
  timedSignals: TimedSignals | undefined
  /** Programs, other than shells and builtins, that run in this process. */
  programDepth = 0
  #programEndedBy: number | undefined
  readonly isCommandString: boolean
  readonly isInteractive: boolean
  /** The command history of a session. */
  lineHistory: string[] = []
  #parent: Shell | undefined
  readonly outerSignal: AbortSignal
  readonly #signal = new RenewableSignal()
  readonly openedProcesses: { readonly path: string; readonly ended: Promise<unknown>; readonly isAwaited: boolean }[] = []
  /** Assignments in arguments of the running command; see declared-assignments.ts. */
  keptAssignments: Assignment[] = []
  /** The saved options of `local -`, for each running function. */
  readonly localOptions: (ReadonlySet<string> | undefined)[] = []
  /** Called when a trapped signal arrives, to end a `wait`. */
  onSignal: (() => void) | undefined
  /** A command that was announced before this process started. */
  announced: Command | undefined
  /** What `$BASH_COMMAND` shows. */
  currentCommand: Command | (() => string) = () => ''
  umask = 0o022

  constructor(options: ShellOptions, from?: Shell) {
    this.run = options.run
    this.descriptors = options.descriptors
    this.enter(options.cwd, options.directory)
    this.name = options.name
    this.parameters = [...options.parameters]
    this.parentPid = options.parentPid
    this.isCommandString = options.isCommandString
    this.isInteractive = options.isInteractive ?? false
    this.#parent = options.parent
    this.timedSignals = (from ?? options.parent)?.timedSignals
    this.outerSignal = options.signal
    this.pid = options.run.nextPid()
    this.mainPid = from?.mainPid ?? this.pid
    this.functions = new Map(from?.functions)
    this.exportedFunctions = new Set(from?.exportedFunctions)
    this.tracedFunctions = new Set(from?.tracedFunctions)
    this.options = new Set(from?.options ?? ['braceexpand', 'hashall', 'interactive-comments'])
    this.shopts = new Set(from?.shopts ?? initialShopts)
    this.aliases = new Map(from?.aliases)
    this.hashed = new Map(from?.hashed)
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
      this.lineShift = from.lineShift
      this.lastReadLine = from.lastReadLine
      this.isOfSession = from.isOfSession || from.isInteractive
      this.lastBackgroundPid = from.lastBackgroundPid
      this.subshellDepth = from.subshellDepth + 1
      this.subshellBase = from.subshellBase
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
    this.variables.onChange = name => applyChange(this, name)
    this.variables.onCircle = name => this.warnings.push(circleWarning(name))
    this.variables.keyOf = (name, subscript) => {
      const key = heldIn(this, subscript)
      const isList = this.variables.find(name)?.map === undefined && key !== '@' && key !== '*'
      return isList ? String(this.evaluate(key)) : key
    }
  }

  /** Creates a subshell: a copy that shares only the open files. With `parent` null, it continues when this shell is interrupted. */
  fork(descriptors: Descriptors = this.descriptors.fork(), parent: Shell | null = this): Shell {
    const { run, cwd, directory, name, parameters, parentPid, isCommandString } = this
    const copy = new Shell(
      {
        run,
        descriptors,
        environment: {},
        cwd,
        directory,
        name,
        parameters,
        parentPid,
        isCommandString,
        parent: parent ?? undefined,
        signal: this.outerSignal,
      },
      this,
    )
    run.processes.set(copy.pid, copy)
    copy.shownTraps = this.shownTraps ?? new Map(this.traps)
    // A subshell resets traps, except for ignored signals.
    for (const [signal, command] of [...copy.traps]) {
      const isKept = command === '' || (signal === 'ERR' && copy.options.has('errtrace'))
      if (!isKept && signal !== 'RETURN' && signal !== 'DEBUG') copy.traps.delete(signal)
      else if (signal === 'RETURN' || signal === 'DEBUG') if (!copy.options.has('functrace')) copy.traps.delete(signal)
    }
    return copy
  }

  enter(cwd: string, directory: string = cwd): void {
    this.cwd = cwd
    this.directory = directory
  }

  has(option: string): boolean {
    return this.options.has(option)
  }

  hasShopt(name: string): boolean {
    return this.shopts.has(name)
  }

  /** Ends this process at its next command, and interrupts its current wait. A `sender` for which it waits continues. */
  kill(status: number, sender?: Shell): void {
    if (this.killedBy !== undefined) return
    this.killedBy = status
    this.#leavesChildren = sender !== undefined && sender.isAwaitedBy(this)
    if (this.#leavesChildren) return
    this.#signal.abort()
    // What it waits for in a pipe may never come.
    if (this.isBackground && this.traps.size === 0) void this.descriptors.closeInputs()
  }

  /**
   * Takes the process ID of `outer`, a background process that runs only this one: bash starts one process for `( … ) &`, so that
   * signals to `$!` reach its traps.
   */
  takePlaceOf(outer: Shell): void {
    if (!outer.runsOnlyOne || outer.isInFunction) return
    outer.runsOnlyOne = false
    this.run.processes.delete(this.pid)
    if (this.mainPid === this.pid) this.mainPid = outer.pid
    this.pid = outer.pid
    this.isBackground = true
    this.run.processes.set(this.pid, this)
  }

  isAwaitedBy(ancestor: Shell): boolean {
    if (this.isBackground || this === ancestor) return false
    const parent = this.#parent
    return parent !== undefined && (parent === ancestor || parent.isAwaitedBy(ancestor))
  }

  /** Revives a process that a signal has ended, so that its traps can run while the script continues. Returns the cause of the end. */
  reviveForTraps(status: number): 'its own signal' | 'what is around it' | undefined {
    const isOver = this.outerSignal.aborted || this.run.isStopped() || status === 128 + 9
    if (isOver || !this.#isEnded()) return undefined
    const endedBy = this.killedBy === undefined ? 'what is around it' : 'its own signal'
    // As in bash, a subshell `( … )` that is killed runs its traps only if it is a background job.
    if (endedBy === 'its own signal' && this.pid !== this.mainPid && !this.isBackground) return undefined
    this.revive()
    this.#parent = undefined
    return endedBy
  }

  #isEnded(): boolean {
    try {
      this.checkAlive()
      return false
    } catch {
      return true
    }
  }

  /** The line for messages and `LINENO`. */
  get shownLine(): number {
    return this.line + this.lineShift
  }

  get isInFunction(): boolean {
    return this.frames.some(({ name }) => name !== 'source')
  }

  /** Lets the next command run after an interrupt in a session. */
  revive(): void {
    this.#signal.renew()
    this.killedBy = undefined
  }

  /** Ends the program that runs in this process, as the process goes on to a trap. */
  endProgram(status: number): void {
    if (this.programDepth === 0) return
    this.#programEndedBy = status
    this.#signal.abort()
  }

  /** The exit code of a program that `endProgram` has ended. */
  takeProgramEnd(): number | undefined {
    const status = this.#programEndedBy
    if (status === undefined) return undefined
    this.#programEndedBy = undefined
    this.#signal.renew()
    return status
  }

  /** Aborts when this process or the whole run must end. */
  get signal(): AbortSignal {
    return this.#signal.get(() => this.#parent?.signal ?? this.outerSignal, this.killedBy !== undefined)
  }

  /** Lets others run on a shared thread. Throws if this process or the whole script must end. */
  async letOthersRun(): Promise<void> {
    await this.run.pause?.()
    this.checkAlive()
  }

  /** Throws if this process or the whole script must end. */
  checkAlive(): void {
    this.timedSignals?.sendDue()
    const endedBy = this.killedBy ?? this.#programEndedBy
    if (endedBy !== undefined) throw new Killed(endedBy)
    if (this.outerSignal.aborted || this.run.isStopped()) throw new Killed(143)
    for (let above = this.#parent; above !== undefined; above = above.#parent) {
      if (above.killedBy !== undefined && !above.#leavesChildren) throw new Killed(above.killedBy)
    }
  }

  async end(): Promise<void> {
    this.#signal.renew()
    this.run.processes.delete(this.pid)
    await this.descriptors.closeAll()
  }

  /** Messages of expansions, which end nothing. They are printed before the next message, or when the words are expanded. */
  warnings: string[] = []

  /** Prints the warnings. `command` begins those about a value. */
  async warn(command = ''): Promise<void> {
    const { warnings } = this
    this.warnings = []
    for (const warning of warnings) await this.complain(warning.startsWith('`') ? command + warning : warning)
  }

  /** Prints an error message in the format of bash to standard error. */
  async complain(message: string): Promise<void> {
    if (this.warnings.length > 0) await this.warn()
    await this.writeError(`${messagePrefix(this)}${message}\n`)
  }

  async writeError(text: string): Promise<void> {
    await this.run.writeTo(this.descriptors.get(2), text)
  }

  /** The depth of substitutions. The first character of `PS4` is repeated for each level. */
  traceDepth = 0

  /** Set once, like `evaluate`. */
  static expandPromptOf: (shell: Shell, text: string) => Promise<string> = (_shell, text) => Promise.resolve(text)

  expandPrompt(text: string): Promise<string> {
    return text.includes('$') || text.includes('`') ? Shell.expandPromptOf(this, text) : Promise.resolve(text)
  }

  restoreOptions(options: ReadonlySet<string>): void {
    this.options.clear()
    for (const option of options) this.options.add(option)
  }

  /** The value of a parameter. `undefined` if it is unset. */
  get(name: string): string | undefined {
    return /^[A-Za-z_]/.test(name) ? this.variables.get(name) : specialParameter(this, name)
  }

  get ifs(): string {
    return this.variables.get('IFS') ?? ' \t\n'
  }

  /** The separator between the elements of `"$*"`. */
  get ifsJoiner(): string {
    const ifs = this.variables.get('IFS')
    return ifs === undefined ? ' ' : (Array.from(ifs)[0] ?? '')
  }

  /** Sets a variable and converts the value according to its attributes. Throws if the variable is readonly. */
  assign(name: string, value: string): void {
    assignElement(this, name, undefined, value)
  }

  static evaluateValue: (shell: Shell, expression: string) => bigint = () => 0n

  evaluate(expression: string): bigint {
    return Shell.evaluateValue(this, expression)
  }
}

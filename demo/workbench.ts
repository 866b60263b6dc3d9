// The state of the page: one workspace in a worker, one session of tools, and what happened in it. Components draw it and call its
// methods; it does not depend on them.

import type { ToolDefinition, Toolset, ToolsetName, Vfs, Workspace } from 'anchorage'
import { connectWorkspace, createWorker, memory, type ClientWorkspaceOptions } from 'anchorage/client'
import { opfs, requestPersistence } from 'anchorage/fs/opfs'
import { ChangedFiles } from './changed-files.ts'
import { formatCount, messageOf } from './format.ts'
import { type Files, filesBelow, loadKept, replaceFiles, saveKept } from './keep.ts'
import { fetchProject, sizeOf, type Project, type ProjectSize } from './project.ts'
import { scripts } from './scripts/scripts.ts'
import { limitsPath, testPath } from './scripts/task.ts'
import { SessionPlayer } from './session-player.ts'
import { PageShells, type ShellName } from './shells.ts'
import { SourceControl } from './source-control.ts'
import type { TerminalPlace } from './terminal/screen.ts'
import { loadToolsetName, saveToolsetName } from './toolset-choice.ts'
import { Transcript } from './transcript.ts'

const root = '/workspace'

/** A connected workspace, and everything with the same lifetime. */
export interface Open {
  readonly workspace: Workspace
  readonly files: ChangedFiles
  readonly session: Session
  readonly source: SourceControl
  readonly terminal: TerminalPlace
  readonly size: ProjectSize
  /** From the start of the fetch to the first tool that could be called. */
  readonly elapsedMs: number
}

/** One conversation with the tools of one toolset, and the script that plays it. */
export interface Session {
  readonly toolset: ToolsetName
  readonly tools: Toolset
  readonly player: SessionPlayer
  /** Aborted when the session is over. */
  readonly signal: AbortSignal
  readonly end: () => void
}

export type Phase =
  | { readonly kind: 'loading'; readonly doing: string }
  | { readonly kind: 'open'; readonly open: Open }
  | { readonly kind: 'failed'; readonly what: string; readonly advice: string }

export class Workbench extends EventTarget {
  phase: Phase = { kind: 'loading', doing: 'Fetching the project' }
  readonly transcript: Transcript = new Transcript(() => this.#changed())
  /** Grows with every event of the filesystem; a view of a file then reads it again. */
  filesVersion = 0
  /** The files are stored in the browser and there after a reload. */
  isKept: boolean = loadKept()
  toolset: ToolsetName = loadToolsetName()
  shell: ShellName = 'just-bash'
  /** A WebContainer is being opened. */
  isShellOpening = false
  readonly #shells: PageShells = new PageShells()
  #project: Project | undefined
  #lifetime = new AbortController()
  #handCall: AbortController | undefined

  /** The session with the chosen tools; `undefined` while it is being opened. */
  get session(): Session | undefined {
    if (this.phase.kind !== 'open') return undefined
    const { session } = this.phase.open
    return session.toolset === this.toolset ? session : undefined
  }

  get definitions(): readonly ToolDefinition[] {
    return this.session?.tools.tools ?? []
  }

  get fs(): Vfs | undefined {
    return this.phase.kind === 'open' ? this.phase.open.workspace.fs : undefined
  }

  get root(): string {
    return root
  }

  get isHandCallRunning(): boolean {
    return this.#handCall !== undefined
  }

  /** Why a WebContainer cannot be chosen, in words; `undefined` when it can. */
  get containerProblem(): string | undefined {
    return this.#shells.containerProblem
  }

  /** The session cannot begin: what it works on is not as it was packed. */
  get needsReset(): boolean {
    if (this.phase.kind !== 'open') return false
    const { session, files } = this.phase.open
    const isBefore = session.player.state.kind === 'ready' && session.player.playedCount === 0
    return isBefore && [limitsPath, testPath].some(path => files.changes.has(path))
  }

  /** Begins a session with other tools on the same files. */
  async chooseToolset(name: ToolsetName): Promise<void> {
    if (this.phase.kind !== 'open' || name === this.toolset) return
    this.toolset = name
    saveToolsetName(name)
    const { open } = this.phase
    const lifetime = this.#lifetime
    open.session.end()
    this.transcript.clear()
    try {
      await closeSession(open.session)
      const session = await this.#startSession(open.workspace, name)
      if (lifetime.signal.aborted || this.toolset !== name) return await closeSession(session)
      this.#enter({ kind: 'open', open: { ...open, session } })
    } catch (error) {
      if (!lifetime.signal.aborted) this.#fail(error)
    }
  }

  /** Runs the commands elsewhere from now on; the files go along as they are, and the session starts over. */
  async chooseShell(shell: ShellName): Promise<void> {
    if (this.phase.kind !== 'open' || shell === this.shell || this.isShellOpening) return
    this.isShellOpening = true
    this.#changed()
    try {
      if (shell === 'webcontainer') await this.#shells.container()
      this.shell = shell
      await this.open(this.isKept ? 'stored' : 'present')
      if (shell === 'just-bash') this.#shells.close()
    } catch (error) {
      this.transcript.addNotice(`The commands go on in just-bash. ${messageOf(error)}`)
    } finally {
      this.isShellOpening = false
      this.#changed()
    }
  }

  /** Turns storing on or off, with the files as they are now; the session starts over. */
  async keep(isKept: boolean): Promise<void> {
    if (this.phase.kind !== 'open') return
    // Another tab has stored its files already. The files of this tab neither replace them nor are dropped.
    const isSharing = isKept && loadKept()
    const changedCount = this.phase.open.files.changes.size
    if (isSharing && changedCount > 0) {
      this.transcript.addNotice(
        `Another tab keeps its files already, and this one would work on those: what was changed here (${formatCount(changedCount, 'file', 'files')}) would be gone. ` +
          'Reset first to let it go, or turn "Keep files" off in the other tab to keep what is here.',
      )
      return
    }
    this.#setKept(isKept)
    await this.open(isSharing ? 'stored' : 'present')
  }

  /** Continues in memory when the stored files cannot be opened; they stay stored. */
  async openWithoutStored(): Promise<void> {
    this.#setKept(false)
    await this.open()
  }

  #setKept(isKept: boolean): void {
    this.isKept = isKept
    saveKept(isKept)
    // The answer changes nothing here: without it the browser may only delete the files when the disk is full.
    if (isKept) void requestPersistence()
  }

  /** Opens the workspace with the files as they were packed, as they were stored (if there are any), or as they are now. */
  async open(start: 'packed' | 'stored' | 'present' = 'packed'): Promise<void> {
    const startedAt = performance.now()
    this.#lifetime.abort(new DOMException('The session was reset.', 'AbortError'))
    const lifetime = new AbortController()
    this.#lifetime = lifetime
    const before = this.phase
    this.transcript.clear()
    try {
      this.#enter({ kind: 'loading', doing: 'Fetching the project' })
      // Only after the last possible write: a write during the copy would be lost.
      const present = start === 'present' && before.kind === 'open' ? await filesBelow(before.open.workspace.fs, root) : undefined
      if (before.kind === 'open') await before.open.workspace.dispose()
      const project = (this.#project ??= await fetchProject())
      // Another reset may have started meanwhile, and the page belongs to that one.
      if (lifetime.signal.aborted) return
      this.#enter({ kind: 'loading', doing: 'Starting the worker' })
      const open = await this.#connect(project, present ?? project, start === 'stored', startedAt, lifetime)
      if (lifetime.signal.aborted) return await open.workspace.dispose()
      this.#enter({ kind: 'open', open })
    } catch (error) {
      if (!lifetime.signal.aborted) this.#fail(error)
    }
  }

  /** From the start, on fresh files. */
  async playAgain(): Promise<void> {
    await this.open()
    if (this.phase.kind === 'open') await this.phase.open.session.player.play()
  }

  /** A call from the form. Never rejects: errors are in the transcript. */
  async callByHand(tool: string, args: unknown): Promise<void> {
    const { session } = this
    if (session === undefined || this.#handCall !== undefined) return
    const controller = new AbortController()
    this.#handCall = controller
    const signal = AbortSignal.any([controller.signal, session.signal])
    const settle = (): void => {
      if (this.#handCall === controller) this.#handCall = undefined
      this.#changed()
    }
    await this.transcript.call(session.tools, { origin: 'hand', thought: undefined, tool, args }, { signal }).then(settle, settle)
  }

  abortHandCall(): void {
    this.#handCall?.abort(new DOMException('Aborted by hand.', 'AbortError'))
  }

  async #connect(project: Project, files: Files, isStored: boolean, startedAt: number, lifetime: AbortController): Promise<Open> {
    const { isKept } = this
    const workspace = await connectWorkspace(createWorker, {
      fs: isKept ? opfs({ name: 'demo' }) : memory(files),
      root,
      shell: await this.#shellOption(),
      onReplaced: ({ reason }) => void this.#replaced(reason, lifetime),
    })
    const isFilled = isStored && (await workspace.fs.readdir(root)).length > 0
    if (isKept && !isFilled) await replaceFiles(workspace.fs, root, files)
    const session = await this.#startSession(workspace, this.toolset)
    const changes = new ChangedFiles(project, workspace.fs, root, problem => {
      if (lifetime.signal.aborted) return
      this.filesVersion++
      if (problem === undefined) this.#changed()
      else this.transcript.addNotice(`The tree may be out of date: ${messageOf(problem)}`)
    })
    await workspace.fs.watch(root, batch => changes.apply(batch))
    // Not as packed from the start: everything is compared once.
    if (isKept || files !== project) changes.apply({ changes: [], overflow: true })
    const { fs } = workspace
    const terminal: TerminalPlace = {
      open: size => workspace.shell.open({ actor: { kind: 'person' }, ...size }),
      ...{ fs, root, shell: this.shell },
    }
    const source = new SourceControl(fs, root, project)
    return {
      workspace,
      session,
      source,
      terminal,
      files: changes,
      size: sizeOf(project),
      elapsedMs: performance.now() - startedAt,
    }
  }

  async #startSession(workspace: Workspace, toolset: ToolsetName): Promise<Session> {
    const tools = await workspace.toolset(toolset)
    const ending = new AbortController()
    const signal = AbortSignal.any([this.#lifetime.signal, ending.signal])
    const hands = { tools, fs: workspace.fs, root }
    const player = new SessionPlayer(scripts[toolset], hands, this.transcript, signal, () => this.#changed())
    const end = (): void => ending.abort(new DOMException('Another toolset was chosen.', 'AbortError'))
    return { toolset, tools, player, signal, end }
  }

  async #shellOption(): Promise<NonNullable<ClientWorkspaceOptions['shell']>> {
    if (this.shell === 'just-bash') return 'just-bash'
    const [{ webcontainerShell }, container] = await Promise.all([
      import('anchorage/shell/webcontainer'),
      this.#shells.container(),
    ])
    // The files stay where they are, in memory or stored; the container gets copies and its changes come back.
    return webcontainerShell(container, { files: 'synced' })
  }

  async #replaced(reason: string, lifetime: AbortController): Promise<void> {
    if (lifetime.signal.aborted) return
    await this.open('stored')
    const files = this.isKept ? 'The files are as they were stored' : 'The files are as they were packed'
    this.transcript.addNotice(`The worker stopped answering and was replaced (${reason}). ${files}, and the session starts over.`)
  }

  #fail(error: unknown): void {
    // A lost container does not come back; a retry continues without it.
    if (this.shell === 'webcontainer') {
      this.shell = 'just-bash'
      this.#shells.close()
    }
    this.#enter({
      kind: 'failed',
      what: messageOf(error),
      advice:
        'Reload the page. The worker needs a browser with module workers, and a page that is served over HTTP, not opened as a file.',
    })
  }

  #enter(phase: Phase): void {
    this.phase = phase
    this.#changed()
  }

  #changed(): void {
    this.dispatchEvent(new Event('change'))
  }
}

async function closeSession({ tools }: Session): Promise<void> {
  await tools.close()
}

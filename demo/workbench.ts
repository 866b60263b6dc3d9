// The state of the page: one workspace in a worker, one session of tools, and what happened in it. Components draw it and
// call its methods; it knows nothing of them.

import type { ToolDefinition, Toolset, Vfs, Workspace } from 'anchorage'
import { connectWorkspace, createWorker } from 'anchorage/client'
import { memory } from 'anchorage/fs/memory'
import { opfs, requestPersistence } from 'anchorage/fs/opfs'
import { ChangedFiles } from './changed-files.ts'
import { messageOf } from './format.ts'
import { type Files, filesBelow, loadKept, replaceFiles, saveKept } from './keep.ts'
import { fetchProject, sizeOf, type Project, type ProjectSize } from './project.ts'
import { SessionPlayer } from './session-player.ts'
import { Transcript } from './transcript.ts'

const root = '/workspace'

/** A workspace that answers, and everything that lives as long as it. */
export interface Open {
  readonly workspace: Workspace
  readonly tools: Toolset
  readonly files: ChangedFiles
  readonly player: SessionPlayer
  readonly size: ProjectSize
  /** From the start of the fetch to the first tool that could be called. */
  readonly elapsedMs: number
}

export type Phase =
  | { readonly kind: 'loading'; readonly doing: string }
  | { readonly kind: 'open'; readonly open: Open }
  | { readonly kind: 'failed'; readonly what: string; readonly advice: string }

export class Workbench extends EventTarget {
  phase: Phase = { kind: 'loading', doing: 'Fetching the project' }
  readonly transcript: Transcript = new Transcript(() => this.#changed())
  /** Grows with every event of the filesystem; whoever shows a file reads it again. */
  filesVersion = 0
  /** The files are stored in the browser and there after a reload. */
  isKept: boolean = loadKept()
  #project: Project | undefined
  #lifetime = new AbortController()
  #handCall: AbortController | undefined

  get definitions(): readonly ToolDefinition[] {
    return this.phase.kind === 'open' ? this.phase.open.tools.tools : []
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

  /** Turns storing on or off, with the files as they are now; the session starts over. */
  async keep(isKept: boolean): Promise<void> {
    if (this.phase.kind !== 'open') return
    // Another tab keeps them already: the files here are not put over the ones that it works on.
    const isSharing = isKept && loadKept()
    const files = isSharing ? 'stored' : await filesBelow(this.phase.open.workspace.fs, root)
    this.#setKept(isKept)
    await this.open(files)
  }

  /** Goes on in memory when the stored files cannot be opened; they stay stored. */
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

  /** Opens the workspace with the files as they were packed, as they were stored (if there are any), or as given. */
  async open(start: 'packed' | 'stored' | Files = 'packed'): Promise<void> {
    const startedAt = performance.now()
    this.#lifetime.abort(new DOMException('The session was reset.', 'AbortError'))
    const lifetime = new AbortController()
    this.#lifetime = lifetime
    const before = this.phase
    this.transcript.clear()
    try {
      this.#enter({ kind: 'loading', doing: 'Fetching the project' })
      if (before.kind === 'open') await before.open.workspace.dispose()
      const project = (this.#project ??= await fetchProject())
      // Another reset may have come meanwhile; the page is its now.
      if (lifetime.signal.aborted) return
      this.#enter({ kind: 'loading', doing: 'Starting the worker' })
      const open = await this.#connect(project, start, startedAt, lifetime)
      if (lifetime.signal.aborted) return await open.workspace.dispose()
      this.#enter({ kind: 'open', open })
    } catch (error) {
      if (lifetime.signal.aborted) return
      this.#enter({
        kind: 'failed',
        what: messageOf(error),
        advice:
          'Reload the page. The worker needs a browser with module workers, and a page that is served over HTTP, not opened as a file.',
      })
    }
  }

  /** From the start, on fresh files. */
  async playAgain(): Promise<void> {
    await this.open()
    if (this.phase.kind === 'open') await this.phase.open.player.play()
  }

  /** A call from the form. Never rejects: what went wrong stands in the transcript. */
  async callByHand(tool: string, args: unknown): Promise<void> {
    if (this.phase.kind !== 'open' || this.#handCall !== undefined) return
    const controller = new AbortController()
    this.#handCall = controller
    const signal = AbortSignal.any([controller.signal, this.#lifetime.signal])
    const settle = (): void => {
      if (this.#handCall === controller) this.#handCall = undefined
      this.#changed()
    }
    await this.transcript
      .call(this.phase.open.tools, { origin: 'hand', thought: undefined, tool, args }, { signal })
      .then(settle, settle)
  }

  abortHandCall(): void {
    this.#handCall?.abort(new DOMException('Aborted by hand.', 'AbortError'))
  }

  async #connect(
    project: Project,
    start: 'packed' | 'stored' | Files,
    startedAt: number,
    lifetime: AbortController,
  ): Promise<Open> {
    const files = typeof start === 'string' ? project : start
    const { isKept } = this
    const workspace = await connectWorkspace(createWorker, {
      fs: isKept ? opfs({ name: 'demo' }) : memory(files),
      root,
      onReplaced: ({ reason }) => void this.#replaced(reason, lifetime),
    })
    const isFilled = start === 'stored' && (await workspace.fs.readdir(root)).length > 0
    if (isKept && !isFilled) await replaceFiles(workspace.fs, root, files)
    const tools = await workspace.toolset('atomic')
    const changed = (): void => this.#changed()
    const changes = new ChangedFiles(project, workspace.fs, root, problem => {
      if (lifetime.signal.aborted) return
      this.filesVersion++
      if (problem === undefined) changed()
      else this.transcript.addNotice(`The tree may be out of date: ${messageOf(problem)}`)
    })
    await workspace.fs.watch(root, batch => changes.apply(batch))
    // Not as packed from the start: everything is compared once.
    if (isKept || files !== project) changes.apply({ changes: [], overflow: true })
    const player = new SessionPlayer({ tools, fs: workspace.fs, root }, this.transcript, lifetime.signal, changed)
    return { workspace, tools, files: changes, player, size: sizeOf(project), elapsedMs: performance.now() - startedAt }
  }

  async #replaced(reason: string, lifetime: AbortController): Promise<void> {
    if (lifetime.signal.aborted) return
    await this.open('stored')
    const files = this.isKept ? 'The files are as they were stored' : 'The files are as they were packed'
    this.transcript.addNotice(`The worker stopped answering and was replaced (${reason}). ${files}, and the session starts over.`)
  }

  #enter(phase: Phase): void {
    this.phase = phase
    this.#changed()
  }

  #changed(): void {
    this.dispatchEvent(new Event('change'))
  }
}

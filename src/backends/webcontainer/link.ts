// The driver's end of the port. There is one for each container in this thread, shared by its filesystem and its shell, because events are
// ordered only on one port.

import { AnchorageError } from '../../core/errors.ts'
import type { ShellChanges } from '../../shell/changes.ts'
import { lostError, toVfsError } from './failures.ts'
import {
  parseEvent,
  type ContainerCall,
  type ContainerCalls,
  type ContainerEvent,
  type ContainerFacts,
  type ContainerPort,
  type ContainerSource,
  type Generation,
} from './wire.ts'

type Reply<C extends ContainerCall> = ReturnType<ContainerCalls[C]>

export interface ProcessListener {
  output(text: string): void
  exit(code: number | undefined, why: string | undefined): void
  lost(why: string): void
}

export interface ContainerFilesystem {
  /** Starts recording the changes of processes. */
  collect(): { readonly take: (prefix: string) => Promise<ShellChanges> }
}

interface Outstanding {
  readonly call: ContainerCall
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** How long the page may take to open the container, including its boot. The page has a shorter time-out and reports it. */
const helloTimeoutMs = 120_000

export class ContainerLink {
  readonly facts: Promise<ContainerFacts>
  readonly #port: ContainerPort
  readonly #outstanding = new Map<number, Outstanding>()
  readonly #processes = new Map<number, ProcessListener>()
  /** Output that arrived before the caller had the process. */
  readonly #early = new Map<number, ContainerEvent[]>()
  readonly #generationListeners = new Set<() => void>()
  #generation: Generation = { number: 0, runningProcesses: 0 }
  #lastId = 0
  #users = 0
  #ended: AnchorageError | undefined
  /** The filesystem over this container in this thread, if it was used. */
  filesystem: ContainerFilesystem | undefined

  constructor(port: ContainerPort, options: { readonly onClose: () => void }) {
    this.#port = port
    this.#onClose = options.onClose
    port.addEventListener('message', this.#onMessage)
    port.start()
    this.facts = this.#hello()
    this.facts.catch(() => {})
  }

  readonly #onClose: () => void

  get generation(): Generation {
    return this.#generation
  }

  get ended(): AnchorageError | undefined {
    return this.#ended
  }

  async #hello(): Promise<ContainerFacts> {
    const timer = setTimeout(() => this.#end(lostError('the page did not answer')), helloTimeoutMs)
    try {
      const facts = await this.call('hello', [])
      this.#generation = facts.generation
      return facts
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * Rejects with a `VfsError` if the container refuses, with `container-lost` when it is gone, and with `signal.reason` when that aborts;
   * then the page is told, and skips what it has not started.
   */
  call<C extends ContainerCall>(
    call: C,
    args: Parameters<ContainerCalls[C]>,
    options: { readonly transfer?: ArrayBuffer[]; readonly signal?: AbortSignal } = {},
  ): Promise<Reply<C>> {
    const { transfer = [], signal } = options
    if (this.#ended !== undefined) return Promise.reject(this.#ended)
    const id = ++this.#lastId
    return new Promise<Reply<C>>((resolve, reject) => {
      const onAbort = (): void => {
        if (!this.#outstanding.delete(id)) return
        this.#port.postMessage({ kind: 'cancel', id }, [])
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      const done = (): void => signal?.removeEventListener('abort', onAbort)
      this.#outstanding.set(id, {
        call,
        // The page runs code of this package, so its results have the declared types.
        resolve: value => {
          done()
          resolve(value as Reply<C>)
        },
        reject: error => {
          done()
          reject(error)
        },
      })
      this.#port.postMessage({ kind: 'call', id, call, args }, transfer)
      if (signal?.aborted === true) onAbort()
    })
  }

  listenTo(process: number, listener: ProcessListener): void {
    this.#processes.set(process, listener)
    const early = this.#early.get(process) ?? []
    this.#early.delete(process)
    for (const event of early) this.#tellProcess(event)
    if (this.#ended !== undefined) listener.lost(this.#ended.message)
  }

  /** Calls `listener` whenever something else may have changed the container. */
  onGeneration(listener: () => void): () => void {
    this.#generationListeners.add(listener)
    return () => this.#generationListeners.delete(listener)
  }

  /** The link ends when its last holder releases it. */
  hold(): () => void {
    this.#users++
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      if (--this.#users > 0 || this.#ended !== undefined) return
      this.#port.postMessage({ kind: 'close' }, [])
      this.#onClose()
      this.#end(
        new AnchorageError('container-closed', 'This connection to the container was closed. Next: open a new workspace.'),
      )
    }
  }

  readonly #onMessage = ({ data }: { readonly data: unknown }): void => {
    const event = parseEvent(data)
    if (event === undefined) return
    switch (event.kind) {
      case 'result':
        this.#outstanding.get(event.id)?.resolve(event.value)
        this.#outstanding.delete(event.id)
        return
      case 'failure': {
        const outstanding = this.#outstanding.get(event.id)
        this.#outstanding.delete(event.id)
        outstanding?.reject(toVfsError(event.failure, outstanding.call))
        return
      }
      case 'generation':
        this.#generation = event.generation
        for (const listener of this.#generationListeners) listener()
        return
      case 'output':
      case 'exit':
        this.#tellProcess(event)
        return
      case 'lost':
        this.#end(lostError(event.why))
        return
    }
  }

  #tellProcess(event: ContainerEvent): void {
    if (event.kind !== 'output' && event.kind !== 'exit') return
    const listener = this.#processes.get(event.process)
    if (listener === undefined) {
      this.#early.set(event.process, [...(this.#early.get(event.process) ?? []), event])
      return
    }
    if (event.kind === 'output') {
      listener.output(event.text)
      return
    }
    this.#processes.delete(event.process)
    listener.exit(event.code, event.why)
  }

  #end(error: AnchorageError): void {
    if (this.#ended !== undefined) return
    this.#ended = error
    this.#port.removeEventListener('message', this.#onMessage)
    this.#port.close()
    const outstanding = [...this.#outstanding.values()]
    this.#outstanding.clear()
    for (const { reject } of outstanding) reject(error)
    for (const listener of this.#processes.values()) listener.lost(error.message)
    this.#processes.clear()
  }
}

const withFilesystem = new WeakSet<ContainerSource>()

/** Records that a filesystem over `source` exists in this thread: a shell over it then works on the same files. */
export function noteFilesystem(source: ContainerSource): void {
  withFilesystem.add(source)
}

export function hasFilesystem(source: ContainerSource): boolean {
  return withFilesystem.has(source)
}

const links = new WeakMap<ContainerSource, ContainerLink>()

/** The link to `source` in this thread. After it was closed a new one is created; a lost link stays and fails every call. */
export function linkTo(source: ContainerSource): ContainerLink {
  const known = links.get(source)
  if (known !== undefined) return known
  const link = new ContainerLink(source.connect(), { onClose: () => links.delete(source) })
  links.set(source, link)
  return link
}

// An editor's copy of a text. Own changes apply at once. One of them is on its way at a time, the others wait and are rebased over what
// arrives from the workspace.

import { checkArguments } from '../core/argument.ts'
import { AnchorageError, wrongArgument } from '../core/errors.ts'
import { defined, isRecord } from '../core/record.ts'
import { deferred, type Deferred } from '../core/deferred.ts'
import {
  applyChange,
  changeLengths,
  changeOf,
  composeChanges,
  editsOf,
  isNoChange,
  mapChange,
  type TextChange,
  type TextEdit,
} from '../text/text-change.ts'
import type { Unsubscribe } from '../vfs/backend.ts'
import type { Buffer, BufferCloseOptions, BufferConflict, BufferSaveOptions, BufferState, UnsavedText } from './buffer.ts'
import type { BufferLink, BufferMessage, BufferOutcome, OpenedBuffer, OrderedState } from './link.ts'

/** After this many changes by others, the copy reports to the workspace which it has applied. */
const seenEvery = 64
/** Changes that are not in `text` yet. It is only computed when it is asked for. */
const maxUnapplied = 200

type Events = { readonly [E in Parameters<Buffer['on']>[0]]: Set<(value: never) => void> }

export class BufferReplica implements Buffer {
  #link: BufferLink
  readonly #listeners: Events = { edit: new Set(), conflict: new Set(), state: new Set(), lost: new Set() }
  #text: string
  #length: number
  readonly #unapplied: TextChange[] = []
  #rev = 0
  #version: number
  #unreported = 0
  /** Sent and not yet accepted. */
  #onItsWay: TextChange | undefined
  /** To be sent after it. */
  #waiting: TextChange | undefined
  #state: BufferState
  #order: number
  /** Who waits until a version has arrived. */
  readonly #waitingFor = new Set<{ readonly version: number; readonly arrived: Deferred<void> }>()
  #drained: Deferred<void> | undefined
  #ended: Error | undefined
  #onEnd: () => void = () => undefined
  /** The text before the first change that is not saved. */
  #savedText: string

  constructor(opened: OpenedBuffer, link: BufferLink) {
    this.#link = link
    this.#text = opened.text
    this.#length = opened.text.length
    this.#version = opened.version
    this.#state = opened.state
    this.#order = opened.order
    this.#savedText = opened.text
  }

  get unsaved(): UnsavedText | undefined {
    return this.dirty ? { base: this.#savedText, text: this.text } : undefined
  }

  get path(): string {
    return this.#state.path
  }

  get rev(): number {
    return this.#rev
  }

  get dirty(): boolean {
    return this.#state.dirty || this.#onItsWay !== undefined
  }

  get conflict(): BufferConflict | undefined {
    return this.#state.conflict
  }

  get ended(): boolean {
    return this.#ended !== undefined
  }

  get text(): string {
    for (const change of this.#unapplied) this.#text = applyChange(this.#text, change)
    this.#unapplied.length = 0
    return this.#text
  }

  change(edits: readonly TextEdit[]): void {
    checkArguments('buffer.change', [edits], ['list'])
    if (!edits.every(edit => isRecord(edit) && typeof (edit['insert'] ?? '') === 'string'))
      throw wrongArgument('buffer.change: each edit must be an object { from, to, insert } whose insert is a string.')
    if (this.#ended !== undefined) throw this.#ended
    const plain = edits.map(({ from, to = from, insert = '' }) => ({ from, to, insert: insert.replace(/\r\n?/g, '\n') }))
    const change = changeOf(plain, this.#length)
    if (isNoChange(change)) return
    this.#remember()
    this.#apply(change)
    if (this.#onItsWay === undefined) this.#send(change)
    else this.#waiting = this.#waiting === undefined ? change : composeChanges(this.#waiting, change)
  }

  on<E extends Parameters<Buffer['on']>[0]>(event: E, listener: (value: never) => void): Unsubscribe {
    checkArguments('buffer.on', [{ [event]: true }, listener], [Object.keys(this.#listeners), 'function'])
    const listeners = this.#listeners[event]
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  async save(options: BufferSaveOptions = {}): Promise<void> {
    checkArguments('buffer.save', [options], [['overwrite']])
    await this.#delivered()
    await this.#settled(await this.#link.save(defined({ overwrite: options.overwrite })))
  }

  async revert(): Promise<void> {
    await this.#delivered()
    await this.#settled(await this.#link.revert())
  }

  async close(options: BufferCloseOptions = {}): Promise<void> {
    checkArguments('buffer.close', [options], [['discard']])
    if (this.#ended !== undefined) return
    await this.#delivered()
    await this.#link.close(defined({ discard: options.discard }))
    this.#ended ??= new AnchorageError('buffer-closed', `The buffer of ${this.path} was closed. Next: open the file again.`)
    this.#onEnd()
  }

  /** Called when it is closed or lost. */
  onEnd(listener: () => void): void {
    this.#onEnd = listener
  }

  /** Continues in another workspace. `arrived` leads from this text to the new one, `unsent` from the opened text to the new one. */
  rejoin(
    opened: OpenedBuffer,
    link: BufferLink,
    { arrived, unsent }: { readonly arrived: TextChange; readonly unsent: TextChange },
  ): void {
    if (this.#ended !== undefined) return
    this.#link = link
    this.#version = opened.version
    this.#unreported = 0
    this.#onItsWay = undefined
    this.#waiting = undefined
    const lost = new AnchorageError('worker-lost', `The worker was replaced while ${this.path} was saved. Next: save it again.`)
    for (const waiting of this.#waitingFor) waiting.arrived.reject(lost)
    this.#waitingFor.clear()
    if (!isNoChange(arrived)) {
      this.#apply(arrived)
      this.#tell('edit', { edits: editsOf(arrived) })
    }
    this.#order = opened.order - 1
    this.#receiveState(opened)
    if (!isNoChange(unsent)) return this.#send(unsent)
    this.#drained?.resolve()
    this.#drained = undefined
  }

  /** What the workspace sent, in order. */
  receive(message: BufferMessage): void {
    if (this.#ended !== undefined) return
    switch (message.kind) {
      case 'edit':
        return this.#receiveEdit(message)
      case 'accepted':
        return this.#accepted(message.version)
      case 'state':
        return this.#receiveState(message)
      default:
        throw new Error(`unreachable: ${JSON.stringify(message satisfies never)}`)
    }
  }

  /** The workspace cannot be reached any more. What was typed stays in `text`. */
  lose(reason: unknown): void {
    if (this.#ended !== undefined) return
    this.#ended = reason instanceof Error ? reason : new AnchorageError('worker-lost', String(reason))
    this.#drained?.reject(reason)
    this.#drained = undefined
    for (const { arrived } of this.#waitingFor) arrived.reject(reason)
    this.#waitingFor.clear()
    this.#onEnd()
    this.#tell('lost', reason)
  }

  async #settled({ version, ...state }: BufferOutcome): Promise<void> {
    if (this.#ended === undefined && this.#version < version) {
      const waiting = { version, arrived: deferred<void>() }
      this.#waitingFor.add(waiting)
      await waiting.arrived.promise
    }
    this.#receiveState(state)
  }

  #arrivedAt(version: number): void {
    this.#version = version
    for (const waiting of this.#waitingFor) {
      if (waiting.version > version) continue
      this.#waitingFor.delete(waiting)
      waiting.arrived.resolve()
    }
  }

  #receiveEdit({ version, change, by }: Extract<BufferMessage, { kind: 'edit' }>): void {
    this.#arrivedAt(version)
    let arrived = change
    if (this.#onItsWay !== undefined) {
      const sent = this.#onItsWay
      this.#onItsWay = mapChange(sent, arrived, 'after')
      arrived = mapChange(arrived, sent, 'before')
    }
    if (this.#waiting !== undefined) {
      const waiting = this.#waiting
      this.#waiting = mapChange(waiting, arrived, 'after')
      arrived = mapChange(arrived, waiting, 'before')
    }
    if (++this.#unreported >= seenEvery) {
      this.#unreported = 0
      this.#link.seen(version)
    }
    if (isNoChange(arrived)) return
    this.#remember()
    this.#apply(arrived)
    this.#tell('edit', { edits: editsOf(arrived), ...defined({ by }) })
  }

  #accepted(version: number): void {
    this.#arrivedAt(version)
    this.#unreported = 0
    this.#onItsWay = undefined
    const next = this.#waiting
    this.#waiting = undefined
    if (next !== undefined) return this.#send(next)
    this.#drained?.resolve()
    this.#drained = undefined
  }

  #receiveState({ order, state }: OrderedState): void {
    if (order <= this.#order) return
    this.#order = order
    const before = this.#state
    this.#state = state
    // Across a worker, each state has a copy of the conflict.
    if (!isSameConflict(before.conflict, state.conflict)) this.#tell('conflict', state.conflict)
    this.#tell('state', state)
  }

  #remember(): void {
    if (!this.dirty) this.#savedText = this.text
  }

  #send(change: TextChange): void {
    this.#onItsWay = change
    this.#link.send(this.#version, change)
  }

  #apply(change: TextChange): void {
    this.#length = changeLengths(change).after
    this.#rev += 1
    this.#unapplied.push(change)
    if (this.#unapplied.length > maxUnapplied) void this.text
  }

  /** Resolves when the workspace has every change. */
  async #delivered(): Promise<void> {
    if (this.#ended !== undefined) throw this.#ended
    if (this.#onItsWay !== undefined) await (this.#drained ??= deferred()).promise
  }

  #tell(event: keyof Events, value: unknown): void {
    for (const listener of [...this.#listeners[event]] as ((value: unknown) => void)[]) {
      try {
        listener(value)
      } catch (error) {
        // A listener that throws must neither block the others nor go unnoticed, so its error becomes an uncaught error.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}

function isSameConflict(a: BufferConflict | undefined, b: BufferConflict | undefined): boolean {
  if (a?.kind === 'changed' && b?.kind === 'changed') return a.text === b.text
  return a?.kind === b?.kind
}

/** How a copy reaches its workspace. `listener` receives what happens after the returned text. */
export type ConnectBuffer = (
  listener: (message: BufferMessage) => void,
) => Promise<{ readonly opened: OpenedBuffer; readonly link: BufferLink }>

/** A copy over a connection. Messages may arrive before its reply. */
export async function openReplica(connect: ConnectBuffer): Promise<BufferReplica> {
  const early: BufferMessage[] = []
  let receive = (message: BufferMessage): void => void early.push(message)
  const { opened, link } = await connect(message => receive(message))
  const replica = new BufferReplica(opened, link)
  for (const message of early) replica.receive(message)
  receive = message => replica.receive(message)
  return replica
}

// Open editors on the page. Each holds its text, so typing never waits for the worker; changes are sent in the background. When a
// worker is replaced, the editor opens its file again with its unsaved changes.

import type { Buffer, BufferOpenOptions, WorkspaceBuffers } from '../buffers/buffer.ts'
import type { BufferLink, BufferMessage, OpenedBuffer } from '../buffers/link.ts'
import { openReplica, type BufferReplica } from '../buffers/replica.ts'
import { rejoinText } from '../buffers/rejoin.ts'
import type { Connection } from './connection.ts'
import type { Supervisor } from './supervisor.ts'

type Opened = { readonly opened: OpenedBuffer; readonly link: BufferLink }

export async function openAcross(supervisor: Supervisor, path: string, options: BufferOpenOptions | undefined): Promise<Buffer> {
  let current: Connection | undefined
  const replica = await openReplica(async listener => {
    current = await supervisor.current()
    return await connectOver(current, path, options, listener, error => lost(error))
  })
  const lost = (error: unknown): void => {
    // If the worker can be replaced, the editor waits for the next one.
    if (current === undefined || supervisor.sessionError(current)?.code !== 'session-lost') replica.lose(error)
  }
  const stop = supervisor.onReplacement(connection => {
    current = connection
    rejoin(replica, connection, options).catch((error: unknown) => replica.lose(error))
  })
  replica.onEnd(stop)
  return replica
}

async function rejoin(replica: BufferReplica, connection: Connection, options: BufferOpenOptions | undefined): Promise<void> {
  const early: BufferMessage[] = []
  let isJoined = false
  const listener = (message: BufferMessage): void => {
    if (isJoined) replica.receive(message)
    else early.push(message)
  }
  const { text, unsaved } = replica
  const again = { ...options, create: true, unsaved }
  const { opened, link } = await connectOver(connection, replica.path, again, listener, error => replica.lose(error))
  rejoinText(replica, text, opened, link)
  isJoined = true
  for (const message of early) replica.receive(message)
}

/** Implements `connect` of the page's `WorkspaceBuffers`. */
export async function connectAcross(
  supervisor: Supervisor,
  ...[path, options, listener]: Parameters<WorkspaceBuffers['connect']>
): Promise<Opened> {
  return await connectOver(await supervisor.current(), path, options, listener, () => undefined)
}

async function connectOver(
  connection: Connection,
  path: string,
  options: BufferOpenOptions | undefined,
  listener: (message: BufferMessage) => void,
  onLost: (error: unknown) => void,
): Promise<Opened> {
  const { bufferId, ...opened } = await connection.request('openBuffer', [path, options ?? {}], {
    // The worker is ours and from the same release, so its messages are trusted.
    onUpdate: message => listener(message as BufferMessage),
    label: `open ${path}`,
  })
  const call = async (verb: keyof BufferLink, args: readonly unknown[]): Promise<unknown> =>
    await connection.request('buffer', [bufferId, verb, args], { label: `${verb} ${path}` })
  const link: BufferLink = {
    send: (version, change) => void call('send', [version, change]).catch(onLost),
    seen: version => void call('seen', [version]).catch(onLost),
    save: async options => (await call('save', [options])) as Awaited<ReturnType<BufferLink['save']>>,
    revert: async () => (await call('revert', [])) as Awaited<ReturnType<BufferLink['revert']>>,
    close: async options => void (await call('close', [options])),
  }
  return { opened, link }
}

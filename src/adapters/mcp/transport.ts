// MCP transports within a browser: over a `MessagePort` or a worker, and within one thread.

import { AnchorageError, checkMember } from '../../core/errors.ts'

/** Anything that posts messages: a `MessagePort`, a `Worker`, or the scope of a dedicated worker. */
export interface MessageEndpoint {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void
  removeEventListener(type: 'message', listener: (event: MessageEvent) => void): void
  start?(): void
  close?(): void
}

/** The `Transport` of MCP's SDKs, 1.x and 2.x. `Message` is their `JSONRPCMessage`. */
export interface McpTransport {
  start(): Promise<void>
  send(message: object): Promise<void>
  close(): Promise<void>
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: (<Message>(message: Message) => void) | undefined
  sessionId?: string | undefined
}

/** Tells the other side that this side has closed, because a port does not report it. */
const closing = { anchorage: 'mcp-transport-closed' }

/**
 * A transport over a port or a worker, for `server.connect(…)` on one side and `client.connect(…)` on the other. `close` notifies
 * the other side, which closes too; it does not end a worker.
 *
 * @example
 * import { messagePortTransport } from 'anchorage/adapters/mcp'
 *
 * const { port1, port2 } = new MessageChannel()
 * const [forServer, forClient] = [messagePortTransport(port1), messagePortTransport(port2)]
 * // await Promise.all([server.connect(forServer), client.connect(forClient)])
 * await Promise.all([forServer.start(), forClient.start()])
 * await forClient.close()
 */
export function messagePortTransport(endpoint: MessageEndpoint): McpTransport {
  checkMember('messagePortTransport', endpoint, 'postMessage', 'a MessagePort or a Worker')
  let isStarted = false
  let isClosed = false
  const listener = ({ data }: MessageEvent): void => {
    if (isClosing(data)) end()
    else if (isMessage(data)) (transport.onmessage as ((message: unknown) => void) | undefined)?.(data)
    // A worker may post other things to its page as well.
  }
  const end = (): void => {
    if (isClosed) return
    isClosed = true
    endpoint.removeEventListener('message', listener)
    // The transport owns only a port; it does not end a worker.
    if (typeof MessagePort === 'function' && endpoint instanceof MessagePort) endpoint.close()
    transport.onclose?.()
  }
  const transport: McpTransport = {
    async start() {
      if (isStarted)
        throw new AnchorageError('transport-started', 'This transport was started already. Next: make one for each connection.')
      isStarted = true
      endpoint.addEventListener('message', listener)
      endpoint.start?.()
    },
    async send(message) {
      if (isClosed) throw new AnchorageError('transport-closed', 'This transport is closed. Next: connect a new one.')
      endpoint.postMessage(message)
    },
    async close() {
      if (!isClosed) endpoint.postMessage(closing)
      end()
    },
  }
  return transport
}

/** Two connected transports in one thread, for a server and a client side by side. Messages are copied, as over a real connection. */
export function linkedTransports(): [McpTransport, McpTransport] {
  const [first, second] = [new LinkedEndpoint(), new LinkedEndpoint()]
  first.other = second
  second.other = first
  return [messagePortTransport(first), messagePortTransport(second)]
}

/** A message port that does not keep a process alive. */
class LinkedEndpoint implements MessageEndpoint {
  other: LinkedEndpoint | undefined
  readonly #listeners = new Set<(event: MessageEvent) => void>()
  /** Messages that arrived before the first listener. */
  readonly #waiting: unknown[] = []

  postMessage(message: unknown): void {
    const copy: unknown = structuredClone(message)
    queueMicrotask(() => this.other?.deliver(copy))
  }

  deliver(message: unknown): void {
    if (this.#listeners.size === 0) this.#waiting.push(message)
    for (const listener of this.#listeners) listener({ data: message } as MessageEvent)
  }

  addEventListener(_type: 'message', listener: (event: MessageEvent) => void): void {
    this.#listeners.add(listener)
    for (const message of this.#waiting.splice(0)) queueMicrotask(() => this.deliver(message))
  }

  removeEventListener(_type: 'message', listener: (event: MessageEvent) => void): void {
    this.#listeners.delete(listener)
  }
}

function isMessage(data: unknown): data is object {
  return typeof data === 'object' && data !== null && 'jsonrpc' in data
}

function isClosing(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'anchorage' in data && data.anchorage === closing.anchorage
}

// The published client of WebContainers uses the wire format of Comlink 4.3.0, in which message types are numbers. Comlink 4.4, which
// Anchorage uses, has strings there and would never be answered. This is the answering half of the old format, as far as that client uses
// it. See docs/webcontainer.md, "Testing without the service".

/** What `expose` makes available on a port: functions, plain values, and promises of either. */
export type Exposed = Readonly<Record<string, unknown>> | ((...args: readonly unknown[]) => unknown)

const wireRaw = 0
const wireHandler = 3
const callGet = 0
const callApply = 2
const callRelease = 5

/** Marks a result that stays here and is called from the other side. */
class Remote {
  readonly exposed: Exposed
  readonly delivery: Delivery
  constructor(exposed: Exposed, delivery: Delivery) {
    this.exposed = exposed
    this.delivery = delivery
  }
}

/** Marks bytes whose memory may be transferred. */
class Moved {
  readonly bytes: Uint8Array<ArrayBuffer>
  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes
  }
}

/** Whether a call that is delayed lets later ones of the same object pass. The keys of a terminal never change their order. */
type Delivery = 'any order' | 'in order'

export function remote(exposed: Exposed, delivery: Delivery = 'any order'): unknown {
  return new Remote(exposed, delivery)
}

export function moved(bytes: Uint8Array<ArrayBuffer>): unknown {
  return new Moved(bytes)
}

export interface ExposeOptions {
  /** Runs before each call is handled, to simulate a slow server. */
  readonly before?: () => Promise<void>
}

/** Answers the messages on `port` with `exposed`, until the other side releases it. Only own properties of `exposed` can be called. */
export function expose(exposed: Exposed, port: MessagePort, options: ExposeOptions = {}): void {
  const onMessage = (event: MessageEvent): void => {
    void answer(exposed, port, event.data, options).then(isReleased => {
      if (!isReleased) return
      port.removeEventListener('message', onMessage)
      port.close()
    })
  }
  port.addEventListener('message', onMessage)
  port.start()
}

async function answer(exposed: Exposed, port: MessagePort, data: unknown, options: ExposeOptions): Promise<boolean> {
  if (!isObject(data) || typeof data['id'] !== 'string') return false
  const { id, type, path = [], argumentList = [] } = data
  if (type === callRelease) {
    port.postMessage({ id, type: wireRaw, value: undefined })
    return true
  }
  const transfer: Transferable[] = []
  let reply: object
  try {
    await options.before?.()
    const found = at(exposed, path)
    if (type === callGet) reply = outgoing(await found, transfer, options)
    else if (type === callApply && typeof found === 'function' && Array.isArray(argumentList)) {
      const result: unknown = await found(...argumentList.map(incoming))
      reply = outgoing(result, transfer, options)
    } else throw new TypeError(`${String(path)} cannot be used like that`)
  } catch (error) {
    reply = thrown(error)
  }
  port.postMessage({ ...reply, id }, transfer)
  return false
}

function at(exposed: Exposed, path: unknown): unknown {
  let found: unknown = exposed
  for (const name of Array.isArray(path) ? path : []) {
    const holder: unknown = found
    if (typeof holder !== 'object' || holder === null || typeof name !== 'string' || !Object.hasOwn(holder, name))
      throw new TypeError(`there is no ${String(name)}`)
    found = Reflect.get(holder, name)
  }
  return found
}

function outgoing(value: unknown, transfer: Transferable[], options: ExposeOptions): object {
  if (value instanceof Remote) {
    const { port1, port2 } = new MessageChannel()
    expose(value.exposed, port1, value.delivery === 'in order' ? inOrder(options) : options)
    transfer.push(port2)
    return { type: wireHandler, name: 'proxy', value: port2 }
  }
  if (value instanceof Moved) {
    transfer.push(value.bytes.buffer)
    return { type: wireRaw, value: value.bytes }
  }
  return { type: wireRaw, value }
}

function inOrder({ before }: ExposeOptions): ExposeOptions {
  let last: Promise<void> = Promise.resolve()
  return { before: () => (last = last.then(before)) }
}

/** Only these three parts of an error are sent: `code` and `path` are lost, as with the real service. */
function thrown(error: unknown): object {
  const value =
    error instanceof Error
      ? { isError: true, value: { message: error.message, name: error.name, stack: error.stack } }
      : { isError: false, value: error }
  return { type: wireHandler, name: 'throw', value }
}

function incoming(argument: unknown): unknown {
  if (!isObject(argument)) return undefined
  if (argument['type'] === wireRaw) return argument['value']
  const port = argument['value']
  return port instanceof MessagePort ? callable(port) : undefined
}

/** A function on the other side of `port`. Its results are not awaited. */
function callable(port: MessagePort): (...args: readonly unknown[]) => void {
  port.start()
  return (...args) => {
    const transfer = args.filter(argument => argument instanceof Moved).map(argument => argument.bytes.buffer)
    const argumentList = args.map(argument => ({ type: wireRaw, value: argument instanceof Moved ? argument.bytes : argument }))
    port.postMessage({ id: crypto.randomUUID(), type: callApply, path: [], argumentList }, transfer)
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

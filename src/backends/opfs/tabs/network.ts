// How tabs of one store reach each other: one channel that all of them hear, and one for each that only it hears. Ports cannot be sent
// over a BroadcastChannel, and dedicated workers of different tabs share nothing else that every browser has.

import { type Message, parseMessage } from './messages.ts'

export interface Network {
  /** To every other tab. */
  broadcast(message: Message): void
  send(to: string, message: Message): void
  /** Nothing is heard or sent any more. Calling it twice is fine. */
  close(): void
}

export type OpenNetwork = (own: string, receive: (message: Message) => void) => Network

/** The little of `BroadcastChannel` that is used. It keeps the order of what one sender says on one channel. */
interface Channel {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  close(): void
}

/** So many tabs are spoken to without opening a channel again. */
const maxOpenChannels = 32

/** `undefined` where the platform has no such channels. */
export function browserNetwork(storeName: string): OpenNetwork | undefined {
  const scope: object = globalThis
  if (!('BroadcastChannel' in scope)) return undefined
  const BroadcastChannel = scope.BroadcastChannel as new (name: string) => Channel
  const base = `anchorage:opfs:${storeName}`
  return (own, receive) => {
    const everybody = new BroadcastChannel(base)
    const inbox = new BroadcastChannel(`${base}:${own}`)
    const others = new Map<string, Channel>()
    let isClosed = false
    const hear = (event: { readonly data: unknown }): void => {
      const message = parseMessage(event.data)
      if (message !== undefined && !isClosed) receive(message)
    }
    everybody.addEventListener('message', hear)
    inbox.addEventListener('message', hear)
    return {
      broadcast(message) {
        if (!isClosed) everybody.postMessage(message)
      },
      send(to, message) {
        if (isClosed) return
        const channel = others.get(to) ?? new BroadcastChannel(`${base}:${to}`)
        others.delete(to)
        others.set(to, channel)
        for (const [oldest, old] of others) {
          if (others.size <= maxOpenChannels) break
          others.delete(oldest)
          old.close()
        }
        channel.postMessage(message)
      },
      close() {
        isClosed = true
        for (const channel of [everybody, inbox, ...others.values()]) channel.close()
        others.clear()
      },
    }
  }
}

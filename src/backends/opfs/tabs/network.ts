// How tabs of one store send messages: one channel that all of them receive, and one per tab. Ports cannot be sent over a BroadcastChannel,
// and dedicated workers of different tabs share no other means of communication that every browser has.

import { type Message, parseMessage } from './messages.ts'

export interface Network {
  /** Sends to every other tab. */
  broadcast(message: Message): void
  send(to: string, message: Message): void
  /** Stops sending and receiving. May be called twice. */
  close(): void
}

export type OpenNetwork = (own: string, receive: (message: Message) => void) => Network

/** The part of `BroadcastChannel` that is used. Messages of one sender on one channel keep their order. */
interface Channel {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  close(): void
}

/** The number of channels to other tabs that stay open. */
const maxOpenChannels = 32

/** `undefined` if the platform has no `BroadcastChannel`. */
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

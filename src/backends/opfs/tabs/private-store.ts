// What a tab tells the others when it does not share its store, so that they do not wait for an answer that never comes.

import { protocolVersion } from './messages.ts'
import type { Network, OpenNetwork } from './network.ts'

/** Answers for a tab that keeps its store to itself. Call what it returns to stop. */
export function keepPrivate(openNetwork: OpenNetwork, clientId: string): () => void {
  const network: Network = openNetwork(clientId, message => {
    if (message.kind === 'hello') refuse(network, clientId, message.from)
  })
  return () => network.close()
}

export function refuse(network: Network, clientId: string, to: string): void {
  network.send(to, { protocol: protocolVersion, from: clientId, epoch: 0, kind: 'private' })
}

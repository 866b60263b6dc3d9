// A tab that does not share its store informs the others, because they would otherwise wait for an answer that never comes.

import { protocolVersion } from './messages.ts'
import type { Network, OpenNetwork } from './network.ts'

/** Answers for a tab that does not share its store. Call the returned function to stop. */
export function keepPrivate(openNetwork: OpenNetwork, clientId: string): () => void {
  const network: Network = openNetwork(clientId, message => {
    if (message.kind === 'hello') refuse(network, clientId, message.from)
  })
  return () => network.close()
}

export function refuse(network: Network, clientId: string, to: string): void {
  network.send(to, { protocol: protocolVersion, from: clientId, epoch: 0, kind: 'private' })
}

// Which shell runs the commands, and why the other one cannot be chosen: a WebContainer comes from a service on the network and needs a
// page that is cross-origin isolated.

import { openContainer, type ContainerHost } from 'anchorage/client'
import { messageOf } from './format.ts'

export type ShellName = 'just-bash' | 'webcontainer'

/** How long the service may take to answer; it says nothing by itself when it cannot be reached. */
const bootTimeoutMs = 20_000

/** The page's one container, opened when it is first asked for. */
export class PageShells {
  #container: ContainerHost | undefined
  #problem: string | undefined

  /** Why no WebContainer can be had now; `undefined` when it can be tried. */
  get containerProblem(): string | undefined {
    if (this.#container !== undefined) return undefined
    if (this.#problem !== undefined) return this.#problem
    if (!globalThis.crossOriginIsolated) return 'Needs a page that is cross-origin isolated, which this one is not.'
    if (!navigator.onLine) return 'Needs a connection to the internet: this browser is offline.'
    return undefined
  }

  /** Rejects with what went wrong, which is `containerProblem` from then on: a boot that hangs cannot be tried twice in one page. */
  async container(): Promise<ContainerHost> {
    if (this.#container !== undefined) return this.#container
    try {
      this.#container = await openContainer({ bootTimeoutMs })
      return this.#container
    } catch (error) {
      this.#problem = messageOf(error)
      throw error
    }
  }

  /** Gives the container up, so that the page holds one only while it uses it. */
  close(): void {
    this.#container?.teardown()
    this.#container = undefined
  }
}

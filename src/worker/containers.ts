// A container cannot be sent to a worker, but a port to it can. On the wire, a recipe refers to one of the ports by number. On both sides
// of the wire, it holds an object that provides ports.

import { AnchorageError } from '../core/errors.ts'
import { defined } from '../core/record.ts'
import type { ContainerPort, ContainerSource } from '../backends/webcontainer/wire.ts'
import type { BackendRecipe } from '../vfs/backend.ts'
import { asList, asNumber } from './checks.ts'
import type { WireFileSystem, WireWorkspaceOptions } from './wire.ts'

export interface Departure {
  readonly workspace: WireWorkspaceOptions
  readonly ports: readonly ContainerPort[]
}

/** A new port for each container, shared by all its users. `owner` had other ports before, which are closed by this. */
export function sendContainers(options: WireWorkspaceOptions, owner: object): Departure {
  const sources: ContainerSource[] = []
  const numbered = (source: unknown): number => {
    if (!isSource(source))
      throw new AnchorageError('no-recipe', 'A container is missing. Next: pass the result of openContainer.')
    const known = sources.indexOf(source)
    return known === -1 ? sources.push(source) - 1 : known
  }
  const workspace = mapContainers(options, numbered)
  const ports = sources.map(source => source.connect(owner))
  return { workspace: ports.length === 0 ? options : { ...workspace, containers: ports }, ports }
}

/** The worker's side. Throws `wire-refused` for a number without a port. */
export function receiveContainers(options: WireWorkspaceOptions, containers: unknown): WireWorkspaceOptions {
  if (containers === undefined) return options
  const sources = asList(containers, 'containers').map(port => sourceOf(port))
  return mapContainers(options, index => {
    const source = sources[asNumber(index, 'the container of a recipe')]
    if (source === undefined)
      throw new AnchorageError(
        'wire-refused',
        'The worker refused a recipe: its container was not sent. Next: check the options.',
      )
    return source
  })
}

function mapContainers(options: WireWorkspaceOptions, change: (container: unknown) => unknown): WireWorkspaceOptions {
  const { fs, containerShell } = options
  const recipe = ({ parts, ...of }: BackendRecipe): BackendRecipe => ({
    ...(of.kind === 'webcontainer' ? { ...of, container: change(of['container']) } : of),
    ...defined({ parts: parts && Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, recipe(part)])) }),
  })
  const fileSystem = (of: WireFileSystem): WireFileSystem =>
    of.kind === 'one'
      ? { kind: 'one', recipe: recipe(of.recipe) }
      : { kind: 'mounts', mounts: of.mounts.map(([path, mounted]) => [path, recipe(mounted)] as const) }
  return {
    ...options,
    ...defined({
      fs: fs && fileSystem(fs),
      containerShell: containerShell && { ...containerShell, container: change(containerShell.container) },
    }),
  }
}

/** Gives one port, once. A second user has lost the first port. */
function sourceOf(port: unknown): ContainerSource {
  if (!isPort(port))
    throw new AnchorageError('wire-refused', 'The worker refused a call: a container must be a port. Next: check the options.')
  let isTaken = false
  return {
    connect() {
      if (isTaken)
        throw new AnchorageError(
          'container-closed',
          'The connection to this container was closed. Next: connect a new workspace.',
        )
      isTaken = true
      return port
    },
  }
}

export function isSource(value: unknown): value is ContainerSource {
  return typeof value === 'object' && value !== null && 'connect' in value && typeof value.connect === 'function'
}

/** A clone contains no functions, so an object that can post is a port. */
function isPort(value: unknown): value is ContainerPort {
  return typeof value === 'object' && value !== null && 'postMessage' in value && typeof value.postMessage === 'function'
}

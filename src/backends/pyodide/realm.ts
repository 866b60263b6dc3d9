// Takes from the worker's global object what reaches beyond it while a program runs. Python itself has no way to JavaScript here; this is
// for the case that one is found.

/** What loads code, reaches the network, other threads or the machine. */
import { words } from '../../core/words.ts'

const names = words(`
  BroadcastChannel EventSource MessageChannel SharedWorker WebSocket WebTransport Worker XMLHttpRequest caches eval fetch
  importScripts indexedDB navigator require
`)

/** Returns a function that puts everything back. */
export function closeRealm(): () => void {
  const scope = globalThis as Record<string, unknown>
  const kept: (readonly [owner: object, name: string, property: PropertyDescriptor])[] = []
  const replace = (owner: object, name: string, value: unknown): void => {
    const property = Object.getOwnPropertyDescriptor(owner, name)
    if (property?.configurable !== true) return
    kept.push([owner, name, property])
    Object.defineProperty(owner, name, { value, configurable: true, writable: true })
  }
  for (const name of names) replace(scope, name, undefined)
  // Emscripten asks Node for the user.
  const root = (): number => 0
  if ('process' in scope) replace(scope, 'process', { getuid: root, geteuid: root, getgid: root, getegid: root })
  // A message of the engine about its failure is reported as the end of the program.
  for (const name of ['error', 'warn']) replace(scope['console'] as object, name, () => undefined)
  for (const code of [() => undefined, async () => undefined, function* () {}, async function* () {}])
    replace(Object.getPrototypeOf(code) as object, 'constructor', undefined)
  return () => {
    for (const [owner, name, property] of kept) Object.defineProperty(owner, name, property)
  }
}

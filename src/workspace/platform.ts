/** Others imitate Node's `process`; of those that have no disk, workerd says who it is. */
export function isNode(): boolean {
  const isWorkerd = globalThis.navigator?.userAgent === 'Cloudflare-Workers'
  return !isWorkerd && globalThis.process?.release?.name === 'node'
}

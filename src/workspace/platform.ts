/** Other platforms imitate Node's `process`. Of those without a disk, workerd identifies itself. */
export function isNode(): boolean {
  const isWorkerd = globalThis.navigator?.userAgent === 'Cloudflare-Workers'
  return !isWorkerd && globalThis.process?.release?.name === 'node'
}

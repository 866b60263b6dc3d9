// Transactions that a test can recognise: each writes its number to three files, moves one between two names, and keeps the last ten of
// another kind. A tree that fits no number is a state that was never committed.

import { parsePath } from '../../core/path.ts'
import type { VfsBackend, VfsTransaction } from '../../vfs/backend.ts'

const kept = 10
const at = (name: string): ReturnType<typeof parsePath> => parsePath(`/${name}`)

function contentOf(number: number): Uint8Array {
  return new TextEncoder().encode(`${number};`.repeat(1 + ((number * 37) % 2_000)))
}

function commitNumber(number: number): (transaction: VfsTransaction) => void {
  return fs => {
    for (const name of ['a', 'b', 'c']) fs.write(at(name), contentOf(number))
    if (number > 1) fs.rename(at(number % 2 === 0 ? 'odd' : 'even'), at(number % 2 === 0 ? 'even' : 'odd'))
    fs.write(at(number % 2 === 0 ? 'even' : 'odd'), contentOf(number))
    fs.write(at(`n${number}`), contentOf(number))
    if (number > kept) fs.remove(at(`n${number - kept}`), 'file')
  }
}

/** The tree after transaction `number`. */
export function treeAfter(number: number): Record<string, string> {
  const text = (of: number): string => new TextDecoder().decode(contentOf(of))
  const tree: Record<string, string> = {}
  if (number === 0) return tree
  for (const name of ['/a', '/b', '/c', number % 2 === 0 ? '/even' : '/odd']) tree[name] = text(number)
  for (let of = Math.max(1, number - kept + 1); of <= number; of++) tree[`/n${of}`] = text(of)
  return tree
}

/** Continues from the present state. Every fifth transaction is flushed and reported. */
export async function transactionsForever(fs: VfsBackend, tellFlushed: (number: number) => void): Promise<never> {
  let number = numberOf(await rootFile(fs, 'a'))
  for (;;) {
    number++
    await fs.batch?.(commitNumber(number))
    if (number % 5 !== 0) continue
    await fs.flush()
    tellFlushed(number)
    // Lets timers run: grouped flushes, checkpoints.
    await new Promise(resolve => setTimeout(resolve, 0))
  }
}

export function numberOf(text: string | undefined): number {
  return text === undefined ? 0 : Number.parseInt(text, 10)
}

async function rootFile(fs: VfsBackend, name: string): Promise<string | undefined> {
  const isThere = (await fs.list(parsePath('/'))).some(entry => entry.name === name)
  return isThere ? new TextDecoder().decode(await fs.read(at(name))) : undefined
}

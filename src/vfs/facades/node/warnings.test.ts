// In a process with other tests the warnings that are given once may have been given.
import { expect, test } from 'vitest'
import { createVfs } from '../../create-vfs.ts'
import { toNodeFs } from './index.ts'
import { emptyTree } from '../../../testing/empty-tree.ts'

test('Node’s warnings are given: once of what is deprecated', async () => {
  const warnings: unknown[] = []
  const listener = ({ name, message, code }: Error & { readonly code?: string }): unknown =>
    warnings.push([name, code, message.slice(0, 20)])
  process.on('warning', listener)
  try {
    const fs = toNodeFs(createVfs(emptyTree()))
    for (const name of ['one', 'two']) {
      await fs.promises.mkdir(`/${name}`)
      await fs.promises.rmdir(`/${name}`, { recursive: true })
      await fs.promises.mkdtemp('/endsWithX')
    }
    const fd = fs.openSync?.('/f', 'w') ?? -1
    fs.truncateSync?.(fd as never)
    fs.closeSync?.(fd)
    await new Promise(resolve => {
      setImmediate(resolve)
    })
  } finally {
    process.off('warning', listener)
  }
  expect(warnings).toEqual([
    ['DeprecationWarning', 'DEP0147', 'In future versions o'],
    ['Warning', undefined, 'mkdtemp() templates '],
    ['Warning', undefined, 'mkdtemp() templates '],
    ['DeprecationWarning', 'DEP0081', 'Using fs.truncate wi'],
  ])
})

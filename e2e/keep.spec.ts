// "Keep files": what was written is there after a reload, also what was written a moment before it.

import { DemoPage, expect, test } from './demo-page.ts'
import { quick } from './depth.ts'

test('kept files are there after a reload, and belong to all tabs', quick, async ({ demo, page }) => {
  await demo.call('write', { path: 'before.txt', content: 'written in memory\n' })
  const keep = page.getByTestId('keep')
  // The session starts over, in a new worker.
  const reopened = async (): Promise<void> => {
    await expect(demo.entries()).toHaveCount(0)
    await expect(page.getByTestId('facts')).toHaveText(/^[\d,]+ files/)
  }
  await expect(keep).not.toBeChecked()
  await keep.check()
  await reopened()
  await demo.expectFile('before.txt', 'written in memory\n')

  const entry = await demo.call('write', { path: 'after.txt', content: 'a moment before the reload\n' })
  await expect(demo.outcome(entry)).toHaveText('ok')
  await page.reload()
  await expect(page.getByTestId('facts')).toHaveText(/^[\d,]+ files/)
  await expect(keep).toBeChecked()
  await expect(page.getByTestId('change-count')).toHaveText('2')
  await demo.expectFile('before.txt', 'written in memory\n')
  await demo.expectFile('after.txt', 'a moment before the reload\n')

  // A second tab works on the same files, each sees what the other does, and one goes on without the other.
  const second = new DemoPage(await page.context().newPage())
  await second.open()
  await expect(second.page.getByTestId('keep')).toBeChecked()
  await second.expectFile('after.txt', 'a moment before the reload\n')
  const inSecond = await second.call('write', { path: 'second.txt', content: 'from the second tab\n' })
  await expect(second.outcome(inSecond)).toHaveText('ok')
  await demo.toFront()
  await demo.expectFile('second.txt', 'from the second tab\n')
  await demo.call('write', { path: 'after.txt', content: 'from the first tab\n' })
  await second.toFront()
  await second.expectFile('after.txt', 'from the first tab\n')
  expect(second.complaints).toEqual([])
  await page.reload()
  await expect(page.getByTestId('facts')).toHaveText(/^[\d,]+ files/)
  // The first tab is the second one now: it had to leave the files to the other.
  const afterwards = await second.call('write', { path: 'second.txt', content: 'still there\n' })
  await expect(second.outcome(afterwards)).toHaveText('ok')
  await demo.toFront()
  await demo.expectFile('second.txt', 'still there\n')
  await second.page.close()
  await demo.call('write', { path: 'after.txt', content: 'goes on\n' })
  await demo.expectFile('after.txt', 'goes on\n')

  await keep.uncheck()
  await reopened()
  await demo.expectFile('after.txt', 'goes on\n')
  await page.reload()
  await expect(page.getByTestId('facts')).toHaveText(/^[\d,]+ files/)
  await expect(page.getByTestId('change-count')).toHaveText('0')
})

test('a tab with changes of its own does not drop them for those of another tab', async ({ demo, page }) => {
  const other = new DemoPage(await page.context().newPage())
  await other.open()
  await demo.toFront()
  await demo.call('write', { path: 'mine.txt', content: 'only here\n' })
  await other.toFront()
  await other.page.getByTestId('keep').check()
  await expect(other.page.getByTestId('facts')).toHaveText(/^[\d,]+ files/)
  await other.call('write', { path: 'theirs.txt', content: 'kept\n' })

  await demo.toFront()
  const keep = page.getByTestId('keep')
  await keep.click()
  await expect(page.getByTestId('notice')).toContainText('what was changed here (1 file) would be gone. Reset first')
  await expect(keep).not.toBeChecked()
  await demo.expectFile('mine.txt', 'only here\n')

  await page.getByTestId('reset').click()
  await expect(page.getByTestId('change-count')).toHaveText('0')
  await keep.check()
  await demo.expectFile('theirs.txt', 'kept\n')
  await expect(demo.row('mine.txt')).toHaveCount(0)

  // The terminals of both tabs are in the same files.
  await demo.openTerminal()
  await demo.runLine('echo both > shared.txt')
  await other.toFront()
  await other.expectFile('shared.txt', 'both\n')
  expect(other.complaints).toEqual([])
  await other.page.close()
  await demo.toFront()
  await keep.uncheck()
  await expect(page.getByTestId('facts')).toHaveText(/^[\d,]+ files/)
})

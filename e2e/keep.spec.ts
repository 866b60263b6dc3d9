// "Keep files": what was written is there after a reload, also what was written a moment before it.

import { expect, test } from './demo-page.ts'

test('kept files are there after a reload, and belong to one tab at a time', async ({ demo, page }) => {
  await demo.call('write', { path: 'before.txt', content: 'written in memory\n' })
  const keep = page.getByTestId('keep')
  // The session starts over, in a new worker.
  const reopened = async (): Promise<void> => {
    await expect(demo.entries()).toHaveCount(0)
    await expect(page.getByTestId('facts')).toHaveText(/^\d+ files/, { timeout: 20_000 })
  }
  await expect(keep).not.toBeChecked()
  await keep.check()
  await reopened()
  await demo.expectFile('before.txt', 'written in memory\n')

  const entry = await demo.call('write', { path: 'after.txt', content: 'a moment before the reload\n' })
  await expect(demo.outcome(entry)).toHaveText('ok')
  await page.reload()
  await expect(page.getByTestId('facts')).toHaveText(/^\d+ files/, { timeout: 20_000 })
  await expect(keep).toBeChecked()
  await expect(page.getByTestId('change-count')).toHaveText('2')
  await demo.expectFile('before.txt', 'written in memory\n')
  await demo.expectFile('after.txt', 'a moment before the reload\n')

  // A second tab does not get an empty workspace, and does not disturb the first.
  const second = await page.context().newPage()
  await second.goto('/')
  await expect(second.getByTestId('failed')).toContainText('another tab', { timeout: 20_000 })
  await second.close()
  await demo.call('write', { path: 'after.txt', content: 'still the owner\n' })
  await demo.expectFile('after.txt', 'still the owner\n')

  await keep.uncheck()
  await reopened()
  await demo.expectFile('after.txt', 'still the owner\n')
  await page.reload()
  await expect(page.getByTestId('facts')).toHaveText(/^\d+ files/)
  await expect(page.getByTestId('change-count')).toHaveText('0')
})

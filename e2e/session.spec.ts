// The scripted session, played by clicking: what the page shows, and the exact bytes it leaves.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { scripts } from '../demo/scripts/scripts.ts'
import { limitsPath, testPath, testText } from '../demo/scripts/task.ts'
import { expect, test } from './demo-page.ts'
import { expectedLimits } from './expected-files.ts'
import { everywhere, quick } from './depth.ts'

const sourceOf = (path: string): Promise<string> => readFile(new URL(`../${path}`, import.meta.url), 'utf8')
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

test('plays to the end and leaves exactly the bytes it should', everywhere, async ({ demo, page }) => {
  const source = await sourceOf(limitsPath)
  await demo.expectFile(limitsPath, source, 'the packed file is not the one in the repository: build again')

  await demo.play()
  await expect(demo.status()).toHaveText(`Finished, ${scripts.atomic.length} of ${scripts.atomic.length}`)

  const played = await demo.entries().evaluateAll(entries => entries.map(entry => entry.getAttribute('data-tool')))
  expect(played).toEqual(scripts.atomic.map(step => (step.actor === 'agent' ? step.tool : 'person')))

  await expect(page.getByTestId('change-count')).toHaveText('2')
  await demo.expectFile(limitsPath, expectedLimits(source))
  await expect(page.getByTestId('file-hash')).toHaveText(sha256(expectedLimits(source)))
  await demo.expectFile(testPath, testText)
  await expect(page.getByTestId('file-hash')).toHaveText(sha256(testText))
})

test('shows each result as the model sees it', async ({ demo }) => {
  await demo.step(4)
  const [search, read, edit, bash] = await demo.entries().all()
  if (search === undefined || read === undefined || edit === undefined || bash === undefined)
    throw new Error('There are fewer entries than steps.')

  const found = await demo.resultText(search)
  expect(found).toMatch(/^\[src\/core\/limits\.ts#[0-9A-F]{4}\]$/m)
  expect(found).toMatch(/^\*\d+: {2}readMaxLines: 3000,$/m)
  expect(await search.locator('.match').count()).toBe(found.split('\n').filter(line => /^\*\d+:/.test(line)).length)

  const shown = await demo.resultText(read)
  const header = shown.split('\n')[0] ?? ''
  const numbered = (await sourceOf(limitsPath)).split('\n').map((line, index) => `${index + 1}:${line}`)
  const rows = shown.split('\n').filter(line => /^\d+:/.test(line))
  expect(rows.length).toBeGreaterThan(5)
  expect(numbered).toEqual(expect.arrayContaining(rows))
  await expect(read.locator('.header')).toHaveText(header)

  await expect(edit.getByTestId('args')).toContainText(header)
  await expect(demo.outcome(edit)).toHaveText('ok')
  const newHeader = /^\[src\/core\/limits\.ts#[0-9A-F]{4}\]/m.exec(await demo.resultText(edit))?.[0]
  expect(newHeader).toBeDefined()
  expect(newHeader).not.toBe(header)

  await expect(demo.outcome(bash)).toHaveText('ok')
  expect(await demo.resultText(bash)).toMatch(/readMaxLines: 5000/)
})

test('refuses the stale edit and keeps what the person saved', quick, async ({ demo, page }) => {
  await demo.step(5)
  const saved = (await sourceOf(limitsPath))
    .replace('readMaxLines: 3000', 'readMaxLines: 5000')
    .replace(/( {2}bashMaxBytes: )[^,]+,\n/, '$1256 * 1024,\n')
  await demo.expectFile(limitsPath, saved)
  await expect(demo.entries().nth(4)).toContainText('bashMaxBytes: 256 * 1024,')

  await page.getByTestId('step').click()
  const refused = demo.entries().nth(5)
  await expect(demo.outcome(refused)).toHaveText('refused')
  expect(await demo.resultText(refused)).toMatch(/^\*\d+: {2}bashMaxBytes: 256 \* 1024,$/m)
  await demo.expectFile(limitsPath, saved)
})

test('a reset in the middle leaves nothing of the session, and it plays again', async ({ demo, page }) => {
  await page.getByTestId('play').click()
  await expect(demo.entries()).toHaveCount(3)
  await page.getByTestId('pause').click()
  await expect(page.getByTestId('play')).toBeEnabled()
  const paused = await demo.entries().count()
  await page.getByTestId('play').click()
  await expect(demo.entries()).toHaveCount(paused + 1)

  await page.getByTestId('reset').click()
  await expect(page.getByTestId('play')).toBeEnabled()
  await expect(demo.status()).toHaveText(`${scripts.atomic.length} steps`)
  await demo.step(3)
  await demo.expectFile(limitsPath, (await sourceOf(limitsPath)).replace('readMaxLines: 3000', 'readMaxLines: 5000'))
})

test('shows the changes by sign as well as by colour, and takes them all back', async ({ demo, page }) => {
  await demo.step(scripts.atomic.length)
  await page.getByTestId('tab-changes').click()
  const limits = page.locator(`[data-testid=diff][data-path="${limitsPath}"]`)
  expect(await limits.locator('del').allTextContents()).toEqual([
    '−  readMaxLines: 3000,',
    '−  bashMaxLines: 3000,',
    '−  bashMaxBytes: 50 * 1024,',
  ])
  expect(await limits.locator('ins').allTextContents()).toEqual([
    '+  readMaxLines: 5000,',
    '+  bashMaxLines: 5000,',
    '+  bashMaxBytes: 256 * 1024,',
  ])
  const written = page.locator(`[data-testid=diff][data-path="${testPath}"]`)
  expect(await written.locator('ins .text').allTextContents()).toEqual(testText.trimEnd().split('\n'))
  await expect(demo.row(limitsPath)).toHaveAccessibleName('limits.ts, modified')
  await expect(demo.row(testPath)).toHaveAccessibleName('equal-limits.test.ts, added')

  await page.getByTestId('reset').click()
  await expect(demo.entries()).toHaveCount(0)
  await expect(page.getByTestId('change-count')).toHaveText('0')
  await expect(demo.row(testPath)).toHaveCount(0)
  await demo.expectFile(limitsPath, await sourceOf(limitsPath))
  await demo.step(1)
})

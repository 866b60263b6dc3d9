// The example of a small IDE: a person and an agent on the same files, with approval, undo and the review of a fork.

import { expect, test, type Page } from '@playwright/test'
import { quick } from './depth.ts'

const told = (page: Page): Promise<string[]> => page.getByRole('list', { name: 'What happened' }).locator('li').allTextContents()
const answer = (page: Page, name: 'Allow' | 'Deny'): Promise<void> => page.getByRole('button', { name }).click()
const inTree = (page: Page): Promise<string[]> =>
  page.getByRole('navigation', { name: 'Files' }).getByRole('button').allTextContents()

test('a turn is approved and undone while a person types, and a fork is reviewed', quick, async ({ page }) => {
  const complaints: string[] = []
  page.on('console', message => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', error => complaints.push(error.message))
  await page.goto('/ide.html')
  const editor = page.locator('.cm-content')
  await expect(editor).toContainText("return 'hello ' + name")
  await expect.poll(() => told(page)).toEqual(['Ready'])

  await test.step('the agent edits what is open, and asks before its command', async () => {
    await page.getByRole('button', { name: 'Agent turn' }).click()
    await expect(editor).toContainText("return 'Hello, ' + name")
    await expect(page.getByRole('region', { name: 'Question' })).toContainText('main wants to run bash')
    await answer(page, 'Allow')
    await expect.poll(() => told(page)).toContain("The agent's turn: done, done")
    await expect.poll(() => inTree(page)).toEqual(['copies/notes.md', 'notes.md', 'src/greet.ts', 'src/main.ts'])
  })

  await test.step('what the person types and saves outlives the undo of the turn', async () => {
    await editor.click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('// typed by a person\n\n')
    await page.keyboard.press('Control+s')
    await expect.poll(() => told(page)).toContain('Saved /workspace/src/greet.ts')
    await page.getByRole('button', { name: 'Undo turn' }).click()
    await expect(editor).toContainText("return 'hello ' + name")
    await expect(editor).toContainText('// typed by a person')
    await expect.poll(() => inTree(page)).toEqual(['notes.md', 'src/greet.ts', 'src/main.ts'])
  })

  await test.step('the terminal of the person is not asked, and shows the same files', async () => {
    await page.locator('.xterm-helper-textarea').focus()
    await page.keyboard.type('cat src/greet.ts > copy.txt; head -1 copy.txt')
    await page.keyboard.press('Enter')
    await expect.poll(() => inTree(page)).toContain('copy.txt')
    await expect(page.locator('.xterm-rows')).toContainText('// typed by a person')
  })

  await test.step('a fork is merged after a yes, and dropped after a no', async () => {
    for (const [verdict, outcome] of [
      ['Deny', 'The fork: denied, 0 files'],
      ['Allow', 'The fork: merged, 2 files'],
    ] as const) {
      await page.getByRole('button', { name: 'Helper in a fork' }).click()
      await expect(page.getByRole('region', { name: 'Question' })).toContainText('everyone')
      await answer(page, verdict)
      await expect.poll(() => told(page)).toContain(outcome)
    }
    await expect.poll(() => inTree(page)).toEqual(['copy.txt', 'src/greet.ts', 'src/main.ts'])
  })
  expect(complaints).toEqual([])
})

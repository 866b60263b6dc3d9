// The page without a mouse, in both themes, and as narrow as a phone.

import type { Page } from '@playwright/test'
import { scripts } from '../demo/scripts/scripts.ts'
import { limitsPath } from '../demo/scripts/task.ts'
import { weakTexts } from './contrast.ts'
import { expect, test } from './demo-page.ts'

test('the tree is walked with the keyboard alone', async ({ demo, page }) => {
  const focused = page.locator('[role=treeitem]:focus')
  await demo.row(limitsPath).focus()

  await page.keyboard.press('ArrowLeft')
  await expect(focused).toHaveAttribute('data-path', 'src/core')
  await page.keyboard.press('ArrowLeft')
  await expect(demo.row('src/core')).toHaveAttribute('aria-expanded', 'false')
  await expect(demo.row(limitsPath)).toHaveCount(0)
  await page.keyboard.press('ArrowRight')
  await expect(demo.row('src/core')).toHaveAttribute('aria-expanded', 'true')

  await page.keyboard.press('Home')
  await expect(focused).toHaveAttribute('data-path', 'samples')
  await page.keyboard.press('End')
  await expect(focused).toHaveAttribute('data-path', 'tsconfig.json')
  await page.keyboard.press('ArrowUp')
  await expect(focused).toHaveAttribute('data-path', 'package.json')
  await page.keyboard.press('Enter')
  await expect(demo.row('package.json')).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByTestId('file-text')).toContainText('"name": "anchorage"')

  // One row only is in the tab order.
  await expect(page.locator('[role=treeitem][tabindex="0"]')).toHaveCount(1)
})

test('a call is typed and sent with the keyboard alone', async ({ demo, page }) => {
  await page.getByTestId('reset').focus()
  await tabTo(page, 'by-hand')
  await page.keyboard.press('Enter')
  await tabTo(page, 'tool')
  await page.keyboard.type('bash')
  await expect(page.getByTestId('tool')).toHaveValue('bash')
  await tabTo(page, 'hand-args')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('{ "command": "echo from the keyboard" }')
  await page.keyboard.press('Control+Enter')
  const entry = demo.entries().first()
  await expect(demo.outcome(entry)).toHaveText('ok')
  expect(await demo.resultText(entry)).toBe('from the keyboard\n')
})

test('the tabs are switched with the arrows', async ({ page }) => {
  await page.getByTestId('tab-file').focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByTestId('tab-changes')).toBeFocused()
  await expect(page.getByTestId('tab-changes')).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByText('Nothing differs from the files as they were packed.')).toBeVisible()
})

test('what happens is announced', async ({ demo, page }) => {
  await expect(page.getByRole('log', { name: 'Session' })).toHaveAttribute('aria-live', 'polite')
  await demo.step(1)
  await expect(page.getByRole('status').filter({ hasText: 'Step 1 of' })).toBeVisible()
})

for (const theme of ['light', 'dark'] as const) {
  test(`every text can be read in the ${theme} theme, which is remembered`, async ({ demo, page }) => {
    const button = page.getByTestId('theme')
    while ((await button.getAttribute('aria-label')) !== `Theme: ${theme}`) await button.press('Enter')
    await demo.step(6)
    await page.getByTestId('by-hand').click()
    for (const tab of ['file', 'changes'] as const) {
      await page.getByTestId(`tab-${tab}`).click()
      const { measured, weak } = await weakTexts(page, 4.5)
      expect(weak).toEqual([])
      expect(measured).toBeGreaterThan(50)
    }
    const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const before = await ground()
    await page.reload()
    await expect(button).toHaveAccessibleName(`Theme: ${theme}`)
    expect(await ground()).toBe(before)
  })
}

test('fits a phone', async ({ demo, page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await demo.step(scripts.atomic.length)
  for (const pane of ['files', 'session', 'code'] as const) {
    await page.getByTestId(`pane-${pane}`).click()
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(overflow, pane).toBe(0)
  }
  await page.getByTestId('pane-files').click()
  await demo.row('package.json').click()
  await expect(page.getByTestId('file-text')).toContainText('"name": "anchorage"')
})

/** Presses Tab until the element with the test id has the focus. */
async function tabTo(page: Page, testId: string): Promise<void> {
  const target = page.getByTestId(testId)
  for (let presses = 0; presses < 60; presses++) {
    if (await target.evaluate(element => element.matches(':focus'))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`60 presses of Tab did not reach ${testId}.`)
}

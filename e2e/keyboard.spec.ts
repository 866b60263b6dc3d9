// The session without a mouse: the focus stays where the person left it, whatever a button turns into meanwhile.

import { scripts } from '../demo/scripts/scripts.ts'
import { expect, test } from './demo-page.ts'

test('a session is played, paused, stepped and reset with the keyboard alone', async ({ demo, page }) => {
  await page.getByTestId('play').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('pause')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('play')).toBeFocused()
  await expect(demo.status()).toHaveText(/^Step \d+ of \d+$/)

  const step = page.getByTestId('step')
  await page.keyboard.press('Tab')
  for (let presses = 0; presses < 2; presses++) {
    const before = await demo.entries().count()
    await page.keyboard.press('Enter')
    await expect(demo.entries()).toHaveCount(before + 1)
    await expect(step).toBeEnabled()
    await expect(step).toBeFocused()
  }

  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(demo.status()).toHaveText(`${scripts.atomic.length} steps`)
  await expect(page.getByTestId('reset')).toBeFocused()
})

test('a call by hand leaves the focus on its button', async ({ demo, page }) => {
  await demo.type('bash', '{ "command": "sleep 30" }')
  await page.getByTestId('run').focus()
  await page.keyboard.press('Enter')
  await expect(demo.outcome(demo.entries().first())).toHaveText('running')
  await expect(page.getByTestId('run')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByTestId('abort')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(demo.outcome(demo.entries().first())).toHaveText('aborted')
  await expect(page.getByTestId('abort')).toBeFocused()
})

test('keeping files is turned on and off where the focus is', async ({ demo, page }) => {
  const keep = page.getByTestId('keep')
  await keep.focus()
  for (const isKept of [true, false]) {
    await page.keyboard.press('Space')
    await expect(keep).toBeChecked({ checked: isKept })
    await expect(page.getByTestId('facts')).toHaveText(/^[\d,]+ files/)
    await expect(keep).toBeEnabled()
    await expect(keep).toBeFocused()
  }
  await expect(demo.entries()).toHaveCount(0)
})

test('a file that is chosen on a phone takes the focus along', async ({ demo, page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByTestId('pane-files').click()
  await demo.row('package.json').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('file-text')).toContainText('"name": "anchorage"')
  await expect(page.getByTestId('tab-file')).toBeFocused()
})

// The page that lists every tool of every toolset, generated from the package's own definitions.

import { expect, test } from '@playwright/test'
import { weakTexts } from './contrast.ts'

const toolsets = { atomic: 6, ah: 4, rye: 6, agsh: 8, ecs: 4 }

test('every tool is there with its arguments, tokens, examples and schema', async ({ page }) => {
  const complaints: string[] = []
  page.on('console', message => complaints.push(message.text()))
  page.on('pageerror', error => complaints.push(error.message))
  await page.goto('/reference.html')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The tools')
  for (const [name, count] of Object.entries(toolsets)) {
    const section = page.getByRole('region', { name, exact: true })
    await expect(section.getByRole('article')).toHaveCount(count)
    await expect(section.getByText(/≈ \d+ tokens/)).toHaveCount(count)
    await expect(section.getByText('JSON Schema of')).toHaveCount(count)
    expect(await section.getByRole('figure').count()).toBeGreaterThanOrEqual(count)
  }
  const limits = page.getByRole('region', { name: 'Limits', exact: true })
  await expect(limits.getByRole('row').filter({ hasText: 'stateMaxBytes' })).toContainText('2,097,152')
  await page.getByRole('link', { name: 'edit_lines' }).click()
  await expect(page.getByRole('heading', { name: 'edit_lines' })).toBeInViewport()
  await page.getByText('JSON Schema of edit_lines').click()
  await expect(page.locator('#rye-edit_lines ~ details pre')).toContainText('"line_id"')
  expect(complaints).toEqual([])
})

for (const scheme of ['light', 'dark'] as const) {
  test(`is easy to read in ${scheme} colours, also on a phone`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize({ width: 320, height: 700 })
    await page.goto('/reference.html')
    const { measured, weak } = await weakTexts(page, 4.5)
    expect(measured).toBeGreaterThan(100)
    expect(weak).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  })
}

test('the demo leads there and back', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'All tools' }).click()
  await expect(page).toHaveURL(/reference\.html$/)
  await page.getByRole('link', { name: 'Anchorage' }).click()
  await expect(page.getByTestId('facts')).toBeVisible()
})

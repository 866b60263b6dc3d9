// What a person sees when the page cannot work: what is wrong and what to do, and a way to try again.

import { expect, test } from '@playwright/test'

const cases = [
  { name: 'the files are not there', block: '**/project.json', says: /404.*Build the demo again/ },
  { name: 'the worker does not load', block: '**/assets/worker-*.js', says: /worker/i },
] as const

for (const { name, block, says } of cases) {
  test(`${name}: the page says what to do, and recovers`, async ({ page }) => {
    await page.route(block, route => route.fulfill({ status: 404, body: 'not found' }))
    await page.goto('/')
    const failed = page.getByTestId('failed')
    await expect(failed).toBeVisible()
    await expect(failed).toContainText(says)
    await expect(failed).toContainText('Reload the page.')
    await expect(page.getByTestId('facts')).toHaveText('Not running')

    await page.unroute(block)
    await failed.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByTestId('facts')).toHaveText(/^[\d,]+ files/)
  })
}

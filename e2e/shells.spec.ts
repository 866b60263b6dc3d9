// The switch between just-bash and a WebContainer. The service is not reached here: its frame is the stand-in's.

// It cuts characters in two, as the service may, so its prompt may be shown as replacement characters.
import { expect, test as plain } from '@playwright/test'
import { DemoPage, test } from './demo-page.ts'
import { serveStandIn } from './stand-in-frame.ts'

const reasons = [
  {
    name: 'offline',
    before: () => Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false }),
    says: 'WebContainer: Needs a connection to the internet: this browser is offline.',
  },
  {
    name: 'a page that is not isolated',
    before: () => Object.defineProperty(globalThis, 'crossOriginIsolated', { get: () => false }),
    says: 'WebContainer: Needs a page that is cross-origin isolated, which this one is not.',
  },
]

for (const { name, before, says } of reasons) {
  plain(`${name}: a WebContainer cannot be chosen, and the page says why`, async ({ page }) => {
    await page.addInitScript(before)
    const demo = new DemoPage(page)
    await demo.open()
    await page.getByTestId('tab-terminal').click()
    await expect(page.getByTestId('shell-webcontainer')).toBeDisabled()
    await expect(page.getByTestId('shell-just-bash')).toBeChecked()
    await expect(page.getByTestId('shell-status')).toHaveText(says)
  })
}

test('commands run in a WebContainer and back in the page, on the same files', async ({ demo, page }) => {
  await serveStandIn(page)
  await demo.openTerminal()
  await demo.runLine('echo one > made.txt')
  await page.getByTestId('shell-webcontainer').click()
  await expect(page.getByTestId('shell-status')).toHaveText('Node.js in the browser; files are copied in and out.')
  await expect.poll(() => demo.terminalText()).toMatch(/^jsh: .*\n(?:❯|\ufffd+)$/m)
  await demo.terminalInput().focus()
  await demo.runLine('cat made.txt && echo two > from-container.txt')
  expect(await demo.terminalText()).toMatch(/^one\n(?:❯|\ufffd+)$/m)
  await expect(demo.row('from-container.txt')).toHaveAccessibleName('from-container.txt, added')
  await demo.runLine('cd src/core')
  await demo.runLine('ls limits.ts')
  expect(await demo.terminalText()).toMatch(/^(?:❯|\ufffd+) ls limits.ts\nlimits.ts\n(?:❯|\ufffd+)$/m)

  await page.getByTestId('shell-just-bash').click()
  await expect.poll(() => demo.terminalText()).toMatch(/started over\.\nbash: .*\n~ \$$/m)
  await demo.terminalInput().focus()
  await demo.runLine('cat from-container.txt')
  expect(await demo.terminalText()).toMatch(/^two\n~ \$$/m)
})

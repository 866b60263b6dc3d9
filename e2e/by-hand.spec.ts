// Calls typed by hand, right and wrong: each is answered, and nothing leaves the workspace or stops the page.

import { expect, test } from './demo-page.ts'

test('a valid call is answered', async ({ demo }) => {
  const entry = await demo.call('read', { path: 'package.json' })
  await expect(demo.outcome(entry)).toHaveText('ok')
  expect(await demo.resultText(entry)).toMatch(/^\[package\.json#[0-9A-F]{4}\]\n1:\{\n2: {2}"name": "anchorage",\n/)
})

const refused: readonly { readonly name: string; readonly tool: string; readonly args: Record<string, unknown> }[] = [
  { name: 'a file that is not there', tool: 'read', args: { path: 'src/nowhere.ts' } },
  { name: 'a null byte in the path', tool: 'read', args: { path: 'src/\0index.ts' } },
  { name: 'a path outside the workspace', tool: 'write', args: { path: '../outside.txt', content: 'x' } },
  { name: 'an edit that is no script', tool: 'edit', args: { input: 'change it, please' } },
  { name: 'an edit under an invented tag', tool: 'edit', args: { input: '[package.json#0000]\nreplace 1..1:\n+[\n' } },
  { name: 'arguments of the wrong shape', tool: 'read', args: { path: { of: 'no' } } },
  { name: 'a broken pattern', tool: 'search', args: { pattern: '(unclosed[' } },
]

test('what the model can mend is refused with a reason', async ({ demo, page }) => {
  for (const { name, tool, args } of refused) {
    await test.step(name, async () => {
      const entry = await demo.call(tool, args)
      await expect(demo.outcome(entry)).toHaveText('refused')
      expect((await demo.resultText(entry)).length).toBeGreaterThan(20)
    })
  }
  await expect(page.getByTestId('change-count')).toHaveText('0')
  const listing = await demo.call('bash', { command: 'ls / && test ! -e /outside.txt && echo contained' })
  expect(await demo.resultText(listing)).toMatch(/contained/)
})

test('a command that fails shows its exit code', async ({ demo }) => {
  const entry = await demo.call('bash', { command: 'echo out; echo err >&2; exit 3' })
  await expect(entry.getByTestId('exit-code')).toHaveText('exit 3')
  expect(await demo.resultText(entry)).toMatch(/^out\nerr\n/)
})

test('bytes that are no text are never shown as text', async ({ demo, page }) => {
  await demo.call('bash', { command: "printf 'PK\\003\\004\\000\\377' > blob.bin" })
  await expect(demo.row('blob.bin')).toHaveAccessibleName('blob.bin, added')
  const entry = await demo.call('read', { path: 'blob.bin' })
  expect(await demo.resultText(entry)).not.toMatch(/\0|\uFFFD/)
  await demo.row('blob.bin').click()
  await expect(page.getByText('This file is not text.')).toBeVisible()
  await page.getByTestId('tab-changes').click()
  await expect(page.locator('[data-testid=diff][data-path="blob.bin"]')).toContainText('no lines to compare')
  await expect(page.getByTestId('notice')).toHaveCount(0)
})

test('JSON that is none is said in place, and nothing is sent', async ({ demo, page }) => {
  await demo.type('read', '{ "path": ')
  await page.getByTestId('run').click()
  await expect(page.getByTestId('problem')).toContainText('This is not JSON yet')
  await expect(page.getByTestId('hand-args')).toHaveAttribute('aria-invalid', 'true')
  await expect(demo.entries()).toHaveCount(0)
  await page.getByTestId('hand-args').fill('{ "path": "tsconfig.json" }')
  await expect(page.getByTestId('problem')).toHaveText('')
  await page.getByTestId('hand-args').press('Control+Enter')
  await expect(demo.outcome(demo.entries().first())).toHaveText('ok')
})

test('every tool starts from arguments that are JSON, and keeps what was typed', async ({ demo, page }) => {
  await demo.type('bash', '{ "command": "echo kept" }')
  for (const tool of ['read', 'write', 'edit', 'find', 'search']) {
    await page.getByTestId('tool').selectOption(tool)
    const typed: unknown = JSON.parse(await page.getByTestId('hand-args').inputValue())
    expect(Object.keys(typed ?? {}), tool).not.toEqual([])
  }
  await page.getByTestId('tool').selectOption('bash')
  await expect(page.getByTestId('hand-args')).toHaveValue('{ "command": "echo kept" }')
})

test('a tight loop leaves the page alive and can be aborted', async ({ demo, page }) => {
  // The shell is loaded first, so that the loop really runs when it is aborted.
  await demo.call('bash', { command: 'true' })
  const entry = await demo.startCall('bash', '{ "command": "while true; do :; done", "timeout": 5 }')
  await expect(demo.outcome(entry)).toHaveText('running')

  // The page answers while the worker is busy.
  const theme = page.getByTestId('theme')
  await theme.click()
  await expect(theme).toHaveAccessibleName('Theme: light')

  await page.getByTestId('abort').click()
  await expect(demo.outcome(entry)).toHaveText('aborted')

  const after = await demo.call('bash', { command: 'echo alive' })
  expect(await demo.resultText(after)).toBe('alive\n')
})

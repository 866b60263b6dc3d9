// One task in the tools of each toolset, played by clicking: all end with the same bytes.

import { readFile } from 'node:fs/promises'
import { scripts, toolsetNames } from '../demo/scripts/scripts.ts'
import { limitsPath, testPath, testText } from '../demo/scripts/task.ts'
import { expect, test } from './demo-page.ts'
import { expectedLimits } from './expected-files.ts'

const sourceOf = (path: string): Promise<string> => readFile(new URL(`../${path}`, import.meta.url), 'utf8')

const tools = {
  atomic: ['read', 'write', 'edit', 'bash', 'find', 'search'],
  ah: ['read', 'write', 'edit', 'bash'],
  rye: ['read', 'write', 'edit_lines', 'glob', 'grep', 'ls'],
  agsh: [
    'read_file',
    'edit_file',
    'write_file',
    'scratchpad_write',
    'scratchpad_read',
    'scratchpad_edit',
    'scratchpad_list',
    'scratchpad_delete',
  ],
  ecs: ['read_file', 'write_file', 'edit_file', 'bash'],
}

for (const name of toolsetNames.filter(other => other !== 'atomic')) {
  // Node plays all scripts in every run.
  test(`${name} leaves the same bytes, with its own tools`, async ({ demo, page }) => {
    await demo.chooseToolset(name)
    await expect(demo.status()).toHaveText(`${scripts[name].length} steps`)
    await page.getByTestId('by-hand').click()
    expect(await page.getByTestId('tool').locator('option').allTextContents()).toEqual(tools[name])
    expect(Object.keys(JSON.parse(await page.getByTestId('hand-args').inputValue()))).not.toEqual([])
    await page.getByTestId('by-hand').click()

    await demo.step(scripts[name].length)
    await expect(demo.status()).toHaveText(`Finished, ${scripts[name].length} of ${scripts[name].length}`)
    const outcomes = await demo.entries().getByTestId('outcome').allTextContents()
    expect(outcomes.filter(outcome => outcome === 'refused')).toHaveLength(1)
    await demo.expectFile(limitsPath, expectedLimits(await sourceOf(limitsPath)))
    await demo.expectFile(testPath, testText)
    await expect(page.getByTestId('change-count')).toHaveText('2')
  })
}

test('another toolset goes on with the files as they are, and starts over before it plays', async ({ demo, page }) => {
  const entry = await demo.call('write', { path: limitsPath, content: 'nothing\n' })
  await expect(demo.outcome(entry)).toHaveText('ok')
  await page.getByTestId('toolset-rye').check({ force: true })
  await expect(demo.entries()).toHaveCount(0)
  await demo.expectFile(limitsPath, 'nothing\n')
  await expect(page.getByTestId('step')).toBeDisabled()
  await expect(page.getByTestId('again')).toHaveText('Reset and play')

  // What was typed for one toolset is there when it is chosen again.
  await demo.type('grep', '{ "pattern": "kept" }')
  await page.getByTestId('toolset-ah').check({ force: true })
  await page.getByTestId('toolset-rye').check({ force: true })
  await page.getByTestId('tool').selectOption('grep')
  await expect(page.getByTestId('hand-args')).toHaveValue('{ "pattern": "kept" }')

  await page.reload()
  await expect(page.getByTestId('toolset-rye')).toBeChecked()
})

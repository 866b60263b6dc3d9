// Source control beside the session: a repository with history, changes of whoever made them, and a commit.

import { expect, test } from './demo-page.ts'
import { quick } from './depth.ts'

test('changes are shown, staged and committed', quick, async ({ demo, page }) => {
  await demo.call('write', { path: 'notes.md', content: 'One\n' })
  await page.getByTestId('tab-source').click()
  const history = page.getByTestId('history').getByRole('listitem')
  await expect(history).toHaveCount(5)
  await expect(history.last()).toContainText('Say what the project is')
  const changed = page.getByTestId('unstaged').getByRole('listitem')
  await expect(changed).toHaveText([/notes\.md\s*untracked/])

  // What tools do from now on is seen at once; the tree shows nothing of the repository.
  await demo.call('bash', { command: `sed -i 's/"name"/"called"/' package.json` })
  await expect(changed).toHaveText([/package\.json\s*modified/, /notes\.md/])
  await expect(demo.row('.git')).toHaveCount(0)
  await page.getByRole('button', { name: 'package.json', exact: true }).click()
  await expect(page.getByTestId('git-diff').locator('ins .text')).toHaveText(/"called"/)
  await expect(page.getByTestId('git-diff').locator('del .text')).toHaveText(/"name"/)

  await page.getByRole('button', { name: 'Stage package.json' }).click()
  await expect(page.getByTestId('staged').getByRole('listitem')).toHaveText([/package\.json\s*modified/])
  await expect(changed).toHaveText([/notes\.md/])
  const commit = page.getByTestId('commit')
  await expect(commit).toHaveAttribute('aria-disabled', 'true')
  await page.getByTestId('commit-message').fill('Call the project by another word')
  await commit.click()
  await expect(history).toHaveCount(6)
  await expect(history.first()).toContainText('Call the project by another word')
  await expect(page.getByTestId('staged').getByRole('listitem')).toHaveCount(0)

  // A command of the session works on the same repository.
  const entry = await demo.call('bash', { command: 'git log --format=%s -1 && git status --short' })
  expect(await demo.resultText(entry)).toContain('Call the project by another word\n?? notes.md')
})

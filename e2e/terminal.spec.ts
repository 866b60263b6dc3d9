// The terminal beside the session: the same files, line editing, and a way in and out without a mouse.

import type { Page } from '@playwright/test'
import { weakTexts } from './contrast.ts'
import { expect, test } from './demo-page.ts'
import { quick } from './depth.ts'

test('lines run one after the other in the session, and keep their directory', async ({ demo, page }) => {
  const scripts: string[] = []
  page.on('request', request => scripts.push(request.url()))
  await demo.openTerminal()
  // Nothing of it was loaded before.
  expect(scripts.filter(url => /\/screen-.*\.js$/.test(url))).toHaveLength(1)

  await demo.runLine('cd src/core && pwd')
  await demo.runLine("echo 'from the terminal' > note.txt; false")
  // The tree and the session see it at once.
  await expect(demo.row('src/core/note.txt')).toHaveAccessibleName('note.txt, added')
  await demo.runLine("printf 'a\\nb'")
  expect(await demo.terminalText()).toMatch(
    /^~ \$ cd src\/core && pwd\n\/workspace\/src\/core\n~\/src\/core \$ echo .* false\n~\/src\/core \$ printf .*\na\nb\n~\/src\/core \$$/m,
  )
  const entry = await demo.call('read', { path: 'src/core/note.txt' })
  expect(await demo.resultText(entry)).toContain('from the terminal')

  // And what the session does is there for the terminal.
  await demo.call('write', { path: 'src/core/note.txt', content: 'from the session\n' })
  await demo.terminalInput().focus()
  await demo.runLine('cat note.txt; cd /; rm -r nowhere')
  expect(await demo.terminalText()).toMatch(/^from the session\n.*nowhere.*\n\/ \$$/m)
})

test('output comes while the command runs, in colours, and Ctrl+C ends it', async ({ demo, page }) => {
  await demo.openTerminal()
  await page.keyboard.type("printf '\\033[31mred\\033[0m \\033[38;2;10;200;90mgreen\\033[0m\\n'; sleep 20; echo never")
  await page.keyboard.press('Enter')
  await expect.poll(() => demo.terminalText()).toMatch(/^red green$/m)
  const red = page.getByTestId('terminal').locator('.xterm-rows span').getByText('red', { exact: true })
  await expect(red).toHaveClass(/xterm-fg-1/)
  await expect(page.getByTestId('terminal').locator('.xterm-rows span').getByText('green', { exact: true })).toHaveClass(
    /xterm-fg-\d+/,
  )
  // What is typed meanwhile waits.
  await page.keyboard.press('Control+C')
  await page.keyboard.type('echo after')
  await expect.poll(() => demo.terminalText()).toMatch(/^\^C\n~ \$ echo after$/m)
  await demo.runLine('')
  expect(await demo.terminalText()).toMatch(/^after\n~ \$$/m)

  await page.keyboard.type('while true; do :; done')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+C')
  await expect.poll(() => demo.terminalText()).toMatch(/done\n\^C\n~ \$$/m)
  await demo.runLine('echo alive')
  expect(await demo.terminalText()).toMatch(/^alive$/m)
  await page.keyboard.press('Control+L')
  await expect.poll(() => demo.terminalText()).toBe('~ $')
})

test('a line is edited, recalled and pasted', async ({ demo, page }) => {
  await demo.openTerminal()
  const lastRow = async (): Promise<string> => (await demo.terminalText()).split('\n').at(-1) ?? ''
  await page.keyboard.type('cho ')
  await insert(page, '漢字')
  await page.keyboard.type(' end')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('e')
  await page.keyboard.press('Control+E')
  for (let presses = 0; presses < 4; presses++) await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Backspace')
  await insert(page, '字😀')
  await expect.poll(lastRow).toBe('~ $ echo 漢字😀 end')
  await demo.runLine('')
  expect(await demo.terminalText()).toMatch(/^漢字😀 end\n~ \$$/m)

  await page.keyboard.type('draft')
  await page.keyboard.press('ArrowUp')
  await expect.poll(lastRow).toBe('~ $ echo 漢字😀 end')
  await page.keyboard.press('ArrowDown')
  await expect.poll(lastRow).toBe('~ $ draft')
  await page.keyboard.press('Control+C')
  await expect.poll(() => demo.terminalText()).toMatch(/^~ \$ draft\^C\n~ \$$/m)

  // A paste of several lines waits for Enter, and is one command.
  await paste(page, 'for name in a b\r\ndo echo "<$name>"\r\ndone\r\n')
  await expect.poll(() => demo.terminalText()).toMatch(/\ndo echo "<\$name>"\ndone$/)
  await demo.runLine('')
  expect(await demo.terminalText()).toMatch(/^<a>\n<b>\n~ \$$/m)

  // Longer than a row, edited at its beginning.
  await page.keyboard.type(`echo ${'x'.repeat(150)}`)
  await page.keyboard.press('Home')
  await page.keyboard.type('true; ')
  await demo.runLine('')
  expect((await demo.terminalText()).replaceAll('\n', '')).toContain(`~ $ true; echo ${'x'.repeat(150)}${'x'.repeat(150)}~ $`)
})

test('is reached, read aloud and left with the keyboard alone', async ({ demo, page }) => {
  await page.getByTestId('tab-file').focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByTestId('tab-terminal')).toBeFocused()
  await expect.poll(() => demo.terminalText()).toMatch(/^~ \$$/m)
  for (let presses = 0; presses < 6 && !(await isFocused(page)); presses++) await page.keyboard.press('Tab')
  expect(await isFocused(page)).toBe(true)
  await expect(demo.terminalInput()).toHaveAccessibleName('Terminal. Tab leaves an empty line, Shift+Tab any line.')
  await demo.runLine('echo heard')
  const tree = page.getByTestId('terminal').locator('.xterm-accessibility-tree')
  await expect(tree.getByRole('listitem').filter({ hasText: /^heard/ })).toHaveCount(1)
  await page.keyboard.press('Shift+Tab')
  expect(await isFocused(page)).toBe(false)
  await page.keyboard.press('Tab')
  expect(await isFocused(page)).toBe(true)
  await page.keyboard.press('Tab')
  expect(await isFocused(page)).toBe(false)
})

test('can be read in both themes, and fits a phone', async ({ demo, page }) => {
  await demo.openTerminal()
  await demo.runLine("for code in 31 32 33 34 35 36 90 1; do printf '\\033[%dmcolour\\033[0m ' $code; done; false")
  const button = page.getByTestId('theme')
  for (const theme of ['light', 'dark']) {
    while ((await button.getAttribute('aria-label')) !== `Theme: ${theme}`) await button.press('Enter')
    const { measured, weak } = await weakTexts(page, 4.5)
    expect({ theme, weak }).toEqual({ theme, weak: [] })
    expect(measured).toBeGreaterThan(50)
  }

  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByTestId('pane-code').click()
  const widest = async (): Promise<number> => Math.max(...(await demo.terminalText()).split('\n').map(row => row.length))
  await expect.poll(widest).toBeLessThan(50)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  await demo.terminalInput().focus()
  await demo.runLine('echo narrow')
  expect(await demo.terminalText()).toMatch(/^narrow\n~ \$$/m)
})

test('goes on after a reset and with other tools', async ({ demo, page }) => {
  await demo.openTerminal()
  await demo.runLine('cd src; touch new.txt')
  await page.getByTestId('reset').click()
  await expect.poll(() => demo.terminalText()).toMatch(/The session started over\.\n[^]*^~ \$$/m)
  await demo.terminalInput().focus()
  await demo.runLine('ls src/new.txt')
  expect(await demo.terminalText()).toMatch(/new\.txt.*No such file/)
  // agsh has no shell of its own; the terminal goes on as it was.
  await demo.runLine('kept=1')
  await demo.chooseToolset('agsh')
  await demo.terminalInput().focus()
  await demo.runLine('echo "<$kept>"')
  expect(await demo.terminalText()).toMatch(/^<1>\n~ \$$/m)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await demo.runLine('')
  await expect(demo.row('src/new.txt')).toHaveAccessibleName('new.txt, added')
})

test('a session: variables, the input of a command, completion and links to files', quick, async ({ demo, page }) => {
  await demo.openTerminal()
  await demo.runLine('greet() { echo "hello $1"; }; who=you')
  await demo.runLine('greet $who')
  expect(await demo.terminalText()).toMatch(/^hello you\n~ \$$/m)

  await page.keyboard.type('read -r name; greet "$name"')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Ada')
  await demo.runLine('')
  expect(await demo.terminalText()).toMatch(/^Ada\nhello Ada\n~ \$$/m)

  // An unfinished command goes on in the next line.
  await page.keyboard.type('for a in 1 2; do')
  await page.keyboard.press('Enter')
  await demo.runLine('echo "<$a>"; done')
  expect(await demo.terminalText()).toMatch(/^<1>\n<2>\n~ \$$/m)

  await page.keyboard.type('gre')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect.poll(() => demo.terminalText()).toMatch(/^greet +grep\n~ \$ gre$/m)
  await page.keyboard.type('p -n export src/core/lim')
  await page.keyboard.press('Tab')
  await expect.poll(() => demo.terminalText()).toMatch(/^~ \$ grep -n export src\/core\/limits\.ts$/m)
  await page.keyboard.press('Control+U')

  await page.keyboard.press('Control+L')
  await expect.poll(() => demo.terminalText()).toBe('~ $')
  await demo.runLine('echo src/core/limits.ts:3')
  const row = page.getByTestId('terminal').locator('.xterm-rows > div').nth(1)
  await expect(row).toHaveText(/^src\/core\/limits\.ts:3/)
  const box = await row.boundingBox()
  // The terminal hears the mouse on its whole screen, and looks a link up when the mouse moves to another cell.
  const [x, y] = [(box?.x ?? 0) + 30, (box?.y ?? 0) + 8]
  await page.mouse.move(x + 60, y)
  await page.mouse.move(x, y)
  await expect(page.getByTestId('terminal').locator('.xterm-cursor-pointer')).toHaveCount(1)
  await page.mouse.click(x, y)
  await expect(page.getByTestId('tab-file')).toHaveAttribute('aria-selected', 'true')
  await expect(page.locator('[data-testid=file-facts][data-path="src/core/limits.ts"]')).toBeVisible()
})

function isFocused(page: Page): Promise<boolean> {
  return page
    .getByTestId('terminal')
    .locator('textarea')
    .evaluate(element => element.matches(':focus'))
}

/** As an emoji picker or dictation does it: text without a key. */
async function insert(page: Page, text: string): Promise<void> {
  await page
    .getByTestId('terminal')
    .locator('textarea')
    .evaluate(
      (element, data) =>
        element.dispatchEvent(new InputEvent('input', { data, inputType: 'insertText', bubbles: true, composed: true })),
      text,
    )
}

/** As the browser hands over what was copied elsewhere. */
async function paste(page: Page, text: string): Promise<void> {
  await page
    .getByTestId('terminal')
    .locator('textarea')
    .evaluate((element, data) => {
      // Not a DataTransfer: Firefox lets no page fill one for an event.
      const event = new Event('paste', { bubbles: true, cancelable: true, composed: true })
      Object.defineProperty(event, 'clipboardData', { value: { getData: () => data } })
      element.dispatchEvent(event)
    }, text)
}

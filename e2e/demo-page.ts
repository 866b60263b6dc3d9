// The demo as a person uses it: what can be clicked and read. Every test also fails on anything the page complains about.

import {
  expect,
  test as base,
  type Locator,
  type Page,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test'

export class DemoPage {
  readonly page: Page
  /** What the console and uncaught errors said. */
  readonly complaints: string[] = []

  constructor(page: Page) {
    this.page = page
    page.on('console', message => {
      if (message.type() === 'error' || message.type() === 'warning') this.complaints.push(message.text())
    })
    page.on('pageerror', error => this.complaints.push(error.message))
  }

  async open(): Promise<void> {
    await this.page.goto('/')
    await expect(this.page.getByTestId('facts')).toHaveText(/^[\d,]+ files, [\d.]+ [kM]B in [\d.]+ m?s$/)
  }

  /** A tab behind another one is drawn once a second, and each click waits for two pictures: two seconds a click. */
  async toFront(): Promise<void> {
    await this.page.bringToFront()
  }

  async play(): Promise<void> {
    await this.page.getByTestId('play').click()
    await expect(this.status()).toHaveText(/^(Finished|Stopped)/)
    await expect(this.page.getByTestId('stuck')).toHaveCount(0)
  }

  /** Plays `count` steps, each by its own click. */
  async step(count: number): Promise<void> {
    for (let played = 1; played <= count; played++) {
      const step = this.page.getByTestId('step')
      await expect(step).toBeEnabled()
      await step.click()
      await expect(this.entries()).toHaveCount(played)
    }
    await expect(this.status()).toHaveText(/^(Step \d+ of \d+|Finished, .*)$/)
  }

  status(): Locator {
    return this.page.getByTestId('status')
  }

  entries(): Locator {
    return this.page.getByTestId('entry')
  }

  outcome(entry: Locator): Locator {
    return entry.getByTestId('outcome')
  }

  /** Exactly what the model sees of a result. */
  async resultText(entry: Locator): Promise<string> {
    return (await entry.getByTestId('result').first().textContent()) ?? ''
  }

  /** Chooses a file in the tree and waits until exactly `text` is shown; `why` says what it means if that never happens. */
  async expectFile(path: string, text: string, why = `the text of ${path}`): Promise<void> {
    await this.chooseFile(path)
    await expect.poll(() => this.page.getByTestId('file-text').textContent(), why).toBe(text)
  }

  /** Opens the directories above a file and chooses it. */
  async chooseFile(path: string): Promise<void> {
    const names = path.split('/')
    for (let depth = 1; depth < names.length; depth++) {
      const directory = this.row(names.slice(0, depth).join('/'))
      if ((await directory.getAttribute('aria-expanded')) === 'false') await directory.click()
    }
    await this.row(path).click()
    await expect(this.row(path)).toHaveAttribute('aria-selected', 'true')
    await expect(this.page.locator(`[data-testid=file-facts][data-path="${path}"]`)).toBeVisible()
  }

  row(path: string): Locator {
    return this.page.locator(`[role=treeitem][data-path="${path}"]`)
  }

  /** Sends a call through the form and gives its entry once it has ended. */
  async call(tool: string, args: Record<string, unknown>): Promise<Locator> {
    const entry = await this.startCall(tool, JSON.stringify(args))
    await expect(this.outcome(entry)).not.toHaveText('running')
    return entry
  }

  /** Sends what was typed, and gives the entry that will show it. */
  async startCall(tool: string, typed: string): Promise<Locator> {
    const before = await this.entries().count()
    await this.type(tool, typed)
    await this.page.getByTestId('run').click()
    await expect(this.entries()).toHaveCount(before + 1)
    return this.entries().nth(before)
  }

  async chooseToolset(name: string): Promise<void> {
    // The input itself cannot be seen; its label stands for it.
    await this.page.getByTestId(`toolset-${name}`).check({ force: true })
    await expect(this.entries()).toHaveCount(0)
    await expect(this.page.getByTestId('step')).toBeEnabled()
  }

  /** Opens the terminal's tab and waits until it asks for a command. */
  async openTerminal(): Promise<void> {
    await this.page.getByTestId('tab-terminal').click()
    await expect.poll(() => this.terminalText()).toMatch(/^~ \$$/m)
    await this.terminalInput().focus()
  }

  terminalInput(): Locator {
    return this.page.getByTestId('terminal').locator('textarea')
  }

  /** Types a line and runs it; ends when the terminal asks for the next. */
  async runLine(line: string): Promise<void> {
    await this.page.keyboard.type(line)
    const before = await this.promptCount()
    await this.page.keyboard.press('Enter')
    await expect.poll(() => this.promptCount(), { message: `the prompt after ${line}` }).toBe(before + 1)
  }

  /** What the terminal shows: its rows, without the blanks at their ends. */
  async terminalText(): Promise<string> {
    const rows = await this.page.getByTestId('terminal').locator('.xterm-rows > div').allTextContents()
    return rows
      .map(row => row.replaceAll('\u00A0', ' ').trimEnd())
      .join('\n')
      .trimEnd()
  }

  async promptCount(): Promise<number> {
    return (await this.terminalText()).match(/^(?:[~/]\S* \$|❯|\ufffd+)( |$)/gm)?.length ?? 0
  }

  async type(tool: string, typed: string): Promise<void> {
    const select = this.page.getByTestId('tool')
    if (!(await select.isVisible())) await this.page.getByTestId('by-hand').click()
    await select.selectOption(tool)
    await this.page.getByTestId('hand-args').fill(typed)
  }
}

/** Gives each test an opened page, and fails it when the page complained. */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & { demo: DemoPage },
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
> = base.extend<{ demo: DemoPage }>({
  demo: [
    async ({ page }, use, testInfo) => {
      const demo = new DemoPage(page)
      await demo.open()
      await use(demo)
      // A test that failed is reason enough; the picture that is taken of it adds a style, which Firefox complains about.
      if (testInfo.errors.length === 0) expect([...new Set(demo.complaints)]).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

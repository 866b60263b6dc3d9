// Sends the results of tests to the process that started Vitest, as they arrive: the progress, each failure, and the sums.

/** @public .ci/steps.mjs refers to it by path */
export default class ProgressReporter {
  #total = 0
  #done = 0
  #counts = { passed: 0, failed: 0, skipped: 0 }
  #skipReasons = {}
  #running = new Set()
  #seconds = new Map()

  onTestRunStart(specifications) {
    this.#total = specifications.length
    this.#send()
  }

  onTestModuleStart(module) {
    this.#running.add(nameOf(module))
    this.#send()
  }

  onTestCaseResult(test) {
    const { state, errors = [] } = test.result()
    this.#counts[state] += 1
    const name = `${nameOf(test.module)} > ${test.fullName}`
    if (state === 'failed') this.#fail(name, errors)
    if (state === 'skipped') this.#skip(name)
    this.#send()
  }

  onTestSuiteResult(suite) {
    this.#failAround(`${nameOf(suite.module)} > ${suite.fullName}`, suite.errors())
  }

  onTestModuleEnd(module) {
    this.#failAround(nameOf(module), module.errors())
    this.#running.delete(nameOf(module))
    this.#seconds.set(nameOf(module), Math.round(module.diagnostic().duration / 1000))
    this.#done += 1
    this.#send()
  }

  async onTestRunEnd(_modules, unhandled, reason) {
    this.#failAround('outside of any test', unhandled)
    const slowest = [...this.#seconds].sort(([, a], [, b]) => b - a).slice(0, 12)
    await send({ kind: 'end', isWhole: reason !== 'interrupted', ...this.#counts, skipReasons: this.#skipReasons, slowest })
  }

  // The reason is in parentheses at the end of the name: see src/testing/suites.ts and src/testing/contract.ts.
  #skip(name) {
    const [, reason] = /\(([^()]+)\)$/.exec(name) ?? []
    if (reason !== undefined) this.#skipReasons[reason] = (this.#skipReasons[reason] ?? 0) + 1
    else this.#failAround(name, [{ message: 'It is skipped without a reason. Put one in parentheses at the end of its name.' }])
  }

  // A file that cannot be loaded, or fails before or after its tests, fails without a test.
  #failAround(name, errors) {
    if (errors.length === 0) return
    this.#counts.failed += 1
    this.#fail(name, errors)
  }

  #fail(name, errors) {
    void send({ kind: 'failure', text: [name, ...errors.map(errorText)].join('\n') })
  }

  #send() {
    void send({
      kind: 'progress',
      text: `${this.#done} of ${this.#total} files, ${this.#counts.failed} failed`,
      running: [...this.#running],
    })
  }
}

const nameOf = module => [module.project.name, module.relativeModuleId].filter(Boolean).join(': ')

function errorText({ message, name, stack = '', diff }) {
  const frames = stack.split('\n').filter(line => /^\s+at /.test(line) && !line.includes('/node_modules/'))
  return [`  ${name ?? 'Error'}: ${message}`, diff, ...frames.slice(0, 8)].filter(Boolean).join('\n')
}

// Resolves when the message is sent, because Vitest exits directly after the last one. Without a channel, when the reporter is used by
// hand, failures are printed.
function send(message) {
  if (process.send) return new Promise(resolve => process.send(message, resolve))
  if (message.kind === 'failure') console.log(message.text)
}

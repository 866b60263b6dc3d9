// Sends the results of tests to the process that started Vitest, as they arrive: the progress, each failure, and the sums.

/** @public .ci/steps.mjs refers to it by path */
export default class ProgressReporter {
  #total = 0
  #done = 0
  #counts = { passed: 0, failed: 0, skipped: 0 }
  #running = new Set()

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
    if (state === 'failed') this.#fail(`${nameOf(test.module)} > ${test.fullName}`, errors)
    this.#send()
  }

  onTestSuiteResult(suite) {
    this.#failAround(`${nameOf(suite.module)} > ${suite.fullName}`, suite.errors())
  }

  onTestModuleEnd(module) {
    this.#failAround(nameOf(module), module.errors())
    this.#running.delete(nameOf(module))
    this.#done += 1
    this.#send()
  }

  async onTestRunEnd(_modules, unhandled, reason) {
    this.#failAround('outside of any test', unhandled)
    await send({ kind: 'end', isWhole: reason !== 'interrupted', ...this.#counts })
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

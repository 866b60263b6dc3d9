// Sends the results of tests to the process that started Playwright, as they arrive, in the message format of vitest-reporter.mjs.

/** @public .ci/steps.mjs refers to it by path */
export default class ProgressReporter {
  #total = 0
  #counts = { passed: 0, failed: 0, skipped: 0 }
  #skipReasons = {}
  #running = new Set()

  onBegin(_config, suite) {
    this.#total = suite.allTests().length
    this.#send()
  }

  onTestBegin(test) {
    this.#running.add(nameOf(test))
    this.#send()
  }

  onTestEnd(test, { status, errors }) {
    const state = status === 'skipped' ? 'skipped' : status === test.expectedStatus ? 'passed' : 'failed'
    this.#counts[state] += 1
    if (state === 'skipped') {
      const reason = test.annotations.find(({ type }) => type === 'skip')?.description ?? 'no reason'
      this.#skipReasons[reason] = (this.#skipReasons[reason] ?? 0) + 1
    }
    this.#running.delete(nameOf(test))
    if (state === 'failed') this.#fail(nameOf(test), errors.length > 0 ? errors : [{ message: `It ${status}.` }])
    this.#send()
  }

  // Errors outside tests: a server that does not start, a file that does not load.
  onError(error) {
    this.#counts.failed += 1
    this.#fail('outside of any test', [error])
  }

  onEnd({ status }) {
    // Playwright exits directly afterwards, and waits for the returned promise.
    const end = { kind: 'end', isWhole: status !== 'interrupted', ...this.#counts, skipReasons: this.#skipReasons }
    return process.send ? new Promise(resolve => process.send(end, resolve)) : undefined
  }

  #fail(name, errors) {
    process.send?.({
      kind: 'failure',
      text: [name, ...errors.map(({ stack, message, snippet }) => [stack ?? message, snippet].filter(Boolean).join('\n'))].join(
        '\n',
      ),
    })
  }

  #send() {
    const { passed, failed, skipped } = this.#counts
    const text = `${passed + failed + skipped} of ${this.#total} tests, ${failed} failed`
    process.send?.({ kind: 'progress', text, running: [...this.#running] })
  }
}

const nameOf = test => test.titlePath().filter(Boolean).join(' > ')

// The output of a step of npm test: its start, its progress, its failures as they arrive, and its result.

const intervalMs = 15_000
const namesAtMost = 3
const repeatedCharacters = 1500

const failures = []

/** The failures of all steps, shortened. A long run ends with them, because a log is often kept without its beginning. */
export function repeatedFailures() {
  if (failures.length === 0) return ''
  return [`All failures (${failures.length}):`, ...failures.map(text => `✗ ${text.slice(0, repeatedCharacters)}`)].join('\n')
}

export class Progress {
  #name
  #startedAt = performance.now()
  #text = ''
  #running = []
  #timer = setInterval(() => this.#print(), intervalMs)

  constructor(name) {
    this.#name = name
    console.log(`▶ ${name} …`)
  }

  /** Handles the messages of the reporters in this directory. */
  take({ kind, text, running }) {
    if (kind === 'failure') {
      failures.push(`${this.#name}: ${text}`)
      console.log(`✗ ${text}\n`)
    }
    if (kind !== 'progress') return
    this.#text = text
    this.#running = running
  }

  end({ passed, failed, output = '', note }) {
    clearInterval(this.#timer)
    if (failed > 0 && output !== '') {
      failures.push(`${this.#name}: ${output.trim().slice(-repeatedCharacters)}`)
      console.log(output.trimEnd())
    }
    const counts = passed + failed > 1 ? `${passed} passed, ${failed} failed` : undefined
    const details = [`${this.#seconds(1)} s`, counts, note].filter(Boolean).join(', ')
    console.log(`${failed > 0 ? '✗' : '✓'} ${this.#name} (${details})`)
  }

  #print() {
    const names = this.#running.slice(0, namesAtMost).join(', ')
    const rest = this.#running.length > namesAtMost ? ' …' : ''
    const details = [`${this.#seconds(0)} s`, names && `now ${names}${rest}`].filter(Boolean).join(', ')
    console.log(`  ${this.#name}: ${this.#text === '' ? '' : `${this.#text} `}(${details})`)
  }

  #seconds(digits) {
    return ((performance.now() - this.#startedAt) / 1000).toFixed(digits)
  }
}

import { afterEach, expect, test, vi } from 'vitest'

import { awaitAnswer, expectAnswer, giveAnswer, openSharedAnswers } from './shared-answer.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test('a waking that comes late, from the answer before, gives no answer', () => {
  const answers = openSharedAnswers(new SharedArrayBuffer(16 + 128 * 1024))
  expectAnswer(answers)
  giveAnswer(answers, { of: 'the first question' })
  expect(awaitAnswer(answers)).toEqual({ kind: 'here', value: { of: 'the first question' } })
  expectAnswer(answers)
  vi.spyOn(Atomics, 'wait')
    .mockImplementationOnce(() => 'ok')
    .mockImplementationOnce(() => {
      giveAnswer(answers, { of: 'the second question' })
      return 'ok'
    })
  expect(awaitAnswer(answers)).toEqual({ kind: 'here', value: { of: 'the second question' } })
})

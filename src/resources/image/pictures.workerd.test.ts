import { describe, expect, it } from 'vitest'

import { judgeFormat } from '../../testing/images/judge.ts'
import { formats } from '../../testing/images/pictures.ts'

describe('other decoders see the same', () => {
  it.each(formats)('%s', async format => {
    const { count, failures } = await judgeFormat(format)
    expect(count).toBeGreaterThan(4)
    expect(failures).toEqual([])
  })
})

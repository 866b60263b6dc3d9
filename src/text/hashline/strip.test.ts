import { describe, expect, it } from 'vitest'
import { stripCopiedOutput } from './strip.ts'

const snapshots: Record<string, string> = {
  's.txt#2914': 'one\ntwo\nthree\nfour\nfive\n',
  'n.txt#6540': 'a\nb',
  'e.txt#5D05': '',
}
const strip = (content: string): string => {
  const result = stripCopiedOutput(content, (path, tag) => snapshots[`${path}#${tag}`])
  return result.kind === 'stripped' ? result.text : result.kind
}

describe('what is wholly copied is stripped', () => {
  it.each([
    ['[s.txt#2914]\n1:one\n2:two\n3:three\n4:four\n5:five', 'one\ntwo\nthree\nfour\nfive\n'],
    ['[s.txt#2914]\n1:one\n2:two\n3:three\n4:four\n5:five\n', 'one\ntwo\nthree\nfour\nfive\n'],
    ['[s.txt#2914]\n 1:one\n*2:two\n 3:three', 'one\ntwo\nthree'],
    ['[s.txt#2914]\n1:one\n2:two\n', 'one\ntwo\n'],
    ['[s.txt#2914]\n1:one\n2:two\n\n[3 more lines in file. Continue with path selector :3.]', 'one\ntwo'],
    ['[s.txt#2914]\n1:one\n\n[Showing lines 1-1 of 5 (50.0KB limit). Continue with path selector :2.]\n', 'one'],
    ['[s.txt#2914]', 'one\ntwo\nthree\nfour\nfive\n'],
    ['\n[s.txt#2914]\nSuccessfully wrote 24 bytes to s.txt\n', 'one\ntwo\nthree\nfour\nfive\n'],
    ['# sub/\n[s.txt#2914]\n*4:four', 'four'],
    ['\uFEFF[s.txt#2914]\r\n4:four\r\n5:five\r\n', 'four\nfive\n'],
    ['[n.txt#6540]\n1:a\n2:b', 'a\nb'],
    ['[n.txt#6540]\n1:a\n2:b\n', 'a\nb'],
    ['[e.txt#5D05]\n1:', ''],
    ['[e.txt#5D05]\n1:\n', ''],
    ['[e.txt#5D05]', ''],
  ])('%j', (content, text) => {
    expect(strip(content)).toBe(text)
  })
})

describe('what is not known is left alone', () => {
  it.each([
    '',
    '\n\n',
    'plain\n',
    '[s.txt#ABCD]\n1:one',
    '[other.txt#2914]\n1:one',
    '[section]\na = 1\n',
    '# Title\n[s.txt#2914]\n1:one',
    'x\n[s.txt#2914]\n1:one',
    '1:one\n2:two',
  ])('%j', content => {
    expect(strip(content)).toBe('unchanged')
  })
})

describe('what is only partly copied is left alone, with a reason', () => {
  it.each([
    ['[s.txt#2914]\n1:one\nmy own line', 'no tool printed'],
    ['[s.txt#2914]\n1:one\n\nmy own line', 'no tool printed'],
    ['[s.txt#2914]\n1:one\n[n.txt#6540]\n1:a', 'more than one file'],
    ['[s.txt#2914]\n1:one\n4:four', 'not contiguous'],
    ['[s.txt#2914]\n2:two\n1:one', 'not contiguous'],
    ['[s.txt#2914]\n1:one\n\n2:two', 'interrupted'],
    ['[s.txt#2914]\n1:ONE', 'row 1 differs'],
    ['[s.txt#2914]\n5:five\n6:', 'row 6 differs'],
    ['# notes/\n\n[s.txt#2914]\n', 'no rows'],
  ])('%j', (content, reason) => {
    expect(stripCopiedOutput(content, (path, tag) => snapshots[`${path}#${tag}`])).toEqual({
      kind: 'suspicious',
      reason: expect.stringContaining(reason),
    })
  })
})

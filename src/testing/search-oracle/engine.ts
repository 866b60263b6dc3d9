// An independent decision about which lines a pattern matches: RE2JS, which shares only the parser with our automaton. Each text is tested
// with the cheapest of its programs that is correct for it: ASCII, Unicode, or Unicode with word boundaries.

import { RE2JS } from 're2js'
import { PatternError } from '../../search/regex/cursor.ts'
import { markWords } from './marked-text.ts'
import { type Dialect, printPattern, type Traits } from './print.ts'
import type { Node } from '../../search/regex/syntax.ts'

export interface Engine {
  /** Whether these bytes, one line or several, contain a match. Invalid UTF-8 is decoded to U+FFFD. */
  readonly test: (bytes: Uint8Array, isAscii: boolean) => boolean
  /** Passes the lines that each match in `text` spans, by index and in order, to `sink`, which may end the search. */
  readonly eachSpan: (text: string, sink: (firstLineIndex: number, lastLineIndex: number) => boolean) => void
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Throws {@link PatternError} if the pattern is too large for the engine. */
export function createEngine(node: Node, traits: Traits, canMatchNewline: boolean): Engine {
  const compile = (dialect: Dialect): InstanceType<typeof RE2JS> => {
    try {
      return RE2JS.compile(printPattern(node, { dialect, canMatchNewline }), traits.needsLookBehind ? RE2JS.LOOKBEHINDS : 0)
    } catch (error) {
      // The printed pattern is well-formed, so the engine can only refuse its size.
      if (error instanceof Error && /repeat|large|size|nest/i.test(error.message)) throw tooLarge()
      throw error
    }
  }
  const ascii = compile('ascii')
  const foreignDialect: Dialect = traits.hasWordAssertion ? 'marked' : 'unicode'
  let foreign: typeof ascii | undefined
  const foreignEngine = (): typeof ascii => (foreign ??= compile(foreignDialect))

  return {
    test(bytes, isAscii) {
      if (isAscii) return ascii.test(bytes)
      return foreignEngine().test(foreignDialect === 'marked' ? markWords(decoder.decode(bytes)) : bytes)
    },
    eachSpan(text, sink) {
      const isAscii = !/[^\0-\x7f]/.test(text)
      const subject = !isAscii && foreignDialect === 'marked' ? markWords(text) : text
      const matcher = (isAscii ? ascii : foreignEngine()).matcher(subject)
      const lineStarts = lineStartsOf(subject)
      let lineIndex = 0
      const lineIndexAt = (offset: number): number => {
        while ((lineStarts[lineIndex + 1] ?? Infinity) <= offset) lineIndex++
        return lineIndex
      }
      while (matcher.find()) {
        const firstLineIndex = lineIndexAt(matcher.start())
        if (!sink(firstLineIndex, lineIndexAt(Math.max(matcher.start(), matcher.end() - 1)))) return
      }
    },
  }
}

/** Where each line of `text` begins, in UTF-16 units. A line ends at `\n`, `\r\n` or a lone `\r`. */
function lineStartsOf(text: string): readonly number[] {
  const starts = [0]
  for (const lineBreak of text.matchAll(/\r\n?|\n/g)) starts.push(lineBreak.index + lineBreak[0].length)
  return starts
}

function tooLarge(): PatternError {
  return new PatternError(
    0,
    'the pattern is too large once its counted repetitions are written out; use smaller counts, `*` or `+`',
  )
}

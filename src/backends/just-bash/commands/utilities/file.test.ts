// The results of the original `file` for the contents that agents most often ask about.
import { describe, expect, it } from 'vitest'
import { latin1Bytes } from '../../encoding.ts'
import { typeOf } from './file-types.ts'

const rows: readonly (readonly [bytes: string, description: string, mime: string])[] = [
  ['', 'empty', 'inode/x-empty'],
  ['hello\n', 'ASCII text', 'text/plain'],
  ['hello', 'ASCII text, with no line terminators', 'text/plain'],
  ['a\r\nb\r\n', 'ASCII text, with CRLF line terminators', 'text/plain'],
  ['a\r\nb\n', 'ASCII text, with CRLF, LF line terminators', 'text/plain'],
  ['a\rb\r', 'ASCII text, with CR line terminators', 'text/plain'],
  ['h\xc3\xa9\n', 'Unicode text, UTF-8 text', 'text/plain'],
  ['\xef\xbb\xbfhi\n', 'Unicode text, UTF-8 (with BOM) text', 'text/plain'],
  ['caf\xe9\n', 'ISO-8859 text', 'text/plain'],
  [`${'x'.repeat(400)}\n`, 'ASCII text, with very long lines (400)', 'text/plain'],
  ['\0\x01', 'data', 'application/octet-stream'],
  ['#!/bin/bash\n', 'Bourne-Again shell script, ASCII text executable', 'text/x-shellscript'],
  ['#!/usr/bin/env python3\n', 'Python script, ASCII text executable', 'text/x-script.python'],
  ['#!/usr/bin/env node\n', 'Node.js script executable, ASCII text', 'application/javascript'],
  ['{"a":1}\n', 'JSON text data', 'application/json'],
  ['<?xml version="1.0"?><a/>\n', 'XML 1.0 document, ASCII text', 'text/xml'],
  ['<!DOCTYPE html>\n', 'HTML document, ASCII text', 'text/html'],
  [
    '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x03\x08\x06\0\0\0',
    'PNG image data, 2 x 3, 8-bit/color RGBA, non-interlaced',
    'image/png',
  ],
  ['GIF89a\x01\0\x02\0', 'GIF image data, version 89a, 1 x 2', 'image/gif'],
  ['%PDF-1.4\n', 'PDF document, version 1.4', 'application/pdf'],
]

describe('file', () => {
  it.each(rows)('%j is %s', (bytes, description, mime) => {
    expect(typeOf(latin1Bytes(bytes))).toMatchObject({ description, mime })
  })
})

// What every matching line must hold, read off the pattern: with it, whole files are skipped at the speed of a byte search.

import { unreachable } from '../core/errors.ts'
import type { Node } from './regex/syntax.ts'

/** A line without any of `texts` cannot match. */
export interface RequiredLiterals {
  readonly texts: readonly string[]
  /** ASCII letters of `texts` stand for both cases. */
  readonly isFolded: boolean
  /** A line that holds one of them does match: the pattern is nothing but these. */
  readonly isWhole: boolean
}

const maxTexts = 8
/** Fewer bytes are on nearly every line, and looking for them costs more than it spares. */
const minLength = 2

/** `undefined` when no literal is certain, or none is worth looking for. */
export function requiredLiterals(node: Node): RequiredLiterals | undefined {
  const found = analyse(node)
  const whole = found.exact
  if (whole !== undefined && whole !== '' && isSearchable(found.isFolded, whole)) {
    const isWhole = found.isPure && found.isUniform
    if (!isWhole && whole.length < minLength) return undefined
    return { texts: [whole], isFolded: found.isFolded, isWhole }
  }
  const best = found.best
  if (best === undefined || best.some(text => text.length < minLength)) return undefined
  const isWhole = node.kind === 'alternatives' && node.parts.every(part => isPlain(analyse(part), found.isFolded))
  return { texts: best, isFolded: found.isFolded, isWhole }
}

interface Analysis {
  /** The one text that the node matches, if that is all it matches. */
  readonly exact: string | undefined
  /** One of these is in whatever the node matches. */
  readonly best: readonly string[] | undefined
  /** Some letter stands for both cases. The literals are then sought without regard to case, which finds no fewer. */
  readonly isFolded: boolean
  /** All letters agree on that. */
  readonly isUniform: boolean
  /** No assertion narrows it. */
  readonly isPure: boolean
}

const nothing: Analysis = { exact: '', best: undefined, isFolded: false, isUniform: true, isPure: true }

function isPlain(found: Analysis, isFolded: boolean): boolean {
  return (
    found.exact !== undefined && found.isPure && found.isUniform && (found.isFolded === isFolded || !/[a-z]/i.test(found.exact))
  )
}

function isSearchable(isFolded: boolean, text: string): boolean {
  return !isFolded || /^[\0-\x7f]*$/.test(text)
}

function analyse(node: Node): Analysis {
  switch (node.kind) {
    case 'character': {
      const text = String.fromCodePoint(node.codePoint)
      const isFolded = node.isFolded && /^[a-z]$/i.test(text)
      // Beyond ASCII, case folding may change the length in bytes: leave it to the engine.
      if (node.isFolded && text > '\x7f') return { ...nothing, exact: undefined }
      return { ...nothing, exact: isFolded ? text.toLowerCase() : text, isFolded }
    }
    case 'class':
      return { ...nothing, exact: undefined }
    case 'assertion':
      return { ...nothing, isPure: false }
    case 'sequence':
      return analyseSequence(node.parts.map(analyse))
    case 'alternatives':
      return analyseAlternatives(node.parts.map(analyse))
    case 'repeat': {
      const inner = analyse(node.node)
      if (node.min === 0) return { ...nothing, exact: undefined }
      if (node.min === 1 && node.max === 1) return inner
      return { ...inner, exact: undefined, best: bestOf(inner) }
    }
    default:
      return unreachable(node)
  }
}

function bestOf(found: Analysis): readonly string[] | undefined {
  if (found.exact === undefined || found.exact === '') return found.best
  return isSearchable(found.isFolded, found.exact) ? [found.exact] : found.best
}

function analyseSequence(parts: readonly Analysis[]): Analysis {
  const isFolded = parts.some(part => part.isFolded)
  const isPure = parts.every(part => part.isPure)
  const isUniform = parts.every(part => isPlainCase(part, isFolded))
  if (parts.every(part => part.exact !== undefined)) {
    return { exact: parts.map(part => part.exact).join(''), best: undefined, isFolded, isUniform, isPure }
  }
  let best: readonly string[] | undefined
  let run = ''
  const consider = (texts: readonly string[] | undefined): void => {
    const usable = texts?.every(text => text !== '' && isSearchable(isFolded, text))
    if (usable === true && worth(texts) > worth(best)) best = texts
  }
  for (const part of parts) {
    if (part.exact !== undefined) {
      run += part.exact
      continue
    }
    consider([run])
    run = ''
    consider(part.best)
  }
  consider([run])
  return { exact: undefined, best, isFolded, isUniform, isPure }
}

function isPlainCase(part: Analysis, isFolded: boolean): boolean {
  return part.isUniform && (part.isFolded === isFolded || (part.exact !== undefined && !/[a-z]/i.test(part.exact)))
}

/** Longer texts are rarer and skip further; each alternative costs a search of its own. */
function worth(texts: readonly string[] | undefined): number {
  if (texts === undefined) return 0
  return Math.min(...texts.map(text => text.length)) / texts.length
}

function analyseAlternatives(parts: readonly Analysis[]): Analysis {
  const isFolded = parts.some(part => part.isFolded)
  const isUniform = parts.every(part => isPlainCase(part, isFolded))
  const isPure = parts.every(part => part.isPure)
  const lists = parts.map(bestOf)
  const texts = new Set<string>()
  for (const list of lists) {
    if (list === undefined || list.some(text => !isSearchable(isFolded, text))) {
      return { exact: undefined, best: undefined, isFolded, isUniform, isPure }
    }
    for (const text of list) texts.add(text)
  }
  return { exact: undefined, best: texts.size <= maxTexts ? [...texts] : undefined, isFolded, isUniform, isPure }
}

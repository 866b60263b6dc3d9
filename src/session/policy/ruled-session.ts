// A session for one call under rules. Each path that the call names is checked where it is resolved, before any effect. Each change is
// checked where it leaves the session. In addition, each file that is opened is checked below both, so that no tool can omit the check.

import { ToolError } from '../../core/errors.ts'
import { displayPath, isInside, parsePath, rootPath, type VfsPath } from '../../core/path.ts'
import { originOf } from '../../vfs/origin.ts'
import type { Session } from '../session.ts'
import { askingSession, createAsk, type ApprovedCall, type Ask, type Permit } from './approve.ts'
import { decide, deniedError, type Decision, type JudgedTool } from './decide.ts'
import type { Refusal } from './ruled-files.ts'

export interface RuledCall extends ApprovedCall {
  readonly judged: JudgedTool
}

export interface RuledSession {
  readonly session: Session
  /** The number of entries left out of listings so far. */
  readonly withheld: () => number
}

export async function ruledSession(session: Session, call: RuledCall): Promise<RuledSession> {
  const { policy, root } = session
  const { judged } = call
  const approved: { readonly reading: Set<VfsPath>; readonly changing: Set<VfsPath> } = {
    reading: new Set(),
    changing: new Set(),
  }
  const withheld = new Set<VfsPath>()
  const isReader = judged.required === 'read'
  const denied = (decision: Decision, place?: VfsPath): ToolError =>
    deniedError({ shownName: call.tool, tool: judged, decision, policy, root, place })

  const isApproved = (place: VfsPath, way: 'reading' | 'changing'): boolean =>
    [...approved[way]].some(path => isInside(place, path))
  const refusal = (place: VfsPath, way: 'reading' | 'changing'): Refusal => {
    const decision = decide(policy, judged, place)
    if (decision.permission === 'denied')
      return { hint: decision.rule?.reason ?? 'the policy does not allow it', cause: denied(decision, place) }
    // A tool that changes files asks about its change, not about the read before.
    if (decision.permission === 'allowed' || (way === 'reading' && !isReader)) return undefined
    if (isApproved(place, way)) return undefined
    const path = displayPath(place, root)
    return {
      hint: 'it needs an approval',
      cause: new ToolError('permission-denied', `${call.tool} needs an approval for ${path}. Nothing was done.`, {
        nextStep: 'Name that path itself in a call, so that the user can be asked.',
        details: { path },
      }),
    }
  }

  const permit: Permit = paths => {
    // An operation without a path is checked as the call as a whole.
    const places = paths === undefined || paths.length === 0 ? [undefined] : paths.map(path => parsePath(path))
    const decisions = places.map(place => ({ place, decision: decide(policy, judged, place) }))
    const no = decisions.find(({ decision }) => decision.permission === 'denied')
    if (no !== undefined) throw denied(no.decision, no.place)
    return decisions.some(({ decision }) => decision.permission === 'ask') ? 'ask' : 'allowed'
  }
  const askFirst = createAsk(call, permit)
  const ask: Ask = async (paths, effect, isAlwaysAsked) => {
    const answer = await askFirst(paths, effect, isAlwaysAsked)
    if (answer === 'approved') for (const path of paths ?? []) approved.changing.add(parsePath(path))
    return answer
  }

  /** Remembers the answer, because a tool may access a place twice and the user is asked only once. */
  const asked = new Map<VfsPath, Promise<unknown>>()
  const resolve = async (input: string): ReturnType<Session['paths']['resolve']> => {
    const resolved = await session.paths.resolve(input)
    // A missing file cannot be read, and a reader may try several interpretations of its argument.
    if (resolved.stat === undefined && isReader) return resolved
    // A writer does not change the directory that it resolves; it only uses it as the parent or to test a path.
    if (resolved.stat?.kind === 'directory' && !isReader) return resolved
    const decision = decide(policy, judged, resolved.path)
    if (decision.permission === 'denied') throw denied(decision, resolved.path)
    if (decision.permission === 'allowed' || !isReader || isApproved(resolved.path, 'reading')) return resolved
    // A rule without paths applies to the call, so one question is sufficient.
    const scope = decision.rule?.path === undefined ? rootPath : resolved.path
    let answer = asked.get(scope)
    if (answer === undefined) {
      answer = askFirst([resolved.path], () => ({ kind: 'read', paths: [resolved.path] }))
      asked.set(scope, answer)
    }
    await answer
    approved.reading.add(scope)
    return resolved
  }

  const vfs = await session.judgedFilesAs(originOf(session.by), {
    changing: place => refusal(place, 'changing'),
    reading: place => refusal(place, 'reading'),
    hides: place => {
      if (refusal(place, 'reading') === undefined) return false
      withheld.add(place)
      return true
    },
  })
  return {
    session: { ...askingSession({ ...session, vfs }, ask), paths: { resolve } },
    withheld: () => withheld.size,
  }
}

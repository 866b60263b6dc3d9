// Questions of a follower that change nothing: contents, and whether everything is flushed. An unanswered question is sent again to the
// next leader.

import { VfsError } from '../../../vfs/error.ts'
import type { After } from './after.ts'
import { LeaderUnresponsive } from './errors.ts'
import type { FollowerMessage, LeaderMessage, Unsigned } from './messages.ts'

export type Answer = LeaderMessage & { readonly kind: 'contents' | 'flushed' }

export interface QuestionsOptions {
  readonly after: After
  readonly answerTimeoutMs: number
  /** Sends if there is a leader; otherwise `askAgain` is called once there is one. */
  readonly say: (message: Unsigned<FollowerMessage>) => void
  readonly onUnanswered: () => void
}

interface Asked {
  readonly message: Unsigned<FollowerMessage>
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: VfsError) => void
  readonly stopTimer: () => void
}

export class Questions {
  readonly #options: QuestionsOptions
  readonly #asked = new Map<number, Asked>()
  #lastId = 0

  constructor(options: QuestionsOptions) {
    this.#options = options
  }

  /** Rejects with `VfsError` EAGAIN. */
  ask(question: (id: number) => Unsigned<FollowerMessage>, syscall: string): Promise<Answer> {
    const { after, answerTimeoutMs, say, onUnanswered } = this.#options
    const id = ++this.#lastId
    const message = question(id)
    return new Promise((resolve, reject) => {
      const stopTimer = after(answerTimeoutMs, () => {
        this.#asked.delete(id)
        reject(new LeaderUnresponsive(syscall, 'not-done'))
        onUnanswered()
      })
      this.#asked.set(id, { message, resolve, reject, stopTimer })
      say(message)
    })
  }

  askAgain(): void {
    for (const { message } of this.#asked.values()) this.#options.say(message)
  }

  hear(answer: Answer): void {
    const asked = this.#asked.get(answer.id)
    this.#asked.delete(answer.id)
    asked?.stopTimer()
    asked?.resolve(answer)
  }

  end(): void {
    for (const asked of this.#asked.values()) {
      asked.stopTimer()
      asked.reject(new VfsError('EAGAIN', 'read', { hint: 'this tab is taking over the stored files; try again' }))
    }
    this.#asked.clear()
  }
}

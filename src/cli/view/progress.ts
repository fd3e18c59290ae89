import type { RunEvent } from '../../domain/event.ts'
import { cutTo, type Paint, printable } from './paint.ts'

/** Takes events of a run and shows them; `stop` leaves the terminal clean. */
export interface ProgressView {
  show(event: RunEvent): void
  stop(): void
}

/** One plain line for each step worth a line; for pipes and logs. */
export function plainView(write: (text: string) => void): ProgressView {
  return {
    show(event) {
      const line = plainLine(event)
      if (line !== null) write(`${printable(line)}\n`)
    },
    stop() {},
  }
}

function plainLine(event: RunEvent): string | null {
  switch (event.type) {
    case 'candidate.extracted':
      return `attempt ${event.attempt} (${event.strategy}): ${event.files.join(', ')}`
    case 'attempt.finished': {
      const same = event.duplicateOf === undefined ? '' : ` (same program as attempt ${event.duplicateOf})`
      const failure = firstFailure(event)
      return `attempt ${event.attempt}: ${event.passed ? 'green' : 'red'}, ${reached(event)}${same}${failure === '' ? '' : `: ${failure}`}`
    }
    case 'strategy.changed':
      return `strategy ${event.from} -> ${event.to}: ${event.why}`
    case 'trust.measured':
      return `trust ${event.trust.level}: ${event.trust.mutants.killed} of ${event.trust.mutants.total} mutants killed`
    case 'review.finished':
      return `review: ${event.review.verdict} (${event.review.score} of 10)`
    case 'human.requested':
      return `a person is asked: ${event.question}`
    default:
      return null
  }
}

type AttemptFinished = Extract<RunEvent, { type: 'attempt.finished' }>

/** How far an attempt came: tests where they ran, else the layer that it failed at. */
function reached({ tests, failures, passed }: AttemptFinished): string {
  const red = failures.find((failure) => failure.severity === 'error')
  if (!passed && red && tests.total === 0) return red.layer
  return `${tests.passed} of ${tests.total} tests`
}

function firstFailure({ failures }: AttemptFinished): string {
  const first = failures.find((failure) => failure.severity === 'error')
  return first ? `${first.test ? `${first.test}: ` : ''}${first.message}` : ''
}

interface LiveState {
  state: string
  attempt: number
  maxAttempts: number
  layer: string
  passed: number
  finished: number
  tokens: number
  costUsd: number | null
  note: string
}

const frameMs = 100

/** The live view of a terminal: finished attempts stay, the last line tells what goes on now. */
export function liveView(
  stream: { write(text: string): unknown; columns?: number },
  paint: Paint,
  now: () => number,
): ProgressView {
  const startedAt = now()
  const live: LiveState = {
    state: 'start',
    attempt: 0,
    maxAttempts: 0,
    layer: '',
    passed: 0,
    finished: 0,
    tokens: 0,
    costUsd: null,
    note: '',
  }
  const plain = plainView((text) => above(text))
  /** A person is typing; the line is theirs. */
  let isAsking = false
  const draw = (): void => {
    if (isAsking) return
    stream.write(`\r\u001b[2K${cutTo(statusLine(live, now() - startedAt), (stream.columns ?? 80) - 1)}`)
  }
  const above = (text: string): void => {
    stream.write(`\r\u001b[2K${cutTo(text.trimEnd(), (stream.columns ?? 80) - 1)}\n`)
  }
  const timer = setInterval(draw, frameMs)
  timer.unref()
  stream.write('\u001b[?25l')
  return {
    show(event) {
      update(live, event)
      if (event.type === 'human.requested') {
        stream.write('\r\u001b[2K\u001b[?25h')
        isAsking = true
        return
      }
      if (event.type === 'human.answered') {
        stream.write('\u001b[?25l')
        isAsking = false
      }
      if (event.type === 'attempt.finished') {
        const mark = event.passed ? paint('green', '●') : paint('red', '●')
        const text = `#${event.attempt} ${reached(event)}  ${firstFailure(event)}`
        stream.write(`\r\u001b[2K${mark} ${cutTo(printable(text.replace(/\s+/g, ' ')), (stream.columns ?? 80) - 3)}\n`)
      } else if (event.type !== 'candidate.extracted') plain.show(event)
      draw()
    },
    stop() {
      clearInterval(timer)
      stream.write('\r\u001b[2K\u001b[?25h')
    },
  }
}

function update(live: LiveState, event: RunEvent): void {
  switch (event.type) {
    case 'run.started':
      live.maxAttempts = event.maxAttempts
      break
    case 'state.entered':
      live.state = event.state
      live.layer = ''
      live.note = ''
      if (event.state === 'validate') {
        live.passed = 0
        live.finished = 0
      }
      break
    case 'candidate.extracted':
      live.attempt = event.attempt
      break
    case 'layer.finished':
      live.layer = event.layer
      break
    case 'test.finished':
      live.finished += 1
      if (event.status === 'passed') live.passed += 1
      break
    case 'mend.progress':
      live.note = `${event.tried} tried, ${event.total > 0 ? `best ${event.bestPassed} of ${event.total} tests` : event.note}`
      break
    case 'budget.updated':
      live.tokens = event.usage.promptTokens + event.usage.completionTokens
      live.costUsd = event.usage.calls > 0 ? event.usage.costUsd : null
      break
    default:
      break
  }
}

function statusLine(live: LiveState, elapsedMs: number): string {
  const parts = [live.state]
  if (live.maxAttempts > 0 && live.attempt > 0) parts.push(`attempt ${live.attempt} of ${live.maxAttempts}`)
  if (live.layer) parts.push(live.layer)
  if (live.finished > 0) parts.push(`tests ${live.passed} of ${live.finished}`)
  if (live.note) parts.push(live.note)
  if (live.tokens > 0) parts.push(`${live.tokens} tokens`)
  if (live.costUsd !== null) parts.push(`$${live.costUsd.toFixed(4)}`)
  parts.push(`${(elapsedMs / 1000).toFixed(1)} s`)
  return parts.join(' · ')
}

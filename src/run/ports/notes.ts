import type { GenerateInput } from '../../../machines/ports.ts'
import type { RunSession } from '../session.ts'

/** What others said for the next generation: diagnosis, trust, review, hints, standing tests. */
export function generateNotes(session: RunSession, input: GenerateInput): string[] {
  const notes: string[] = []
  const latest = input.latest === null ? undefined : session.find(input.latest)
  if (input.diagnosis !== null && latest?.diagnosis) notes.push(`Diagnosis of the failures: ${latest.diagnosis}`)
  const trust = input.trust === null ? undefined : session.trusts.get(input.trust)
  if (trust) {
    const survivors = trust.mutants.survivors
      .slice(0, 5)
      .map((survivor) => `- ${survivor.file}:${survivor.line}: ${survivor.change}`)
    notes.push(
      [
        'All tests pass, but the program cannot be believed yet:',
        ...trust.suspicions.map((suspicion) => `- ${suspicion}`),
        ...(survivors.length > 0
          ? ['These changes make no test fail; simplify or correct the code so that each part is needed:', ...survivors]
          : []),
      ].join('\n'),
    )
  }
  const review = input.review === null ? undefined : session.reviews.get(input.review)
  if (review) {
    notes.push(
      [
        'A review of the green program asks for these changes; keep the tests green:',
        ...review.findings.map(
          (finding) =>
            `- ${finding.severity} ${finding.category} at ${finding.file}:${finding.line}: ${finding.description} Suggestion: ${finding.suggestion}`,
        ),
      ].join('\n'),
    )
  }
  const hint = input.hint === null ? undefined : session.hints.get(input.hint)
  if (hint) notes.push(`A person who knows the task says: ${hint}`)
  if (input.standingTests.length > 0) {
    notes.push(
      `These tests were looked at separately and stand as they are: ${input.standingTests.map((test) => `"${test}"`).join(', ')}.`,
    )
  }
  return notes
}

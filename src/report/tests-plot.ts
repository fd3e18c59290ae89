import type { Attempt } from '../domain/result.ts'

/** Tests passed per attempt as a small bar plot in SVG; the outline is the number of tests. */
export function renderTestsPlot(attempts: readonly Attempt[]): string {
  const most = Math.max(1, ...attempts.map((attempt) => attempt.report.tests.total))
  const height = 80
  const step = 46
  const bars = attempts
    .map((attempt, index) => {
      const { passed, total } = attempt.report.tests
      const x = 10 + index * step
      const full = Math.round((total / most) * height)
      const part = Math.round((passed / most) * height)
      const kind = attempt.report.passed ? 'good' : 'bad'
      return `<rect class="all" x="${x}" y="${96 - full}" width="30" height="${full}"/><rect class="bar ${kind}" x="${x}" y="${96 - part}" width="30" height="${part}"/><text x="${x + 15}" y="110">#${attempt.number}</text><text class="count" x="${x + 15}" y="${90 - full}">${passed}/${total}</text>`
    })
    .join('')
  const width = Math.max(120, 20 + attempts.length * step)
  return `<svg class="plot" viewBox="0 -6 ${width} 122" style="width:${width}px" role="img" aria-label="Tests passed per attempt">${bars}</svg>`
}

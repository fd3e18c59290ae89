import { builtInLayers } from './report.ts'

/**
 * A number in 0..1 that orders attempts: the layer that failed first, then the share of tests passed.
 *
 * @param failedLayer first red layer in order, or null when everything is green
 * @param passedShare tests passed of all, 0..1; counts within the layers that run tests
 */
export function scoreOf(failedLayer: string | null, passedShare: number): number {
  if (failedLayer === null) return 1
  const index = (builtInLayers as readonly string[]).indexOf(failedLayer)
  // A layer that is not built in runs after all built-in ones.
  const position = index === -1 ? builtInLayers.length : index
  const share = failedLayer === 'tests' || failedLayer === 'hidden' ? Math.min(Math.max(passedShare, 0), 0.999) : 0
  return (position + share) / (builtInLayers.length + 1)
}

import type { Report } from '../../domain/report.ts'
import type { FileMap } from '../../domain/task.ts'
import type { ValidationRequest } from '../../validate/types.ts'
import type { MechanicTools, TrustRequest } from '../types.ts'
import { aborted } from './thread.ts'

/** Judges files in place of the candidate's, without hidden tests. */
export type JudgeFiles = (files: FileMap, given?: Partial<ValidationRequest>) => Promise<Report>

export function judgeWith({ validation }: TrustRequest, { validator, scope, signal }: MechanicTools): JudgeFiles {
  return async (files, given = {}) => {
    if (signal?.aborted) throw aborted(signal)
    return await validator.validate(
      { ...validation, validation: 'fail-fast', ...given, files, hiddenTests: {} },
      { scope, ...(signal ? { signal } : {}) },
    )
  }
}

/** What the tests said; nothing where they were not run or the environment failed. */
export function verdictOf(report: Report): 'green' | 'red' | 'none' {
  const layer = report.layers.find(({ layer: name }) => name === 'tests')
  if (!layer || layer.status === 'skipped') return 'none'
  if (layer.status !== 'failed') return 'green'
  return report.failures.some(({ kind }) => kind === 'environment') ? 'none' : 'red'
}

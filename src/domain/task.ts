import { z } from 'zod'
import { policySchema } from './policy.ts'

export const languageSchema = z.enum(['typescript', 'javascript', 'python', 'sql', 'bash'])
export type Language = z.infer<typeof languageSchema>

/** File contents by path; paths are relative, with `/`, inside the task's folder. */
export const fileMapSchema = z.record(z.string().min(1), z.string())
export type FileMap = z.infer<typeof fileMapSchema>

/** What is wanted: instruction, starting files, tests, acceptance criteria, policy. */
export const taskSchema = z.strictObject({
  instruction: z.string(),
  language: languageSchema.optional(),
  /** Starting code; with it the run is a repair. */
  files: fileMapSchema.optional(),
  /** Read-only files that the code imports or should know. */
  context: fileMapSchema.optional(),
  /** Given tests: the authority, never edited. */
  tests: fileMapSchema.optional(),
  /** Run in an isolate of their own once the visible ones are green; a model learns nothing of them. */
  hiddenTests: fileMapSchema.optional(),
  /** Default solution.ts (by language), or the first starting file, or the module that the tests import. */
  entry: z.string().min(1).optional(),
  acceptance: z.array(z.string()).optional(),
  /** npm packages the code may import, from the caller's node_modules. */
  packages: z.array(z.string().min(1)).optional(),
  compilerOptions: z.record(z.string(), z.unknown()).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  policy: policySchema.partial().optional(),
})
export type Task = z.input<typeof taskSchema>

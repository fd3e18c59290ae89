import type { FileMap } from '../../domain/task.ts'
import type { PackageModule, SourceModule } from '../../sandbox/types.ts'
import type { ValidationRequest } from '../../validate/types.ts'

// Both sides read this file: it imports nothing that runs, so that the host's thread never loads the compiler.

/** Rounds that all loops of a module together may make before a variant counts as endless. */
export const usualRounds = 400_000
/** The same where the given program is endless itself: most of its variants are too, and each costs all its rounds. */
export const fewRounds = 60_000

/** What a line of the probe starts with; anything else that is printed is the program's own. */
export const probeMark = '@redgreen-probe '

/** A program that is being changed, ready for the sandbox. */
export interface OpenedProgram {
  readonly modules: readonly SourceModule[]
  readonly tests: readonly SourceModule[]
  readonly packages: readonly PackageModule[]
  /** The entry as the modules have it. */
  readonly entry: string
}

/** One changed program. */
export interface Variant {
  readonly id: number
  readonly file: string
  /** The changed file's new text. */
  readonly text: string
  /** Modules that differ from those of the opened program; the changed one holds guards against endless loops. */
  readonly modules: readonly SourceModule[]
  readonly change: string
  readonly line: number
  /** How unlikely, as the operators say; weighed by suspicion of the place. */
  readonly cost: number
  /** Characters that differ, before and after together. */
  readonly size: number
}

/** A program that counts how often its statements are run; they are numbered in this order. */
export interface Instrumented {
  readonly modules: readonly SourceModule[]
  readonly statements: readonly StatementPlace[]
}

export interface StatementPlace {
  readonly file: string
  readonly start: number
  readonly end: number
}

/** Suspicion of a statement, 0..1. */
export interface Suspect extends StatementPlace {
  readonly suspicion: number
}

export type Question =
  /** Reads the program and its tests; null when they cannot be prepared. */
  | { readonly kind: 'open'; readonly validation: ValidationRequest }
  /** Ranks all changes of a program; `take` hands them out. */
  | {
      readonly kind: 'expand'
      readonly files: FileMap
      readonly suspects: readonly Suspect[]
      /** Rounds of loops after which a variant counts as endless. */
      readonly mostRounds: number
    }
  /** The opened program with counters, to be run with its tests; null where none can be put in. */
  | { readonly kind: 'instrument' }
  /** A program with the probe in the place of its tests; null where there is nothing to ask. */
  | { readonly kind: 'probe'; readonly files: FileMap }
  | { readonly kind: 'take'; readonly expansion: number; readonly count: number }

export interface Answers {
  readonly open: OpenedProgram | null
  readonly instrument: Instrumented | null
  readonly probe: OpenedProgram | null
  readonly expand: { readonly expansion: number; readonly nextCost: number }
  /** `nextCost` is that of the next change; null when there is none left. */
  readonly take: { readonly variants: readonly Variant[]; readonly nextCost: number | null }
}

export interface ToWorker {
  readonly id: number
  readonly question: Question
}

export type FromWorker =
  | { readonly id: number; readonly answer: Answers[Question['kind']] }
  | { readonly id: number; readonly failed: string }

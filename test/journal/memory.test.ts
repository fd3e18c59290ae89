import { createMemoryJournalStore } from '../../src/journal/memory.ts'
import { describeJournal } from './conformance.ts'

describeJournal('memory', createMemoryJournalStore)

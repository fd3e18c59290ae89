import { createHash } from 'node:crypto'
import { RedgreenError } from '../errors.ts'

/**
 * A prompt as text with slots: `{{name}}` stands for a section that the engine fills in.
 * A block (lines between blank lines) whose slots are all empty is left out, with the heading right before it.
 */
export interface PromptTemplate {
  readonly name: string
  readonly system: string
  readonly user: string
}

/** Identifies the wording that was used; recorded with each attempt. */
export function templateHash(template: PromptTemplate): string {
  return createHash('sha256').update(`${template.system}\u0000${template.user}`).digest('hex').slice(0, 16)
}

const slotPattern = /\{\{(\w+)\}\}/g

/**
 * Fills a template text. Values are inserted as they are and never scanned for slots again.
 *
 * @throws RedgreenError INVALID_CONFIG for a slot that the engine does not know
 */
export function renderTemplate(text: string, slots: Readonly<Record<string, string>>, name: string): string {
  const blocks = text.split(/\n{2,}/)
  const rendered: string[] = []
  for (const block of blocks) {
    const names = [...block.matchAll(slotPattern)].map((match) => match[1] ?? '')
    for (const slot of names) {
      if (!(slot in slots)) {
        throw new RedgreenError(
          'INVALID_CONFIG',
          `prompt template "${name}" has the slot {{${slot}}}; known slots: ${Object.keys(slots).join(', ')}`,
        )
      }
    }
    if (names.length > 0 && names.every((slot) => slots[slot] === '')) {
      if (rendered.at(-1)?.startsWith('#') && !rendered.at(-1)?.includes('\n')) rendered.pop()
      continue
    }
    rendered.push(block.replace(slotPattern, (_, slot: string) => slots[slot] ?? ''))
  }
  return rendered.join('\n\n').trim()
}

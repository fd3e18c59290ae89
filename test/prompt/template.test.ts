import { describe, expect, it } from 'vitest'
import { renderTemplate, templateHash } from '../../src/prompt/template.ts'
import { defaultTemplates } from '../../src/prompt/templates.ts'

describe('renderTemplate', () => {
  it('leaves out a block whose slots are all empty, with the heading right before it', () => {
    expect(
      renderTemplate('A\n\n## Gone\n\n{{gone}}\n\n## Kept\n\nB {{kept}}{{gone}}', { gone: '', kept: 'x' }, 't'),
    ).toBe('A\n\n## Kept\n\nB x')
  })

  it('never scans a value for slots again', () => {
    expect(renderTemplate('{{a}}', { a: '{{b}} $& $1', b: 'secret' }, 't')).toBe('{{b}} $& $1')
  })

  it('names an unknown slot and the known ones', () => {
    expect(() => renderTemplate('{{typo}}', { goal: 'x' }, 'own')).toThrow(
      /"own" has the slot \{\{typo\}\}; known slots: goal/,
    )
  })
})

describe('templateHash', () => {
  it('is the same for the same wording and changes with a single character', () => {
    const template = defaultTemplates.generate
    expect(templateHash({ ...template })).toBe(templateHash(template))
    expect(templateHash({ ...template, user: `${template.user}.` })).not.toBe(templateHash(template))
  })
})

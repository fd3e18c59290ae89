import { describe, expect, it } from 'vitest'
import { fromPython } from '../../../src/mechanic/types/python.ts'

describe('fromPython', () => {
  it.each([
    ['logical words', 'if (a and not b or c) {', 'if (a && !b || c) {'],
    ['elif', '  } elif (x) {', '  } else if (x) {'],
    ['slices', 'return [xs[:n], xs[n:], s[1:3]];', 'return [xs.slice(0, n), xs.slice(n), s.slice(1, 3)];'],
    ['membership', 'if (c not in vowels) {', 'if (!vowels.includes(c)) {'],
    ['an empty tuple', 'return ();', 'return [];'],
    ['a conditional result', 'return a if b else c;', 'return b ? a : c;'],
    ['a comment', '  # counts', '  // counts'],
    [
      'a list comprehension',
      'return [x * 2 for x in xs if x > 0];',
      'return [...xs].filter((x) => x > 0).map((x) => x * 2);',
    ],
    [
      'a generator as an argument',
      'const n = any(ok(c) for c in s);',
      'const n = [...s].map((c) => ok(c)).some(Boolean);',
    ],
  ])('rewrites %s', (_, line, expected) => expect(fromPython(line)).toBe(expected))

  it.each([
    'const s = "a and not b";',
    "const t = 'x for y in z';",
    '// for x in xs and y',
    'return cond ? [a] : [b];',
    'function f(a: { x: number }[]): [string, number][] {',
    'for (const x of xs) if (x > 0) n += x;',
    'const f = (): void => {}',
    '  #items: number[] = []',
  ])('leaves %s as it is', (line) => expect(fromPython(line)).toBe(line))
})

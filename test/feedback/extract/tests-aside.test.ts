import { describe } from 'vitest'
import { F, fn, n, py, reads, ts } from './reads.ts'

describe('extract reads tests beside the solution', () => {
  reads(
    'node assert',
    `${F}ts\nimport assert from 'node:assert';\n${fn}\n\nassert.equal(sum(1, 2), 3);\nassert.equal(sum(1, 3), 4);\n${F}`,
    ts(['sum']),
    fn,
  )
  reads(
    'console.assert',
    `${F}js\nconst f = (x) => x;\n\nconsole.assert(f(1) === 1);\n${F}`,
    { language: 'javascript', exports: ['f'] },
    'const f = (x) => x;',
  )
  reads(
    'assert used inside',
    `${F}ts\nimport assert from 'node:assert';\nexport function n(x: number) {\n  assert(x > 0);\n  return x;\n}\n${F}`,
    n,
    `import assert from 'node:assert';\nexport function n(x: number) {\n  assert(x > 0);\n  return x;\n}`,
  )
  reads(
    'own describe',
    `${F}ts\nexport function describe(x: string) { return x; }\ndescribe('a');\n${F}`,
    ts(['describe']),
    `export function describe(x: string) { return x; }\ndescribe('a');`,
  )
  reads(
    'pytest',
    `${F}python\nimport pytest\n\ndef f(x):\n    return x\n\ndef test_f():\n    assert f(1) == 1\n\nif __name__ == '__main__':\n    pytest.main()\n${F}`,
    py(['f']),
    'def f(x):\n    return x',
  )
  reads(
    'unittest',
    `${F}python\nimport unittest\n\ndef f(x):\n    return x\n\nclass TestF(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(1), 1)\n\nif __name__ == '__main__':\n    unittest.main()\n${F}`,
    py(['f']),
    'def f(x):\n    return x',
  )
})

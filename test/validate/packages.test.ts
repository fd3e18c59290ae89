import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTypeService, type TypeService } from '../../src/validate/type-service.ts'
import type { PreparedSources, ValidationRequest } from '../../src/validate/types.ts'
import { createPackageTree, manifest, type PackageTree } from './package-tree.ts'
import { requestOf } from './requests.ts'

const secret = 'the secret of the host'
let service: TypeService
let tree: PackageTree

beforeAll(async () => {
  service = createTypeService({ workers: 1 })
  tree = await createPackageTree(
    {
      'secret.ts': `export const secret: '${secret}' = '${secret}'\n`,
      'secret.d.ts': `export declare const secret: '${secret}'\n`,
      'node_modules/sly/package.json': manifest('sly', { types: './index.d.ts' }),
      'node_modules/sly/index.js': 'exports.secret = 1\n',
      'secret.json': JSON.stringify({ secret }),
      'tsconfig.json': '{ "compilerOptions": { "jsx": "preserve", "paths": { "*": ["./secret.ts"] } } }',
      'node_modules/esm/package.json': manifest('esm', {
        type: 'module',
        exports: { '.': { types: './index.d.ts', default: './index.js' }, './sub': './sub.js' },
        dependencies: { dep: '*' },
      }),
      'node_modules/esm/index.d.ts':
        "import { Unit } from 'dep'\nexport declare const double: (n: number) => number\nexport declare const unit: Unit\n",
      'node_modules/esm/index.js':
        "import { unit } from 'dep'\nimport { two } from './lib/two.js'\nexport { unit }\nexport const double = (n) => n * two\n",
      'node_modules/esm/lib/two.js': 'export const two = 2\n',
      'node_modules/esm/sub.js': "export const where = 'sub'\n",
      'node_modules/dep/package.json': manifest('dep', { main: 'main.js', types: 'main.d.ts' }),
      'node_modules/dep/main.js': "exports.unit = { name: 'metre' }\n",
      'node_modules/dep/main.d.ts': 'export interface Unit { name: string }\nexport declare const unit: Unit\n',
      'node_modules/plain/package.json': manifest('plain'),
      'node_modules/plain/index.js':
        "const util = require('util')\nmodule.exports = function plain() { return util.inspect(1) }\n",
      'node_modules/@types/typed/package.json': manifest('@types/typed'),
      'node_modules/@types/typed/index.d.ts': 'export declare function typed(n: number): string\n',
      'node_modules/typed/package.json': manifest('typed'),
      'node_modules/typed/index.js': 'exports.typed = String\n',
      'node_modules/greedy/package.json': manifest('greedy'),
      'node_modules/greedy/index.js': "module.exports = require('../../secret.ts')\n",
      'node_modules/greedy/index.d.ts': "export * from '../../secret'\n",
      'node_modules/undeclared-use/package.json': manifest('undeclared-use', { type: 'module' }),
      'node_modules/undeclared-use/index.js': "import { unit } from 'dep'\nexport { unit }\n",
      'node_modules/linked/package.json': manifest('linked', { type: 'module' }),
      'node_modules/linked/index.js': "import data from './data.json'\nexport default data\n",
      'node_modules/with-fs/package.json': manifest('with-fs', {
        exports: { '.': { browser: './browser.js', default: './node.js' } },
      }),
      'node_modules/with-fs/node.js': "module.exports = require('fs')\n",
      'node_modules/with-fs/browser.js': "module.exports = 'browser'\n",
      'node_modules/react/package.json': manifest('react', {
        exports: { '.': './index.js', './jsx-runtime': './jsx-runtime.js' },
      }),
      'node_modules/react/index.js': 'exports.count = 0\n',
      'node_modules/react/jsx-runtime.js':
        "const React = require('react')\nexports.jsx = (type, props) => ({ type, props, React })\nexports.jsxs = exports.jsx\n",
      'store/real/package.json': manifest('real', { type: 'module', types: 'index.d.ts' }),
      'store/real/index.js': "export const real = 'real'\n",
      'store/real/index.d.ts': 'export declare const real: string\n',
    },
    {
      'node_modules/linked/data.json': '../../secret.json',
      'node_modules/sly/index.d.ts': '../../secret.d.ts',
      'node_modules/real': '../store/real',
    },
  )
})
afterAll(async () => {
  await service.close()
  await tree.remove()
})

async function judge(source: string, packages: string[], more: Partial<ValidationRequest> = {}) {
  const request = requestOf({ files: { 'solution.ts': source }, packages, packageRoot: tree.root, ...more })
  const { early, late } = service.judge({ ...request, prepare: true, types: true, failFast: false })
  const [verdict, types] = await Promise.all([early, late])
  return { ...verdict, types: types?.types ?? [] }
}

const bundleOf = (prepared: PreparedSources | undefined, specifier: string) =>
  prepared?.packages.find((module) => module.specifier === specifier)

describe('declared packages', () => {
  test('are typed by their own declarations and those of their dependencies', async () => {
    const { imports, types } = await judge(
      "import { double, unit } from 'esm'\nexport const a: string = double(2)\nexport const b: number = unit.name\n",
      ['esm'],
    )
    expect(imports).toEqual([])
    expect(types.map((failure) => [failure.code, failure.location?.line])).toEqual([
      ['TS2322', 2],
      ['TS2322', 3],
    ])
  })

  test('are typed by @types of their name', async () => {
    const { types } = await judge("import { typed } from 'typed'\nexport const a: number = typed(1)\n", ['typed'])
    expect(types.map((failure) => failure.code)).toEqual(['TS2322'])
  })

  test('without types are no type error', async () => {
    expect((await judge("import plain from 'plain'\nexport const a: string = plain()\n", ['plain'])).types).toEqual([])
  })

  test('behind a link (as pnpm and workspaces have them) are found', async () => {
    const { imports, types, prepared } = await judge("import { real } from 'real'\nexport const a: number = real\n", [
      'real',
    ])
    expect(imports).toEqual([])
    expect(types.map((failure) => failure.code)).toEqual(['TS2322'])
    expect(bundleOf(prepared, 'real')?.code).toContain('"real"')
  })

  test('are bundled into one module for each specifier, dependencies within', async () => {
    const { prepared } = await judge(
      "import { double, unit } from 'esm'\nimport { where } from 'esm/sub'\nexport const a = [double(2), unit, where]\n",
      ['esm'],
    )
    expect(bundleOf(prepared, 'esm')).toMatchObject({ format: 'esm', code: expect.stringContaining('metre') })
    expect(bundleOf(prepared, 'esm/sub')?.code).toContain('sub')
    expect(prepared?.packages).toHaveLength(2)
  })

  test('in CommonJS stay CommonJS, harmless Node modules stay imports', async () => {
    const { prepared } = await judge("import plain from 'plain'\nexport const a = plain()\n", ['plain'])
    expect(bundleOf(prepared, 'plain')).toMatchObject({
      format: 'cjs',
      code: expect.stringMatching(/require\("util"\)/),
    })
  })

  test('that are declared each stay one instance', async () => {
    const { prepared } = await judge(
      "import { unit } from 'esm'\nimport { unit as same } from 'dep'\nexport const a = unit === same\n",
      ['esm', 'dep'],
    )
    expect(bundleOf(prepared, 'esm')?.code).toMatch(/from "dep"/)
    expect(bundleOf(prepared, 'dep')?.code).toContain('metre')
  })

  test('that only tests or types use are not bundled for the candidate', async () => {
    const { prepared } = await judge("import type { Unit } from 'dep'\nexport const a: Unit = { name: 'a' }\n", [
      'dep',
      'esm',
    ])
    expect(prepared?.packages).toEqual([])
  })

  test('a build for browsers is taken where the other one needs Node', async () => {
    const { prepared } = await judge("import value from 'with-fs'\nexport const a = value\n", ['with-fs'])
    expect(bundleOf(prepared, 'with-fs')?.code).toContain('browser')
  })

  test('a JSX runtime comes along with a file that needs it, and shares its package', async () => {
    const files = { 'solution.tsx': 'export const view = (name: string) => <p title={name}>{name}</p>\n' }
    const { prepared } = await judge('', ['react'], { files, entry: 'solution.tsx' })
    expect(prepared?.modules[0]?.code).toContain('react/jsx-runtime')
    expect(bundleOf(prepared, 'react/jsx-runtime')?.code).toMatch(/require\("react"\)/)
    expect(bundleOf(prepared, 'react')).toBeDefined()
  })
})

describe('the wall around packages', () => {
  test('an installed package that is not declared is neither typed nor bundled', async () => {
    const { imports, prepared } = await judge("import { double } from 'esm'\nexport const a = double(1)\n", [])
    expect(imports[0]?.hint).toContain('--package esm')
    expect(prepared?.packages ?? []).toEqual([])
  })

  test.each([
    ['greedy', "import * as m from 'greedy'\nexport const a = m\nexport type S = typeof m.secret\n"],
    ['sly', "import { secret } from 'sly'\nexport const a: 'x' = secret\n"],
    ['linked', "import m from 'linked'\nexport const a = m\n"],
    ['a path through a package', "import m from 'plain/../../secret.json'\nexport const a = m\n"],
  ])('%s reads nothing outside of its package', async (name, source) => {
    const result = await judge(source, [name, 'plain'])
    expect(JSON.stringify(result)).not.toContain(secret)
    expect(JSON.stringify(result)).not.toContain(tree.root)
  })

  test('a package that imports what it does not declare cannot be prepared, and says so without a path', async () => {
    const { imports } = await judge("import { unit } from 'undeclared-use'\nexport const a = unit\n", [
      'undeclared-use',
    ])
    expect(imports[0]).toMatchObject({
      kind: 'dependency',
      message: expect.stringContaining('"dep" is not one of its declared dependencies'),
    })
    expect(JSON.stringify(imports)).not.toContain(join(tree.root, 'node_modules'))
  })

  test('a declared package that is not installed is said to be so', async () => {
    const { imports } = await judge("import a from 'absent'\nexport const b = a\n", ['absent'])
    expect(imports[0]?.message).toBe('The package "absent" is declared but not installed.')
  })
})

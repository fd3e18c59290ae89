import { removeMember, setMember } from './cells.ts'
import { chai, expect } from './expecting.ts'
import type { BuiltIn, ModuleDefinition, Surroundings } from './module-types.ts'
import type { Registry } from './modules.ts'
import { assertForTests } from './node/assert.ts'
import { nodeModules } from './node/modules.ts'
import { createNodeTest } from './node/test.ts'
import { settings } from './settings.ts'
import { suiteGlobals } from './suite-api.ts'
import { assertOnConsole } from './test-job.ts'
import { createJest, createVi } from './vi.ts'

const harnessNames = new Set(['vitest', '@jest/globals', 'node:test', 'jest', 'bun:test', '@vitest/expect', 'chai'])

/** A namespace of plain members with `default`. */
function toNamespace(members: Record<string, unknown>, fallback: unknown): object {
  const namespace = Object.create(null) as Record<PropertyKey, unknown>
  Object.defineProperty(namespace, Symbol.toStringTag, { value: 'Module' })
  return Object.assign(namespace, members, 'default' in members ? {} : { default: fallback })
}

interface TestTools {
  readonly scope: Record<string, unknown>
  readonly modules: Map<string, BuiltIn>
}

const toolsByRegistry = new WeakMap<Registry, Map<string, TestTools>>()
let current: { registry: Registry; importer: ModuleDefinition } | undefined

/** What one test file has in scope, and what harness modules give it. */
function toolsFor(registry: Registry, importer: ModuleDefinition): TestTools {
  const files = toolsByRegistry.get(registry) ?? new Map<string, TestTools>()
  toolsByRegistry.set(registry, files)
  const known = files.get(importer.path)
  if (known) return known
  const vi = createVi(registry, importer)
  const jest = createJest(registry, importer)
  const common = { ...suiteGlobals, expect }
  const vitest = {
    ...common,
    vi,
    vitest: vi,
    chai,
    assert: chai.assert,
    should: undefined,
    expectTypeOf,
    assertType: () => undefined,
    bench: suiteGlobals.xit,
    inject: () => undefined,
  }
  const jestGlobals = { ...common, jest }
  const nodeTest = createNodeTest()
  const tools: TestTools = {
    scope: {
      ...common,
      vi,
      vitest: vi,
      jest,
      chai,
      assert: assertForTests,
      process: settings.process,
      expectTypeOf,
      assertType: () => undefined,
      require: registry.createRequire(importer),
    },
    modules: new Map<string, BuiltIn>([
      ['vitest', { namespace: toNamespace(vitest, vitest), value: vitest }],
      ['@jest/globals', { namespace: toNamespace(jestGlobals, jestGlobals), value: jestGlobals }],
      ['jest', { namespace: toNamespace(jestGlobals, jest), value: jestGlobals }],
      [
        'bun:test',
        { namespace: toNamespace({ ...common, jest, vi, mock: vi.fn, spyOn: vi.spyOn }, common), value: common },
      ],
      ['@vitest/expect', { namespace: toNamespace({ expect, chai }, expect), value: { expect } }],
      ['chai', { namespace: toNamespace({ ...chai }, chai), value: chai }],
      ['node:test', { namespace: toNamespace(nodeTest.members, nodeTest.value), value: nodeTest.value }],
    ]),
  }
  files.set(importer.path, tools)
  return tools
}

/** Types are checked by the types layer; at run time every member answers. */
function expectTypeOf(): unknown {
  const anything: unknown = new Proxy(() => undefined, {
    get: (_, name) => (name === 'then' ? undefined : anything),
    apply: () => anything,
  })
  return anything
}

const noScope = {}

export const surroundings: Surroundings = {
  builtIn(specifier, importer) {
    if (harnessNames.has(specifier)) {
      // a candidate that could import the harness could make tests of its own, or change what `expect` means
      if (importer.kind !== 'test' || !current) return undefined
      return toolsFor(current.registry, importer).modules.get(specifier)
    }
    return nodeModules(specifier, importer.kind === 'test')
  },
  scope(definition, registry) {
    if (definition.kind === 'test') {
      current = { registry, importer: definition }
      return toolsFor(registry, definition).scope
    }
    return definition.kind === 'package' ? { process: settings.process } : noScope
  },
  consoleAssert: assertOnConsole,
  set: setMember,
  remove: removeMember,
}

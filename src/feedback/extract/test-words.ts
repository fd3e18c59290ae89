/** Functions that register tests in the runners that models know. */
export const testCalls: ReadonlySet<string> = new Set([
  'describe',
  'fdescribe',
  'xdescribe',
  'it',
  'fit',
  'xit',
  'test',
  'xtest',
  'suite',
  'context',
  'specify',
  'bench',
  'beforeEach',
  'afterEach',
  'beforeAll',
  'afterAll',
  'before',
  'after',
  'setup',
  'teardown',
])

/** Roots of assertions that a script may make at its top level. */
export const assertionRoots: ReadonlySet<string> = new Set(['assert', 'expect', 'chai', 'should'])

/** True for modules that only tests import. */
export const isTestModule = (module: string): boolean =>
  /^(?:vitest|@jest\/globals|jest|mocha|chai|ava|tape|tap|uvu(?:\/assert)?|jasmine|bun:test|node:test|(?:node:)?assert(?:\/strict)?|@std\/(?:assert|testing).*|@testing-library\/.*|expect|should|sinon|fast-check|supertest)$/.test(
    module,
  )

/** True for paths that hold tests by their name. */
export const isTestPath = (path: string): boolean =>
  /(?:^|\/)(?:__tests__|__mocks__|tests?)\//i.test(path) ||
  /(?:[._-](?:test|spec)s?\.\w+|(?:^|\/)(?:test_[^/]*|[^/]*_test|tests?|conftest)\.(?:py|sh|sql|[cm]?[jt]sx?))$/i.test(
    path,
  )

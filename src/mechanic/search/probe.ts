import { ts } from 'ts-morph'
import type { FileMap } from '../../domain/task.ts'
import { probeMark } from './messages.ts'
import type { TestInputs } from './test-inputs.ts'

const callsAtMost = 16
const inputsAtMost = 160
/**
 * A script that calls the code under test as the tests do and with arguments near to theirs, and prints what comes back, a line for
 * each call. What is varied stays within what the tests show: signs, whole numbers, emptiness. Null where the tests hold no call
 * that means the same anywhere.
 */
export function probeScript(
  tests: FileMap,
  inputs: TestInputs,
): { readonly path: string; readonly text: string } | null {
  const calls = inputs.calls.slice(0, callsAtMost)
  const first = Object.keys(tests)[0]
  if (calls.length === 0 || first === undefined) return null
  const folder = first.slice(0, first.lastIndexOf('/') + 1)
  const imports = Object.entries(tests)
    .filter(([path]) => path.slice(0, path.lastIndexOf('/') + 1) === folder)
    .flatMap(([path, text]) => relativeImports(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false)))
  const list = calls.map(
    ({ callee, args }) => `[${JSON.stringify(callee)}, () => ${callee}, () => [${args.join(', ')}]]`,
  )
  return {
    path: `${folder}redgreen-probe.js`,
    text: `${[...new Set(imports)].join('\n')}
const calls = [${list.join(',\n')}];
${probeBody}`,
  }
}

function relativeImports(source: ts.SourceFile): string[] {
  return source.statements.flatMap((statement) =>
    ts.isImportDeclaration(statement) &&
    ts.isStringLiteral(statement.moduleSpecifier) &&
    statement.moduleSpecifier.text.startsWith('.') &&
    !statement.importClause?.isTypeOnly
      ? [source.text.slice(statement.pos, statement.end).trim()]
      : [],
  )
}

const probeBody = `
const show = (value) => {
  const text = JSON.stringify(value, (_, v) =>
    v === undefined ? '@undefined' : typeof v === 'bigint' ? v + 'n' : typeof v === 'number' && !Number.isFinite(v) ? String(v)
      : v instanceof Map ? [...v] : v instanceof Set ? [...v] : typeof v === 'function' ? '@function' : v);
  return (text === undefined ? 'undefined' : text.replaceAll('"@undefined"', 'undefined')).slice(0, 300);
};
const given = calls.map(([name, get, make]) => { try { return [name, get, make()] } catch { return null } }).filter(Boolean);
const seen = new Map();
for (const [name, , args] of given)
  args.forEach((arg, at) => {
    const key = name + at, known = seen.get(key) ?? { negative: false, fraction: false, empty: false, zero: false };
    if (typeof arg === 'number') { known.negative ||= arg < 0; known.zero ||= arg === 0; known.fraction ||= !Number.isInteger(arg) }
    if (typeof arg === 'string' || Array.isArray(arg)) known.empty ||= arg.length === 0;
    seen.set(key, known);
  });
const near = (arg, { negative, fraction, empty, zero }) => {
  if (typeof arg === 'number')
    return [arg + 1, arg - 1, arg * 2, arg + 3, ...(negative ? [-arg] : []), ...(fraction ? [arg + 0.5] : [])]
      .filter((n) => (negative || n > 0 || (zero && n === 0)) && (fraction || Number.isInteger(n)));
  if (typeof arg === 'string')
    return [arg + arg, [...arg].reverse().join(''), arg.slice(1), arg.slice(0, -1), arg.toUpperCase()].filter((s) => empty || s !== '');
  if (Array.isArray(arg))
    return [[...arg].reverse(), arg.slice(1), [...arg, ...arg], arg.slice(0, 1), [...arg.slice(1), ...arg.slice(0, 1)]].filter((a) => empty || a.length > 0);
  if (typeof arg === 'boolean') return [!arg];
  return [];
};
const inputs = [];
for (const [name, get, args] of given) {
  inputs.push([name, get, args]);
  args.forEach((arg, at) => {
    for (const other of near(arg, seen.get(name + at))) inputs.push([name, get, args.map((one, index) => (index === at ? other : one))]);
  });
}
for (const [name, get, args] of inputs.slice(0, ${inputsAtMost})) {
  const label = name + '(' + args.map(show).join(', ') + ')';
  let answer;
  try { answer = show(await get()(...structuredClone(args))) } catch (error) { answer = 'throws ' + (error && error.name) }
  console.log(${JSON.stringify(probeMark)} + JSON.stringify([label, answer]));
}
`

import { ts } from 'ts-morph'
import { ancestor, declarationOf, type FixContext, fix, insert, replace, type Template, tight } from '../context.ts'
import type { Fix } from '../edit.ts'
import { retype } from '../retype.ts'
import { nearest } from '../spelling.ts'
import {
  has,
  isArrayLike,
  isBigInt,
  isNullish,
  isNumber,
  isString,
  nameOf,
  typeText,
  vocabulary,
} from '../type-text.ts'
import { missingFeature } from './features.ts'
import { missingDigest } from './imports.ts'
import { declareRecord } from './records.ts'

/** Members that other languages and libraries have, by the kind of thing they are asked of. */
const members: Record<'array' | 'string' | 'set' | 'map' | 'number' | 'math' | 'object', Record<string, string>> = {
  array: {
    append: 'push',
    add: 'push',
    push_back: 'push',
    pushBack: 'push',
    insert: 'push',
    addLast: 'push',
    contains: 'includes',
    has: 'includes',
    size: 'length',
    count: 'length',
    len: 'length',
    Length: 'length',
    index: 'indexOf',
    extend: 'concat',
    addAll: 'concat',
    each: 'forEach',
    select: 'filter',
    where: 'filter',
    collect: 'map',
    any: 'some',
    exists: 'some',
    forall: 'every',
    foldl: 'reduce',
    fold: 'reduce',
    remove: 'splice',
    delete: 'splice',
    toArray: 'slice',
    toList: 'slice',
    joinToString: 'join',
    mkString: 'join',
    implode: 'join',
    indexof: 'indexOf',
    all: 'every',
    enqueue: 'push',
    dequeue: 'shift',
    popleft: 'shift',
    appendleft: 'unshift',
    clone: 'slice',
    copy: 'slice',
  },
  string: {
    size: 'length',
    len: 'length',
    count: 'length',
    Length: 'length',
    contains: 'includes',
    has: 'includes',
    upper: 'toUpperCase',
    lower: 'toLowerCase',
    toUpper: 'toUpperCase',
    toLower: 'toLowerCase',
    strip: 'trim',
    lstrip: 'trimStart',
    rstrip: 'trimEnd',
    trimLeft: 'trimStart',
    trimRight: 'trimEnd',
    startswith: 'startsWith',
    endswith: 'endsWith',
    find: 'indexOf',
    index: 'indexOf',
    rfind: 'lastIndexOf',
    zfill: 'padStart',
    ljust: 'padEnd',
    rjust: 'padStart',
    charcodeAt: 'charCodeAt',
    ord: 'charCodeAt',
    substringAt: 'substring',
    equals: 'localeCompare',
    compareTo: 'localeCompare',
  },
  set: {
    push: 'add',
    append: 'add',
    includes: 'has',
    contains: 'has',
    length: 'size',
    count: 'size',
    remove: 'delete',
    insert: 'add',
  },
  map: {
    put: 'set',
    add: 'set',
    insert: 'set',
    contains: 'has',
    includes: 'has',
    containsKey: 'has',
    hasOwnProperty: 'has',
    length: 'size',
    count: 'size',
    remove: 'delete',
    getOrDefault: 'get',
  },
  number: { toPrecise: 'toPrecision', toFix: 'toFixed', tostring: 'toString' },
  math: {
    ceiling: 'ceil',
    power: 'pow',
    absolute: 'abs',
    fabs: 'abs',
    truncate: 'trunc',
    sqr: 'sqrt',
    maximum: 'max',
    minimum: 'min',
    fmod: 'trunc',
  },
  object: { length: 'size' },
}

const arrayMembers =
  /^(map|filter|reduce|reduceRight|forEach|some|every|sort|join|reverse|find|findIndex|flatMap|flat|fill|splice|push|pop|shift|unshift|slice|concat|entries|keys|values|toSorted|toReversed|findLast|findLastIndex)$/
const stringMembers =
  /^(length|toUpperCase|toLowerCase|charAt|charCodeAt|split|trim|trimStart|trimEnd|replace|replaceAll|substring|substr|slice|startsWith|endsWith|match|matchAll|padStart|padEnd|repeat|localeCompare|includes|indexOf|lastIndexOf|codePointAt|at|search)$/

/** TS2339, TS2551, TS2550: a member that the type does not have. */
export const missingMember: Template = function* (context) {
  const access = ancestor(
    context.node,
    (node): node is ts.PropertyAccessExpression | ts.BindingElement | ts.QualifiedName =>
      ts.isPropertyAccessExpression(node) || ts.isBindingElement(node),
  )
  if (!access || !ts.isPropertyAccessExpression(access)) return
  const receiver = access.expression
  const member = access.name.text
  const type = context.checker.getTypeAtLocation(receiver)
  const code = receiver.getText(context.source)
  const call = ts.isCallExpression(access.parent) && access.parent.expression === access ? access.parent : undefined

  yield* missingDigest(context, access)
  yield* missingFeature(context, access, call, type)
  const kind = kindOf(context, type, code)
  const word = kind && members[kind][member]
  // a count of something is not a length
  const known = (word === 'length' || word === 'size') && (call?.arguments.length ?? 0) > 0 ? undefined : word
  const named = (name: string, cost: number): Fix => {
    const isCount = (name === 'length' || name === 'size') && call && call.arguments.length === 0
    return fix(
      context,
      cost,
      `${member} becomes ${name}`,
      isCount
        ? { start: access.name.getStart(context.source), end: call.end, text: name }
        : replace(context, access.name, name),
    )
  }
  if (known) yield named(known, 0.08)
  const suggested = nearest(
    member,
    type.getApparentProperties().map((property) => property.name),
  )
  if (suggested !== null && suggested !== known) yield named(suggested, 0.15)

  if (type.isUnion() || has(type, ts.TypeFlags.Unknown)) yield* partOfUnion(context, receiver, member, type)
  const isIterator = /Iterator|Generator/.test(nameOf(type))
  if (
    (isIterator || /^(Set|Map)$/.test(nameOf(type))) &&
    (arrayMembers.test(member) || member === 'length' || member === 'includes')
  ) {
    yield fix(context, 0.1, `${code} becomes an array`, replace(context, receiver, `[...${code}]`))
  }
  if (isString(type) && arrayMembers.test(member))
    yield fix(context, 0.15, `${code} becomes its characters`, replace(context, receiver, `[...${code}]`))
  if ((isNumber(type) || isBigInt(type) || nameOf(type) === 'Number') && stringMembers.test(member))
    yield fix(context, 0.12, `${code} becomes a string`, replace(context, receiver, `String(${code})`))
  if ((isNumber(type) || has(type, ts.TypeFlags.BooleanLike)) && arrayMembers.test(member))
    yield fix(context, 0.3, `the digits of ${code} are meant`, replace(context, receiver, `[...String(${code})]`))
  if (isArrayLike(context, type) && stringMembers.test(member)) {
    yield fix(
      context,
      0.3,
      `${code} is joined to a string`,
      replace(context, receiver, `${tight(context, receiver)}.join('')`),
    )
    yield fix(context, 0.4, `${code} becomes a string`, replace(context, receiver, `String(${code})`))
  }
  const isPlainObject =
    !type.isUnion() &&
    (type.flags & ts.TypeFlags.Object) !== 0 &&
    !isArrayLike(context, type) &&
    !/^(Set|Map|Date|RegExp|Promise|Math|Object|Number|String)/.test(nameOf(type))
  if (isPlainObject || (type.flags & ts.TypeFlags.NonPrimitive) !== 0) {
    if (arrayMembers.test(member)) {
      yield fix(context, 0.35, `the values of ${code} are meant`, replace(context, receiver, `Object.values(${code})`))
      yield fix(context, 0.4, `the entries of ${code} are meant`, replace(context, receiver, `Object.entries(${code})`))
    }
    if (member === 'length')
      yield fix(
        context,
        0.3,
        `the number of keys of ${code} is meant`,
        replace(context, receiver, `Object.keys(${code})`),
      )
    yield* declareMember(context, receiver, access, type)
    yield* declareRecord(context, receiver, null)
  }
  if (isNumber(type) && !call)
    yield fix(context, 0.55, `${code} has no members: it is meant itself`, replace(context, access, code))
  if ((type.flags & ts.TypeFlags.Never) !== 0 || has(type, ts.TypeFlags.Unknown)) {
    const declaration = ts.isIdentifier(receiver) ? declarationOf(context, receiver) : undefined
    if (declaration) for (const word of vocabulary(context)) yield* retype(context, declaration, word, 0.35)
    yield fix(context, 0.5, `${code} becomes a string`, replace(context, receiver, `String(${code})`))
  }
  const declaration = ts.isIdentifier(receiver) ? declarationOf(context, receiver) : undefined
  if (declaration && ts.isParameter(declaration)) {
    const owner = declaration.parent
    const name = ts.isFunctionDeclaration(owner) ? owner.name?.text : undefined
    const shown =
      name === undefined
        ? undefined
        : context.evidence.calls.get(name)?.parameters[owner.parameters.indexOf(declaration)]
    if (shown !== undefined) yield* retype(context, declaration, shown, 0.45)
  }
}

function kindOf(context: FixContext, type: ts.Type, code: string): keyof typeof members | null {
  if (code === 'Math') return 'math'
  if (isString(type)) return 'string'
  if (isNumber(type)) return 'number'
  if (isArrayLike(context, type)) return 'array'
  const name = nameOf(type)
  return name === 'Set' ? 'set' : name === 'Map' ? 'map' : null
}

/** A member that some parts of a union have: the value is narrowed or turned into that part. */
function* partOfUnion(context: FixContext, receiver: ts.Expression, member: string, type: ts.Type): Generator<Fix> {
  const code = receiver.getText(context.source)
  const parts = type.isUnion() ? type.types : []
  const simple = parts.every(
    (part) => isNumber(part) || isString(part) || isNullish(part) || has(part, ts.TypeFlags.BooleanLike),
  )
  if (stringMembers.test(member) && (simple || parts.some(isString)))
    yield fix(context, simple ? 0.15 : 0.3, `${code} becomes a string`, replace(context, receiver, `String(${code})`))
  if (/^to(Fixed|Precision)$/.test(member))
    yield fix(context, 0.15, `${code} becomes a number`, replace(context, receiver, `Number(${code})`))
  const having = parts.filter((part) =>
    context.checker.getPropertyOfType(context.checker.getApparentType(part), member),
  )
  const lacking = parts.filter((part) => !having.includes(part))
  if (having.some((part) => isArrayLike(context, part))) {
    for (const part of lacking) {
      if (isNumber(part) || isString(part) || isNullish(part))
        yield fix(
          context,
          0.25,
          `${code} is seen as an array`,
          replace(context, receiver, `(Array.isArray(${code}) ? ${code} : [])`),
        )
      break
    }
  }
  const declaration = ts.isIdentifier(receiver) ? declarationOf(context, receiver) : undefined
  const kept = having.length === 1 && having[0] ? typeText(context, having[0]) : null
  if (declaration && kept !== null) yield* retype(context, declaration, kept, 0.45)
}

/** A member that the code itself relies on is said in the type. */
function* declareMember(
  context: FixContext,
  receiver: ts.Expression,
  access: ts.PropertyAccessExpression,
  type: ts.Type,
): Generator<Fix> {
  const name = access.name.text
  const written =
    ts.isBinaryExpression(access.parent) && access.parent.left === access
      ? typeText(context, context.checker.getTypeAtLocation(access.parent.right))
      : null
  const words = written === null ? vocabulary(context) : [written]
  const owner = type.symbol?.declarations?.find((item) => item.getSourceFile() === context.source)
  if (receiver.kind === ts.SyntaxKind.ThisKeyword || (owner && ts.isClassDeclaration(owner))) {
    if (!owner || !ts.isClassDeclaration(owner)) return
    const at = owner.members[0]?.getStart(context.source) ?? owner.end - 1
    for (const word of words)
      yield fix(
        context,
        0.25,
        `the class has ${name}`,
        insert(at, `${name}: ${word}${isInConstructor(access) ? '' : ` | undefined`}\n  `),
      )
  } else if (owner && (ts.isInterfaceDeclaration(owner) || ts.isTypeLiteralNode(owner))) {
    const at = owner.members.at(-1)?.end ?? owner.end - 1
    const separator = owner.members.length > 0 && !/[;,]\s*$/.test(context.text.slice(0, at)) ? '; ' : ' '
    for (const word of words)
      yield fix(context, 0.3, `the type has ${name}`, insert(at, `${separator}${name}: ${word};`))
  }
}

function isInConstructor(node: ts.Node): boolean {
  return ancestor(node, ts.isConstructorDeclaration) !== undefined
}

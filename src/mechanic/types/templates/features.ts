import type { ts } from 'ts-morph'
import { type FixContext, fix, replace, tight } from '../context.ts'
import type { Fix } from '../edit.ts'
import { isArrayLike, isNumber, isString, nameOf } from '../type-text.ts'

/** Members that the available lib lacks, or that other languages have, written with what there is. */
export function* missingFeature(
  context: FixContext,
  access: ts.PropertyAccessExpression,
  call: ts.CallExpression | undefined,
  type: ts.Type,
): Generator<Fix> {
  const receiver = access.expression.getText(context.source)
  const hard = tight(context, access.expression)
  const member = access.name.text
  const given = call?.arguments.map((argument) => argument.getText(context.source)) ?? []
  const [first, second] = given
  const whole = call ?? access
  const as = (code: string, cost = 0.1): Fix =>
    fix(context, cost, `${member} is written with what the library has`, replace(context, whole, code))
  const hasArrayMembers = isArrayLike(context, type)
  const spread = `[...${receiver}]`

  if (hasArrayMembers || isString(type)) {
    if (member === 'at' && first !== undefined)
      yield as(first.startsWith('-') ? `${hard}[${hard}.length - ${first.slice(1)}]` : `${hard}[${first}]`)
    if ((member === 'contains' || member === 'includes') && first !== undefined)
      yield as(`${hard}.indexOf(${first}) !== -1`)
    if ((member === 'count' || member === 'countOf') && first !== undefined) {
      yield as(
        isString(type) ? `(${hard}.split(${first}).length - 1)` : `${hard}.filter((item) => item === ${first}).length`,
      )
    }
    if (member === 'last' || member === 'peek' || member === 'top' || member === 'back')
      yield as(`${hard}[${hard}.length - 1]`)
    if (member === 'first' || member === 'front') yield as(`${hard}[0]`)
    if (member === 'isEmpty' || member === 'empty') yield as(`(${hard}.length === 0)`)
    if ((member === 'get' || member === 'elementAt') && first !== undefined) yield as(`${hard}[${first}]`)
  }
  if (hasArrayMembers) {
    if (member === 'toSorted') yield as(`${spread}.sort(${given.join(', ')})`)
    if (member === 'toReversed' || member === 'reversed') yield as(`${spread}.reverse()`)
    if (member === 'sorted') yield as(`${spread}.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))`)
    if (member === 'findLast') yield as(`${spread}.reverse().find(${given.join(', ')})`)
    if (member === 'flat') yield as(`${hard}.reduce((all, part) => all.concat(part), [])`, 0.3)
    if (member === 'sum') yield as(`${hard}.reduce((sum, item) => sum + item, 0)`)
    if (member === 'max' || member === 'min') yield as(`Math.${member}(...${receiver})`)
    if (member === 'unique' || member === 'distinct' || member === 'uniq') yield as(`[...new Set(${receiver})]`)
    if (/^to(List|Array)$|^(asList|tolist|list)$/.test(member) && given.length === 0) yield as(receiver)
    if (member === 'extend' || member === 'addAll') yield as(`${hard}.push(...${first ?? '[]'})`, 0.05)
    if (member === 'clear') yield as(`${hard}.splice(0)`)
    if (member === 'equals' && first !== undefined) yield as(`JSON.stringify(${receiver}) === JSON.stringify(${first})`)
    if (member === 'toString' || member === 'toStr') yield as(`${hard}.join('')`, 0.3)
    if (member === 'remove' && first !== undefined) yield as(`${hard}.splice(${hard}.indexOf(${first}), 1)`)
    if ((member === 'group' || member === 'groupBy') && first !== undefined)
      yield* grouped(context, whole, receiver, first)
  }
  if (isString(type)) {
    if (member === 'reverse' || member === 'reversed') yield as(`${spread}.reverse().join('')`, 0.05)
    if (member === 'sort' || member === 'sorted') yield as(`${spread}.sort(${given.join(', ')}).join('')`, 0.08)
    if (member === 'replaceAll' && first !== undefined) yield as(`${hard}.split(${first}).join(${second ?? "''"})`)
    if (member === 'format' && first !== undefined) yield as(`${hard}.replace(/\\{\\d*\\}/g, String(${first}))`)
    if (member === 'join' && first !== undefined) yield as(`${first}.join(${receiver})`, 0.12)
    if (member === 'isdigit' || member === 'isDigit' || member === 'isnumeric') yield as(`/^[0-9]+$/.test(${receiver})`)
    if (member === 'isalpha' || member === 'isLetter' || member === 'isAlpha')
      yield as(`/^[A-Za-z]+$/.test(${receiver})`)
    if (member === 'isalnum' || member === 'isAlphanumeric') yield as(`/^[A-Za-z0-9]+$/.test(${receiver})`)
    if (member === 'isupper' || member === 'isUpperCase' || member === 'isUpper')
      yield as(`(${hard} === ${hard}.toUpperCase() && ${hard} !== ${hard}.toLowerCase())`)
    if (member === 'islower' || member === 'isLowerCase' || member === 'isLower')
      yield as(`(${hard} === ${hard}.toLowerCase() && ${hard} !== ${hard}.toUpperCase())`)
    if (member === 'isspace') yield as(`/^\\s+$/.test(${receiver})`)
    if (member === 'capitalize' || member === 'toCapitalCase')
      yield as(`(${hard}.charAt(0).toUpperCase() + ${hard}.slice(1).toLowerCase())`)
    if (member === 'swapcase' || member === 'swapCase')
      yield as(`${spread}.map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('')`)
    if (member === 'equalsIgnoreCase' && first !== undefined)
      yield as(`(${hard}.toLowerCase() === ${first}.toLowerCase())`)
    if (member === 'toCharArray' || member === 'chars') yield as(spread)
    if (member === 'toInt' || member === 'toNumber' || member === 'parseInt') yield as(`Number(${receiver})`)
    if (member === 'map' || member === 'filter') yield as(`${spread}.${member}(${given.join(', ')}).join('')`, 0.2)
  }
  if (isNumber(type)) {
    if (member === 'abs' || member === 'floor' || member === 'ceil' || member === 'round' || member === 'sqrt')
      yield as(`Math.${member}(${receiver})`)
    if (member === 'pow' && first !== undefined) yield as(`${hard} ** ${first}`)
    if (member === 'isInteger' || member === 'isNaN' || member === 'isFinite') yield as(`Number.${member}(${receiver})`)
    if (member === 'toInt' || member === 'toNumber') yield as(receiver)
    if (member === 'reverse') yield as(`Number([...String(${receiver})].reverse().join(''))`, 0.2)
  }
  if (nameOf(type) === 'Map') {
    if (member === 'getOrDefault' && first !== undefined && second !== undefined)
      yield as(`(${hard}.get(${first}) ?? ${second})`, 0.05)
    if (/^(map|filter|reduce|sort|find|some|every)$/.test(member))
      yield as(`[...${receiver}].${member}(${given.join(', ')})`)
  }
  if (nameOf(type) === 'Set' && first !== undefined) {
    if (member === 'union') yield as(`new Set([...${receiver}, ...${first}])`)
    if (member === 'intersection') yield as(`new Set([...${receiver}].filter((item) => ${first}.has(item)))`)
    if (member === 'difference') yield as(`new Set([...${receiver}].filter((item) => !${first}.has(item)))`)
    if (member === 'isSubsetOf') yield as(`[...${receiver}].every((item) => ${first}.has(item))`)
    if (member === 'isSupersetOf') yield as(`[...${first}].every((item) => ${receiver}.has(item))`)
  }
  yield* statics(context, whole, receiver, member, given)
}

function* statics(
  context: FixContext,
  whole: ts.Expression,
  receiver: string,
  member: string,
  given: readonly string[],
): Generator<Fix> {
  const first = given[0] ?? ''
  const as = (code: string): Fix =>
    fix(context, 0.1, `${receiver}.${member} is written with what the library has`, replace(context, whole, code))
  const name = `${receiver}.${member}`
  if ((name === 'Object.groupBy' || name === 'Array.groupBy' || name === '_.groupBy') && given[1] !== undefined)
    yield* grouped(context, whole, first, given[1])
  const list = given.join(', ')
  if (name === 'Math.sum' || name === '_.sum')
    yield as(
      list.startsWith('...')
        ? `${list.slice(3)}.reduce((sum, item) => sum + item, 0)`
        : given.length > 1
          ? `(${given.join(' + ')})`
          : `${first}.reduce((sum, item) => sum + item, 0)`,
    )
  if (name === 'Math.mod') yield as(`(${given.join(' % ')})`)
  if (name === 'Math.isNaN' || name === 'Math.isInteger') yield as(`Number.${member}(${list})`)
  if (name === 'Math.PI_VALUE' || name === 'Math.pi') yield as('Math.PI')
  if (name === 'Math.clamp' && given.length === 3) yield as(`Math.min(Math.max(${given[0]}, ${given[1]}), ${given[2]})`)
  if (/^(Number|Math)\.(parse|toNumber|toInt)$/.test(name)) yield as(`Number(${list})`)
  if (name === 'String.valueOf' || name === 'String.from' || name === 'Number.toString') yield as(`String(${list})`)
  if (/^(Number|Math)\.(floor|ceil|round|abs|sqrt|pow|max|min|trunc)$/.test(name)) yield as(`Math.${member}(${list})`)
  if (/^(Character|Char|String)\.(isDigit|isNumber)$/.test(name)) yield as(`/^[0-9]$/.test(${first})`)
  if (/^(Character|Char|String)\.(isLetter|isAlpha)$/.test(name)) yield as(`/^[A-Za-z]$/.test(${first})`)
  if (name === 'Number.isPrime') yield as(`isPrime(${list})`)
  if (name === 'Math.gcd' || name === 'Math.lcm' || name === 'Math.factorial') yield as(`${member}(${list})`)
  if (name === 'Array.range') yield as(`range(${list})`)
}

function* grouped(context: FixContext, whole: ts.Expression, items: string, key: string): Generator<Fix> {
  const code = `${items}.reduce<{ [key: string]: typeof ${items} }>((groups, item) => {
      const key = String((${key})(item))
      groups[key] = [...(groups[key] ?? []), item]
      return groups
    }, {})`
  yield fix(context, 0.1, 'the groups are made with reduce', replace(context, whole, code))
}

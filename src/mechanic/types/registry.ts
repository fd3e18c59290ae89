import type { Template } from './context.ts'
import { argumentCount, notCallable, notIterable } from './templates/calls.ts'
import {
  duplicate,
  readonlyTarget,
  reassignedConstant,
  secondDefault,
  unassigned,
  uninitialisedConstant,
} from './templates/declarations.ts'
import { implicitParameter, implicitResult, missingTypeArguments } from './templates/implicit.ts'
import { brokenImport, forbiddenImportCode } from './templates/imports.ts'
import { serviceFixes } from './templates/language-service.ts'
import { forInVariable, pairCallback } from './templates/loops.ts'
import { characterCodes, membership, spreadArgument } from './templates/meant.ts'
import { missingMember } from './templates/members.ts'
import { excessMember, mismatch, noOverload, wrongAssertion } from './templates/mismatch.ts'
import { unknownName } from './templates/names.ts'
import { missingIndex, possiblyMissing, unknownValue } from './templates/nullish.ts'
import { arithmetic, commaPair, freshComparison, joined, knownOutcome } from './templates/operators.ts'
import { anyCast, policyCode, silence, silenceCode } from './templates/policy.ts'
import { implicitVariable, untypedIndex } from './templates/records.ts'
import { asyncness, missingReturn } from './templates/results.ts'
import { triedOut } from './templates/tried-out.ts'

const table: readonly (readonly [codes: readonly number[], template: Template])[] = [
  [[2322, 2345, 2740, 2741, 2739, 2416, 2344, 2684, 2559, 2379, 2375, 2412, 2326, 2328, 2719, 2820, 2821], mismatch],
  [[2345, 2769], spreadArgument],
  [[2365, 2367], characterCodes],
  [[2322, 2360, 2361, 2638], membership],
  [[2769], noOverload],
  [[2352, 2353, 2561], wrongAssertion],
  [[2353, 2561], excessMember],
  [[7053, 7015, 7017, 7052, 2536], untypedIndex],
  [[7034, 7005], implicitVariable],
  [[7006, 7019, 7031, 7051], implicitParameter],
  [[7010, 7011, 7022, 7023, 7024, 7012], implicitResult],
  [[2314, 2707], missingTypeArguments],
  [[2531, 2532, 2533, 18047, 18048, 18049, 2721, 2722, 2723], possiblyMissing],
  [[2538, 2464], missingIndex],
  [[18046, 2571], unknownValue],
  [[2339, 2551, 2550, 2576, 2568], missingMember],
  [[2304, 2552, 2503, 2580, 2582, 2591, 2584, 2583, 18004, 2749, 2693, 2663, 2662, 2686, 2708], unknownName],
  [[2307, 2792, 2305, 2613, 2614, 1192, 2306, 7016, 1259], brokenImport],
  [[2588], reassignedConstant],
  [[1155], uninitialisedConstant],
  [[2454, 2565, 2448, 2449], unassigned],
  [[2451, 2300, 2393, 2392, 2323], duplicate],
  [[2528], secondDefault],
  [[2540, 2542, 2704], readonlyTarget],
  [[2362, 2363, 2356, 2357], arithmetic],
  [[2365, 2367, 2447, 2736, 18050, 2360, 2361], joined],
  [[2869, 2871, 2872, 2873, 2774, 2801], knownOutcome],
  [[2839, 2845], freshComparison],
  [[2695], commaPair],
  [[2355, 2366, 7030, 2378, 2847], missingReturn],
  [[1308, 2705, 1064, 1378, 1103], asyncness],
  [[2554, 2555, 2556, 2575, 2558], argumentCount],
  [[2349, 6234, 2348, 2351], notCallable],
  [[2488, 2461, 2495, 2548, 2549, 2569, 2802, 2763, 2407, 2489], notIterable],
  [[policyCode], anyCast],
  [[silenceCode], silence],
  [[forbiddenImportCode], brokenImport],
]

const byCode = new Map<number, Template[]>()
for (const [codes, template] of table)
  for (const code of codes) byCode.set(code, [...(byCode.get(code) ?? []), template])

/** The templates for one diagnostic code, the compiler's own fixes last. */
export function templatesFor(code: number): readonly Template[] {
  const own = byCode.get(code) ?? []
  return code >= policyCode ? own : [...own, triedOut, forInVariable, pairCallback, serviceFixes]
}

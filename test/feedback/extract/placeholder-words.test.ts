import { describe, expect, it } from 'vitest'
import { isPlaceholder } from '../../../src/feedback/extract/elision-words.ts'

const ownLine = { alone: false, ownLine: true, isNearSpread: false }

const placeholders = `... rest of the function unchanged
... existing code ...
unchanged methods …
remaining columns as before
other props stay the same
其余代码保持不变
... rest of the code ...
... (rest of the code remains the same)
rest of implementation here
Rest of the code remains unchanged
The rest of the class stays the same
... other methods ...
... previous code ...
existing code
existing imports...
keep the rest of the file as is
... remaining methods unchanged ...
[... rest of code ...]
... same as before
code omitted for brevity
omitted for brevity
... snip ...
Your code here
... 其他方法保持不变 ...
剩余部分与之前相同
此处省略其他代码
残りのコードは変更なし
既存のコード...
以下省略
... restlicher Code bleibt unverändert ...
Rest des Codes unverändert
Der Rest bleibt gleich
resto del código sin cambios
... el resto del código permanece igual
código existente...
le reste du code reste inchangé
... reste du code ...
resto do código permanece inalterado
il resto del codice rimane invariato
остальной код без изменений
... остальной код ...
나머지 코드는 동일
기존 코드 유지
... rest unchanged
rest unchanged
everything else stays the same
other functions remain unchanged
... implementation of parse ...
... (previous implementation)
Existing methods remain the same...
... rest of class ...
remaining code unchanged
(unchanged)
no changes here
rest of the component
... Other imports
same as before ...
... more fields ...
... keep existing code
... [rest of the code] ...
ÜBRIGER CODE UNVERÄNDERT`.split('\n')

const honest = `handle the rest of the string...
wait for it...
e.g. 1, 2, 3, ...
and so on...
keep existing entries unchanged
loop over the remaining items...
TODO: make this faster
copy the other elements as they are
Skip the rest
the rest is zero
remaining digits
the remaining elements stay in order
compute the remaining sum here
other characters are left unchanged by this function because they are not letters
leave other characters unchanged
Leave other values as is
e.g. "..." becomes …
matches ... three dots
return the previous value
existing value
previous node
rest parameter
rest of the string
same as Math.max
This is the same as before but faster since we cache
Base case
1, 1, 2, 3, 5, 8, ...
all other cases
other cases
otherwise unchanged
no change needed
unchanged if already sorted
continue
etc.
negative numbers are handled the same as above
merge the rest of the left half
Add the remaining elements of the left array
append whatever remains
all other types: return as is
other types are returned as is
nothing to do here
intentionally empty
no more items
more than one
handle other cases here
Process remaining items here`.split('\n')

describe('a comment', () => {
  it.each(placeholders)('stands in for code: %s', (comment) => expect(isPlaceholder(comment, ownLine)).toBe(true))
  it.each(honest)('says something about code: %s', (comment) => expect(isPlaceholder(comment, ownLine)).toBe(false))

  it('that is all of a block may say less', () => {
    expect(isPlaceholder('TODO: implement', { ...ownLine, alone: true })).toBe(true)
    expect(isPlaceholder('same as above', { ...ownLine, alone: true })).toBe(true)
    expect(isPlaceholder('nothing to do', { ...ownLine, alone: true })).toBe(false)
    expect(isPlaceholder('TODO: implement', ownLine)).toBe(false)
  })

  it('beside spread syntax explains the spread', () =>
    expect(isPlaceholder('other fields stay the same', { ...ownLine, isNearSpread: true })).toBe(false))
})

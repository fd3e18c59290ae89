/** Where a comment stands. */
export interface Standing {
  /** Its block holds nothing else. */
  readonly alone: boolean
  readonly ownLine: boolean
  readonly isNearSpread: boolean
}

/** Words of one language for: what is left over (rest), what it is made of (parts), and that it is as it was (state). */
interface Words {
  readonly rest: string
  readonly parts: string
  readonly state: string
  /** Whole comments that leave no doubt. */
  readonly whole: string
}

const english: Words = {
  rest: 'rest|remainder|remaining|existing|other|others|previous|original|unchanged|everything else|all other|all the other|additional|more|further|prior|old|same',
  parts:
    'code|codes|function|functions|method|methods|implementation|implementations|logic|class|classes|component|components|prop|props|propert(?:y|ies)|attribute|attributes|column|columns|field|fields|member|members|import|imports|export|exports|file|files|line|lines|body|content|contents|definition|definitions|declaration|declarations|type|types|interface|interfaces|route|routes|handler|handlers|statement|statements|test|tests|case|cases|module|constructor|style|styles|markup|jsx|query|table|tables|script|helper|helpers|helper functions|variable|variables|constant|constants|setup|config|configuration|stuff|parts?|section|sections|program|source|branches|switch cases|queries|constraints|rows?|elements?|items?|options?|parameters?|arguments?|args|states?|hooks?',
  state:
    'unchanged|unmodified|untouched|(?:stays?|remains?|is|are|kept|keeps?|left|be|continues?)\\s+(?:the\\s+same|unchanged|as[- ]is|as before|identical|intact|unmodified|untouched|here|omitted|similar)|the same(?: as (?:before|above|original(?:ly)?|previously|in the original))?|same as (?:before|above|the original|previously|original)|as before|as[- ]is|as above|as in the original|like before|no changes?(?: (?:here|below|above|needed|required))?|not changed|omitted|elided|truncated|not shown|goes here|go here|here|for brevity|continues?|continued|follows?|unaltered|identical|stay(?:s)? put',
  whole:
    '(?:snip|snipped|unchanged|no changes(?: (?:here|below|above|to .{1,40}))?|code unchanged|omitted|truncated|elided|abbreviated)|(?:your|the|actual|real|existing|original|previous|remaining) (?:code|implementation|logic|solution|function|method)s? (?:goes |go |is |comes |continues )?here(?: (?:as before|unchanged))?|(?:code|body|implementation|details?|logic|contents?|content|parts?|lines?|functions?|methods?|imports?|the rest|rest)(?: (?:is|are|has been|have been|was|were))? (?:omitted|elided|truncated|not shown|left out|abbreviated|skipped|removed for brevity|shortened)(?: (?:here|for (?:brevity|clarity|space|readability|simplicity)))?|(?:omitted|truncated|elided|shortened|abbreviated|removed|skipped|left out) for (?:brevity|clarity|space|readability|simplicity)|for brevity|(?:insert|add|put|paste|write|place|implement|fill in|include|keep|copy) (?:your|the|all|all the|any|in)?\\s*(?:rest|remaining|existing|other|original|previous|remainder|actual)?\\s*(?:of (?:the|your) )?(?:code|implementation|functions?|methods?|logic|class|file|body|rest)(?: (?:unchanged|here|as is|as before|below|as it was|as it is|the same))+|(?:same|code|logic) (?:as|like) (?:in )?(?:the )?(?:before|original|previous(?:ly)?)(?: (?:code|version|implementation|file))?',
}

const cjk = {
  rest: '其余|其餘|其他|剩余|剩餘|剩下|余下|餘下|现有|現有|已有|原有|原来|原來|原始|之前|先前|前面|后续|後續|更多|上面|残り|その他|ほか|他の|以下|既存|元の|従来|나머지|기존|이전|다른|원래|그 외',
  parts:
    '代码|程式碼|程序|代碼|部分|逻辑|邏輯|实现|實現|實作|方法|函数|函數|函式|内容|內容|字段|欄位|列|属性|屬性|导入|引入|类|類|定义|定義|コード|部分|処理|実装|メソッド|関数|プロパティ|ロジック|フィールド|定義|코드|부분|메서드|메소드|함수|구현|로직|내용|속성|필드',
  state:
    '不变|不變|保持|省略|同上|相同|一样|一樣|如前|照旧|照舊|未改|未变|未變|未修改|无需修改|無需修改|不做修改|不修改|略|変更なし|変更無し|変わらず|変わりません|そのまま|同じ|同様|割愛|동일|그대로|변경 없음|변경없음|생략|유지|같음|변경되지 않',
}
/** Phrases in scripts without blanks that leave no doubt alone. */
const cjkWhole =
  /^(?:此处|此處|这里|這裡|中间|中間|以下|以上|后面|後面|代码|程式碼|部分代码)?(?:代码|程式碼|内容|內容|部分)?(?:已)?省略|^(?:保持|维持|維持)(?:不变|不變|原样|原樣)|^(?:同上|略|中略|後略|前略|以下略|以下省略|以下同様|省略|変更なし|이하 ?생략|중략|생략|변경 ?없음|기존 ?코드(?: ?유지)?|既存の?コード|残りのコード|现有代码|現有程式碼|原有代码|其余代码|其他代码)$/

const european: readonly Words[] = [
  {
    rest: 'restlich\\w*|übrig\\w*|rest|der rest|bestehend\\w*|vorhanden\\w*|weiter\\w*|ander\\w*|bisherig\\w*|ursprünglich\\w*|verbleibend\\w*',
    parts:
      'code|codes|methoden?|funktion(?:en)?|implementierung(?:en)?|logik|klasse\\w*|eigenschaft(?:en)?|spalten?|felder?|importe?|datei\\w*|zeilen?|inhalt\\w*|definition(?:en)?|teile?|programms?|quelltext\\w*',
    state:
      'unverändert|unveraendert|bleib(?:t|en)(?: (?:gleich|unverändert|wie \\w+|bestehen))?|wie (?:zuvor|bisher|vorher|oben|gehabt|im original)|ausgelassen|weggelassen|gekürzt|gleich|hier|folgt|identisch|nicht geändert|keine änderung(?:en)?',
    whole:
      'unverändert|ausgelassen|gekürzt|der kürze halber.*|hier (?:kommt|steht|folgt) (?:dein|ihr|der) code|dein code hier|ihr code hier|keine änderung(?:en)?',
  },
  {
    rest: 'resto|el resto|demás|restantes?|existentes?|otr[oa]s|anterior(?:es)?|original(?:es)?|lo demás',
    parts:
      'código|codigo|métodos?|metodos?|función|funciones|funcion|implementación|lógica|logica|clases?|propiedades|columnas?|campos?|imports?|importaciones|archivo|líneas?|contenido|definiciones|componentes?|programa',
    state:
      'sin cambios|sin modificar|sin modificaciones|igual(?:es)?|permanecen?(?: igual)?|omitid[oa]s?|aquí|aqui|como antes|no cambian?|se mantienen?(?: igual)?|sigue(?:n)? igual|continúa|idéntic[oa]s?|queda(?:n)? igual',
    whole:
      'sin cambios|tu código aquí|tu codigo aqui|su código aquí|omitido por brevedad|código omitido.*|por brevedad',
  },
  {
    rest: 'reste|le reste|restants?|restantes?|existants?|existantes?|autres?|précédents?|original|originale|suite',
    parts:
      'code|méthodes?|fonctions?|implémentation|logique|classes?|propriétés?|colonnes?|champs?|imports?|fichier|lignes?|contenu|définitions?|composants?|programme',
    state:
      'inchangée?s?|identiques?|omise?s?|ici|comme avant|sans changements?|sans modification|ne changent? pas|reste(?:nt)?(?: (?:inchangée?s?|identiques?|le même|les mêmes))?|non modifiée?s?|pareil',
    whole: 'inchangé|votre code ici|omis par souci de (?:brièveté|concision)|sans changement|code omis.*',
  },
  {
    rest: 'restante|resto|o resto|restantes|existentes?|outr[oa]s|demais|anterior(?:es)?|original',
    parts:
      'código|codigo|métodos?|funções|função|implementação|lógica|classes?|propriedades|colunas?|campos?|imports?|importações|arquivo|linhas?|conteúdo|definições|componentes?',
    state:
      'inalterad[oa]s?|sem alterações|sem alteração|permanecem?(?: igual| inalterad[oa]s?| [oa] mesm[oa])?|iguais|igual|omitid[oa]s?|aqui|como antes|sem mudanças|mantid[oa]s?|continuam?(?: igual)?|não muda(?:m)?',
    whole: 'sem alterações|seu código aqui|omitido por brevidade|inalterado',
  },
  {
    rest: 'resto|il resto|restante|restanti|esistent[ei]|altr[ie]|precedent[ei]|originale|rimanente|rimanenti',
    parts:
      'codice|metodi|metodo|funzion[ei]|implementazione|logica|class[ei]|proprietà|colonn[ae]|camp[io]|import|importazioni|file|righe|contenuto|definizioni|componenti',
    state:
      'invariat[oaie]|rimane(?: (?:invariato|uguale|lo stesso))?|rimangono(?: (?:invariat[ie]|uguali))?|omess[oaie]|qui|come prima|senza modifiche|non cambia(?:no)?|uguale|identic[oaie]',
    whole: 'invariato|il tuo codice qui|omesso per brevità|senza modifiche',
  },
  {
    rest: 'остальн\\S*|существующ\\S*|прочи\\S*|оставш\\S*|друг\\S*|предыдущ\\S*|прежн\\S*|исходн\\S*|решта|інш\\S*|існуюч\\S*',
    parts:
      'код\\S*|част\\S*|метод\\S*|функци\\S*|реализаци\\S*|логик\\S*|класс\\S*|пол[яей]\\S*|свойств\\S*|импорт\\S*|столбц\\S*|строк\\S*|содержим\\S*|определени\\S*|файл\\S*',
    state:
      'без изменений|не изменил\\S*|не меня\\S*|оста[её]тся(?: (?:без изменений|прежн\\S*|так\\S* же))?|остаются(?: \\S+)?|опущен\\S*|как раньше|как и прежде|как было|здесь|пропущен\\S*|тот же|без змін|те же',
    whole: 'без изменений|ваш код(?: здесь)?|опущено(?: для краткости)?|код опущен.*|пропущено',
  },
  {
    rest: 'rest|de rest|reszta|pozostał\\w*|istniejąc\\w*|overige|bestaande|andere|geri kalan\\w*|kalan|mevcut|diğer|resten|befintlig\\w*|övrig\\w*|eksisterende|zbytek|ostatní|stávající|phần còn lại|còn lại|hiện có',
    parts:
      'code|kod\\w*|methoden|functies|metod\\w*|funkcj\\w*|funkc\\w*|implementac\\w*|fonksiyon\\w*|metot\\w*|yöntem\\w*|koden|kód\\w*|mã|hàm|phương thức|kolommen|velden|kolumn\\w*',
    state:
      'ongewijzigd|onveranderd|hetzelfde|blijft(?: \\S+)?|bez zmian|pozostaje(?: \\S+)?|pominięt\\w*|jak wcześniej|aynı(?: kal\\w*)?|değişme\\w*|burada|oförändra\\w*|uendret|samma|beze změn\\w*|stejn\\w*|không (?:thay )?đổi|giữ nguyên|weggelaten|hier|hetzelfde',
    whole: 'ongewijzigd|bez zmian|değişmedi|oförändrat|beze změny|giữ nguyên|không đổi',
  },
]

interface Patterns {
  readonly left: RegExp
  readonly phrase: RegExp
  readonly whole: RegExp
}

const letter = '[\\p{L}\\p{N}_]'
const article =
  "(?:(?:the|your|all|of|all of|any|my|our|this|that|its|der|die|das|des|den|dem|alle|el|la|los|las|del|de|de la|todo|todos|le|les|du|des|l'|o|a|os|as|do|da|dos|il|lo|i|gli|del|della|dei|весь|все|het|van|van de|z|of the|of this|of your)\\s+)*"

const compile = ({ rest, parts, state, whole }: Words): Patterns => {
  const names = `(?:[\`'"]?[\\w.$]+(?:\\(\\))?[\`'"]?\\s+){0,2}`
  const subject = `(?:(?:${rest})(?:\\s+(?:of|der|des|von|del|de|du|da|do|di|van|of the|de la|dos|das|delle|dei|della))?\\s+${article}${names}(?:${rest})?\\s*(?:${parts})|(?:${parts})\\s+(?:${rest})|${article}(?:rest|remainder|everything else|der rest|resto|el resto|o resto|il resto|le reste|reste|решта|остальное|de rest|reszta))`
  const tail = `(?:\\s+(?:in|within|inside|for|from|to|of|above|below|and|,|im|en|dans|em)\\b.{0,60})?`
  return {
    left: new RegExp(`^${article}${subject}${tail}$`, 'iu'),
    phrase: new RegExp(
      `^(?:(?:keep|leave|with|and|then|plus|include|add|implement|insert|put|paste|copy|continue(?:\\s+with)?|continues|hier|aquí|ici|здесь)\\s+)?${article}${subject}(?:${tail})(?:\\s*[,:(–—-]?\\s*)(?:(?:will|should|must|all|also|still|exactly|completely|entirely|just|simply|wird|werden|está|están|est|sont|é|são|è|sono)\\s+){0,2}(?:${state})(?!${letter}).{0,40}$`,
      'iu',
    ),
    whole: new RegExp(`^(?:${whole})$`, 'iu'),
  }
}
const languages: readonly Patterns[] = [english, ...european].map(compile)
const dotted: readonly RegExp[] = [english, ...european].map(
  ({ state, parts }) =>
    new RegExp(
      `^(?:(?:${parts})\\s+)?(?:${state})$|^(?:${parts})$|^(?:unchanged|same|omitted|existing|previous)\\s+(?:\\S+\\s+)?(?:${parts})$`,
      'iu',
    ),
)
const cjkSubject = new RegExp(`(?:${cjk.rest})[^。.!?]{0,16}?(?:${cjk.parts})`, 'u')
const cjkState = new RegExp(`(?:${cjk.state})`, 'u')

/** Phrases that mean a gap only where nothing else fills the block. */
const weak =
  /^(?:todo|fixme|tbd|placeholder|implementation|implement(?:ation)?(?: (?:me|this|here|goes here|details?|logic|it|the \w+(?: \w+)?))?|code|logic|body|your (?:code|solution|implementation|logic).*|same as (?:above|before)|as (?:above|before)|similar(?:ly)? (?:to (?:above|before).*)?|(?:add|write|put|insert) .{0,40}(?:code|logic|implementation|here).*|todo:? ?(?:implement|write|add|fill|complete).*|details? omitted|\.\.\.|…)$/i

/** What asks a reader to fill the gap: `keep existing code`. */
const asking =
  /^(?:keep|leave|include|insert|add|implement|put|paste|copy|continue(?: with)?|with|and|then|plus|your|the|all)\s+(?:(?:the|all|your|of)\s+)*/
/** `implementation of parse`, `body of the function`: a gap when dots stand around it. */
const partOf =
  /^(?:implementation|body|code|logic|contents?|definition|details?)(?: details?)?(?: (?:of|for) (?:\S+ ){0,2}\S+)?$/

/** True when a comment's text stands in for code that was left out. */
export function isPlaceholder(comment: string, standing: Standing): boolean {
  const text = comment.normalize('NFC').replace(/\s+/g, ' ').trim()
  if (text === '' || text.length > 200) return false
  const hasDots = /^(?:\.{2,}|…|\[\.{3}\]|\[…\])|(?:\.{3,}|…)\s*[\])>]?$/.test(text)
  const core = text
    .replace(/^[[(<{/*#\-–—=>\s]*(?:\.{2,}|…+)?[\s:,\-–—[(<{]*/, '')
    .replace(/[\s,;:!*/#\-–—=]*(?:\.{2,}|…+)?[\])>}.!*/#\-–—=\s]*$/, '')
    .replace(/[.!。]+$/, '')
    .trim()
  if (core === '') return hasDots && standing.ownLine && !standing.isNearSpread
  if (standing.alone && (weak.test(core) || (hasDots && core.split(' ').length <= 6))) return true
  if (standing.isNearSpread && !hasDots) return false
  if (!standing.ownLine && !hasDots) return false
  const lower = core.toLowerCase()
  const subject = lower.replace(asking, '')
  if (languages.some(({ whole, phrase }) => whole.test(lower) || phrase.test(lower))) return !isDoing(lower)
  if (
    hasDots &&
    !standing.isNearSpread &&
    (languages.some(({ left }) => left.test(subject)) ||
      dotted.some((pattern) => pattern.test(subject)) ||
      partOf.test(subject))
  )
    return true
  if (/[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/.test(core)) {
    const compact = core.replace(/[\s：:（(）)]+$/g, '')
    if (cjkWhole.test(compact)) return true
    return cjkSubject.test(core) && (cjkState.test(core) || hasDots)
  }
  return (
    languages.some(({ left }) => left.test(lower)) &&
    /\b(?:rest|remaining|existing|remainder)\b.*\b(?:code|implementation|methods|functions|component|class|file|module|script|program)$/.test(
      lower,
    )
  )
}

/** A sentence about what the code does to data (`keep the other elements as they are`), not about the code. */
const isDoing = (lower: string): boolean =>
  /^(?:keep|leave|put|copy|add|insert|continue|include)\b/.test(lower) &&
  !/\b(?:code|codes|implementation|functions?|methods?|logic|class|classes|file|imports?|component|components|props|definitions?|members|statements|types|rest unchanged|body|the rest)\b/.test(
    lower,
  )

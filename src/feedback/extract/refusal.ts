const opening = [
  /^(?:i(?:'|’)?m (?:really |very |so |truly )?sorry|i am (?:very |really )?sorry|sorry|i apologi[sz]e|my apologies|unfortunately|apologies)\b[^.!?\n]{0,40}[,.!]?\s*(?:but\s+)?(?:i|as an ai|i(?:'|’)m|we|this|that)[^.!?\n]{0,40}\b(?:can(?:'|’)?t|can ?not|unable|won(?:'|’)?t|not able|not allowed|not permitted|must decline|not comfortable)/i,
  /^(?:i|we)\s+(?:can(?:'|’)?t|can ?not|won(?:'|’)?t|will not|am unable to|(?:'|’)m unable to|am not able to|must decline|have to decline|must refuse|decline)\s+(?:to\s+)?(?:help|assist|comply|provide|do|create|write|generate|fulfil|fulfill|continue|support|answer|engage|produce|participate|complete|with)?/i,
  /^i(?:'|’)m (?:unable|not able|not comfortable|afraid i can(?:'|’)?t|not going to)/i,
  /^as an? (?:ai|language model|assistant)[^.\n]{0,60},?\s*i\s+(?:can(?:'|’)?t|can ?not|am unable|am not able|don(?:'|’)?t|do not|must)/i,
  /^(?:this|that|your|the) request (?:violates|goes against|is against|cannot be|can't be)/i,
  /^(?:很?抱歉|对不起|對不起|不好意思)[^\n]{0,30}(?:无法|不能|無法|没办法|沒辦法)|^(?:我|我们)(?:无法|不能|無法)(?:帮|协助|提供|完成|幫|協助|满足|回答)/,
  /^(?:申し訳|すみません|ごめんなさい)[^\n]{0,60}(?:できません|致しかねます|いたしかねます|お手伝い|お答え)/,
  /^(?:죄송|미안)[^\n]{0,60}(?:없습니다|못합니다|어렵습니다)/,
  /^(?:es tut mir leid|tut mir leid|entschuldigung|leider)[^\n]{0,80}\b(?:kann|darf|nicht)\b[^\n]{0,60}\bnicht\b/i,
  /^(?:lo siento|lo lamento|disculpa)[^\n]{0,80}\bno (?:puedo|puede|podemos|me es posible)/i,
  /^(?:je suis désolée?|désolée?)[^\n]{0,80}\b(?:ne peux pas|ne suis pas en mesure|ne puis)/i,
  /^(?:desculpe|sinto muito|lamento)[^\n]{0,80}\bnão (?:posso|consigo|é possível)/i,
  /^(?:mi dispiace|spiacente)[^\n]{0,80}\bnon (?:posso|sono in grado)/i,
  /^(?:извините|простите|к сожалению|прошу прощения)[^\n]{0,80}(?:не могу|не в состоянии|не буду)/i,
]

/** The sentence with which a text without code refuses, else null. */
export function findRefusal(text: string): string | null {
  const start = text
    .trimStart()
    .replace(/^[#>*_\s"“]+/, '')
    .slice(0, 400)
  if (!opening.some((pattern) => pattern.test(start))) return null
  return (/^[^\n]{1,400}/.exec(start)?.[0] ?? start).trim()
}

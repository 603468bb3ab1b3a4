export interface DirectedText {
  text: string;
  isRightToLeft: boolean;
}

const rightToLeft = /^[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]$/u;
const letter = /^[\p{L}\p{M}]$/u;
const digit = /^\p{Nd}$/u;
const arabic = /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]$/u;

const pairs = '()[]{}<>';

/**
 * The parts of a line in the order in which they are drawn from the left: the levels of the Unicode Bidirectional Algorithm
 * (https://unicode.org/reports/tr9/) for a line that runs from left to right, without embeddings, which texts have none of.
 * The text of a part is in logical order.
 */
export function visualOrder(line: string): DirectedText[] {
  const characters = [...line];
  if (!characters.some((character) => rightToLeft.test(character)))
    return [{ text: line, isRightToLeft: false }];
  const levels = levelsOf(characters);
  const parts: { text: string; level: number }[] = [];
  for (const [i, character] of characters.entries()) {
    const level = levels[i] ?? 0;
    const last = parts.at(-1);
    const shown = level === 1 ? mirrored(character) : character;
    if (last?.level === level) last.text += shown;
    else parts.push({ text: shown, level });
  }
  return [2, 1].reduce(reversedFrom, parts).map(({ text, level }) => ({ text, isRightToLeft: level === 1 }));
}

/** 0: left to right. 1: right to left. 2: a number among right-to-left text. */
function levelsOf(characters: readonly string[]): number[] {
  let strong = 0;
  let isArabic = false;
  const levels = characters.map((character, i): number | undefined => {
    if (isInNumber(characters, i, isArabic)) return strong === 1 ? 2 : 0;
    if (!letter.test(character)) return undefined;
    strong = rightToLeft.test(character) ? 1 : 0;
    isArabic = arabic.test(character);
    return strong;
  });
  // A character without a direction takes that of its neighbours when they agree, otherwise that of the line.
  const isRight = (level: number | undefined) => level !== undefined && level > 0;
  return levels.map((level, i) => {
    if (level !== undefined) return level;
    const before = levels.slice(0, i).findLast((one) => one !== undefined);
    const after = levels.slice(i).find((one) => one !== undefined);
    return isRight(before) && isRight(after) ? 1 : 0;
  });
}

/**
 * Rules W2, W4 and W5: digits, one separator between two digits, and a sign of percent or currency beside a digit. After an
 * Arabic letter a sign and a plus or minus stay outside of the number.
 */
function isInNumber(characters: readonly string[], i: number, isArabic: boolean): boolean {
  const isDigit = (at: number) => digit.test(characters[at] ?? '');
  const character = characters[i] ?? '';
  if (isDigit(i)) return true;
  if ((isArabic ? /[.,:/]/ : /[.,:/+-]/).test(character)) return isDigit(i - 1) && isDigit(i + 1);
  return !isArabic && /[%#\p{Sc}]/u.test(character) && (isDigit(i - 1) || isDigit(i + 1));
}

/** Rule L2: reverses each sequence of parts at this level or above. */
function reversedFrom(
  parts: readonly { text: string; level: number }[],
  level: number,
): { text: string; level: number }[] {
  const result: { text: string; level: number }[] = [];
  let sequence: { text: string; level: number }[] = [];
  for (const part of parts) {
    if (part.level >= level) {
      sequence.unshift(part);
      continue;
    }
    result.push(...sequence, part);
    sequence = [];
  }
  return [...result, ...sequence];
}

function mirrored(character: string): string {
  const at = pairs.indexOf(character);
  return at === -1 ? character : pairs.charAt(at ^ 1);
}

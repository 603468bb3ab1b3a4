/** Words that a bank or a client adds to a name, or leaves out. */
const noise = new Set(
  'MR MRS MS HERR FRAU DR PROF DIPL ING U UND AND ET Y GMBH AG KG UG OHG MBH CO LTD LLC INC SA SARL SRL SPA BV NV AB AS OY SPOLKA ZOO'.split(
    ' ',
  ),
);

/** Letters that decompose into no accent, by how banks write them. */
const letters: Readonly<Record<string, string>> = { Ø: 'O', Đ: 'D', Ł: 'L', Æ: 'AE', Œ: 'OE', Þ: 'TH' };

/**
 * The words of a name in capitals, without accents, titles and legal forms. Banks write `ü` as `ue` or `u`, and `ø` as `oe`
 * or `o`: all of them become `U` and `O`. Such an `e` is left out after each `a`, `o` and `u`, in the names of both sides.
 */
export function wordsOf(name: string): ReadonlySet<string> {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll(/[ØĐŁÆŒÞ]/g, (letter) => letters[letter] ?? letter)
    .replaceAll(/(?<=[AOU])E/g, '')
    .split(/[^\p{L}\p{N}]+/u);
  return new Set(words.filter((word) => word !== '' && !noise.has(word)));
}

/**
 * Whether a payer can be a client, by the words of their names: one has every word of the other, in any order. A single word
 * is a name only where both are that word: two people of one family name differ.
 */
export function isSameName(payer: ReadonlySet<string>, client: ReadonlySet<string>): boolean {
  const isFewer = payer.size < client.size;
  const fewer = isFewer ? payer : client;
  const more = isFewer ? client : payer;
  if (fewer.size === 0 || (fewer.size === 1 && more.size > 1)) return false;
  return [...fewer].every((word) => more.has(word));
}

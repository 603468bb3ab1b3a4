import { readFileSync } from 'node:fs';
import { shownAddresses } from '../../../../../functions/shared/html/text.ts';
import { printable } from '../../../../../lib/operator/print.ts';

/** Texts, each with a tab and the text as people read it who decide. */
const corpus = readFileSync(new URL('../../../../corpus/shown-addresses.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => line.split('\t'));

test.each(corpus)('the host of a web address can be judged: %s', (text = '', shown) => {
  expect(shownAddresses(text)).toBe(shown);
});

test('the terminal of an operator shows the host of each web address of the corpus', () => {
  for (const [text = '', shown = ''] of corpus)
    expect(printable(text)).toBe(shown.replaceAll('\u200B', '\uFFFD'));
});

import { visualOrder } from '../../../../../functions/invoices/document/writing-direction.ts';

/** The characters of a line as they are drawn, from the left. */
const drawn = (line: string) =>
  visualOrder(line)
    .map(({ text, isRightToLeft }) => (isRightToLeft ? [...text].toReversed().join('') : text))
    .join('');

test.each([
  ['Pro (one month)', 'Pro (one month)'],
  ['Pro אבג', 'Pro גבא'],
  ['אבג (דה) ו', 'ו (הד) גבא'],
  ['אבג 1990 דה', 'הד 1990 גבא'],
  ['אבג 2.5 דה', 'הד 2.5 גבא'],
  ['אבג 12:30', '12:30 גבא'],
  ['אבג 1,299.00 דה', 'הד 1,299.00 גבא'],
  ['אבג 25% דה', 'הד 25% גבא'],
  ['אבג €5 דה', 'הד €5 גבא'],
  ['אבג 12-34 דה', 'הד 12-34 גבא'],
  ['شرك 2.5 نور', 'رون 2.5 كرش'],
  ['شرك 12-34 نور', 'رون 34-12 كرش'],
])('%s is drawn from the left as %s', (line, expected) => {
  expect(drawn(line)).toBe(expected);
});

import fc from 'fast-check';
import { preferredType } from '../../../../../functions/shared/lambda/content-negotiation.ts';
import { corpusRows } from '../../../../support/corpus.ts';

const offers = ['application/json', 'text/html', 'application/pdf'] as const;

test.each(corpusRows('accept-headers.tsv'))('Accept: %j selects %s', (accept, type) => {
  expect(preferredType(accept, offers)).toBe(type);
});

test('a request without Accept gets the first offer', () => {
  expect(preferredType(undefined, offers)).toBe('application/json');
});

test('any header selects one of the offers', () => {
  const part = fc.constantFrom(
    'text',
    'application',
    '*',
    '/',
    'html',
    'pdf',
    ';',
    'q=',
    '0.5',
    ',',
    ' ',
    '1',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(part).map((parts) => parts.join('')),
      ),
      (accept) => offers.includes(preferredType(accept, offers)),
    ),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { preferredType } from '../../../../../functions/shared/lambda/content-negotiation.ts';

const offers = ['application/json', 'text/html', 'application/pdf'] as const;
const [json, html, pdf] = offers;

test.each([
  [undefined, json],
  ['', json],
  ['*/*', json],
  ['application/*', json],
  ['text/*', html],
  ['text/html', html],
  ['TEXT/HTML', html],
  [' application/pdf ', pdf],
  // As browsers send it for a page, a link and an image.
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', html],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', html],
  ['image/avif,image/webp,*/*;q=0.8', json],
  ['application/json, text/plain, */*', json],
  ['application/pdf, */*;q=0.1', pdf],
  ['*/*;q=0.1, application/pdf', pdf],
  ['text/html;q=0.5, application/pdf;q=0.6', pdf],
  ['text/html;q=0.6, application/pdf;q=0.5, application/json;q=0.4', html],
  ['text/html;level=1;q=0.3, application/json;q=0.2', html],
  ['text/html ; q=0.3 , application/json ; q=0.2', html],
  ['text/html;Q=0.9, application/json;q=0.8', html],
  // The most specific range counts.
  ['*/*, application/json;q=0', html],
  ['*/*, application/json;q=0.1, text/html;q=0.2', pdf],
  ['application/*;q=0.9, application/json;q=0.1', pdf],
  // No offer matches: JSON rather than an error.
  ['image/png', json],
  ['text/html;q=0, application/pdf;q=0.000', json],
  ['*/*;q=0', json],
  ['text/html;q=2', json],
  ['text/html;q=nonsense', json],
  [', ;, /;q', json],
])('Accept: %j selects %s', (accept, type) => {
  expect(preferredType(accept, offers)).toBe(type);
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

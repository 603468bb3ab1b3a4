import { isPublicAddress, parseWebhookUrl } from '../../../../../functions/webhooks/endpoints/address.ts';
import { corpusRows } from '../../../../support/corpus.ts';

describe('an address of the public internet', () => {
  test.each(corpusRows('ip-addresses.tsv'))('%s is one: %s, %s', (text = '', expected) => {
    expect(isPublicAddress(text)).toBe(expected === 'public');
    if (expected === 'no') expect(isPublicAddress(`[${text}]`)).toBe(false);
  });

  test('is not nothing', () => expect(['', '[]'].map(isPublicAddress)).toEqual([false, false]));
});

describe('the URL of a webhook', () => {
  const problem = (text: string, allowLoopback = false) => {
    const parsed = parseWebhookUrl(text, { allowLoopback });
    return 'problem' in parsed ? parsed.problem : undefined;
  };

  test.each(corpusRows('webhook-addresses.tsv'))('%s: %s, %s', (text = '', reading) => {
    if (reading === 'valid') expect(problem(text)).toBeUndefined();
    else if (reading?.startsWith('must ')) expect(problem(text)).toBe(reading);
    else
      expect([problem(text, true) === undefined, problem(text) === undefined]).toEqual([
        reading === 'loopback',
        false,
      ]);
  });

  test('is of at most 2,048 characters, and on loopback in its normal form', () => {
    const longest = `https://app.example/${'a'.repeat(2_028)}`;
    expect([longest, `${longest}a`].map((text) => problem(text))).toEqual([
      undefined,
      'must be at most 2048 characters long',
    ]);
    expect(problem(`http://localhost/${'a'.repeat(2_048)}`, true)).toBe(
      'must be at most 2048 characters long',
    );
    expect(parseWebhookUrl('http://LOCALHOST:80/a', { allowLoopback: true })).toEqual({
      normal: 'http://localhost/a',
    });
    expect(problem('https://http://localhost', true)).toBeDefined();
  });
});

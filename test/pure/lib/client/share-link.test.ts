import fc from 'fast-check';
import { parseShareLink, shareLink } from '../../../../lib/client/index.ts';

const key = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8';
const shareId = 'oW4uHVmTzeXdR4Ea3kz0ukw';

describe('a link', () => {
  test.each([
    ['https://vault.example/s', 'https://vault.example/s'],
    ['https://vault.example/s/', 'https://vault.example/s'],
    ['https://vault.example', 'https://vault.example'],
    ['http://localhost:3000/a/b//', 'http://localhost:3000/a/b'],
  ])('of the page %s is the page, the id and the key', (page, base) => {
    expect(shareLink(page, shareId, key)).toBe(`${base}/${shareId}#${key}`);
  });

  test('round-trips any id', () => {
    const ids = fc.string({ unit: 'grapheme', minLength: 1 }).filter((id) => id !== '.' && id !== '..');
    fc.assert(
      fc.property(ids, (id) => {
        expect(parseShareLink(shareLink('https://vault.example/s', id, key))).toEqual({ shareId: id, key });
      }),
    );
  });

  test.each([
    'vault.example/s',
    '/s',
    '',
    'javascript:alert(1)',
    'https://vault.example/s?a=b',
    'https://vault.example/s?',
    'https://vault.example/s#top',
  ])('is not made from the page %j', (page) => {
    expect(() => shareLink(page, shareId, key)).toThrow(
      expect.objectContaining({ name: 'ShareError', code: 'invalid_link' }),
    );
  });

  test.each(['', '.', '..', '\ud800'])('is not made from the id %j', (id) => {
    expect(() => shareLink('https://vault.example/s', id, key)).toThrow(
      expect.objectContaining({ code: 'invalid_link' }),
    );
  });

  test.each([
    ['no URL', `vault.example/s/${shareId}#${key}`],
    ['another scheme', `mailto:${shareId}#${key}`],
    ['no id', `https://vault.example/#${key}`],
    ['no id after the page', `https://vault.example/s/#${key}`],
    ['an id that does not decode', `https://vault.example/s/%E0%A4%A#${key}`],
    ['no fragment', `https://vault.example/s/${shareId}`],
    ['an empty fragment', `https://vault.example/s/${shareId}#`],
    ['a key that was cut', `https://vault.example/s/${shareId}#${key.slice(0, -1)}`],
    ['a key with more of its alphabet after it', `https://vault.example/s/${shareId}#${key}_`],
  ])('with %s is refused, with an error that does not contain the key', (_name, link) => {
    let message = '';
    try {
      parseShareLink(link);
    } catch (error) {
      expect(error).toMatchObject({ name: 'ShareError', code: 'invalid_link' });
      message = String(error);
    }
    expect(message).toMatch(/^ShareError: The link /);
    expect(message).not.toContain(key.slice(0, 10));
  });
});

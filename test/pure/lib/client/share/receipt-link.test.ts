import {
  describeShareLink,
  parseReceiptLink,
  parseShareLink,
  receiptLink,
} from '../../../../../lib/client/share.ts';

const page = 'https://vault.example/s';
const shareId = 'oW4uHVmTzeXdR4Ea3kz0ukw';
const receiptToken = 'vsr_W4uHVmTzeXdR4Ea3kz0ukw';
const key = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8';

test('the link of a receipt is the page, the id, "r" and the token, and is parsed into them', () => {
  const link = receiptLink(page, shareId, receiptToken);
  expect(link).toBe(`${page}/${shareId}#r${receiptToken}`);
  expect(parseReceiptLink(link)).toEqual({ shareId, receiptToken });
});

test.each(['', 'W4uHVmTzeXdR4Ea3kz0ukw', 'vsr_short', `${receiptToken}A`, `${receiptToken}#`])(
  'no link is made from the token %j',
  (token) => {
    expect(() => receiptLink(page, shareId, token)).toThrow(
      expect.objectContaining({ code: 'invalid_link' }),
    );
  },
);

describe('a link says without any request', () => {
  const keyWasSent = false;
  test.each([
    ['that it opens a share', key, { kind: 'share', shareId, needsPassphrase: false, keyWasSent }],
    [
      'that it opens a share with a proof',
      `k${key}`,
      { kind: 'share', shareId, needsPassphrase: false, keyWasSent },
    ],
    ['that it needs a passphrase', `p${key}`, { kind: 'share', shareId, needsPassphrase: true, keyWasSent }],
    ['that it shows a receipt', `r${receiptToken}`, { kind: 'receipt', shareId, keyWasSent }],
  ])('%s', (_name, fragment, described) => {
    expect(describeShareLink(`${page}/${shareId}#${fragment}`)).toEqual(described);
  });

  test.each([
    '',
    'k',
    key.slice(1),
    `x${key}`,
    `kk${key}`,
    `r${receiptToken.slice(1)}`,
    `${receiptToken}`,
    `k${key.slice(0, -1)}9`,
  ])('that %j behind its "#" is no whole key, and the error does not show it', (fragment) => {
    const link = `${page}/${shareId}#${fragment}`;
    const refused = expect.objectContaining({ name: 'ShareError', code: 'invalid_link' });
    expect(() => describeShareLink(link)).toThrow(refused);
    if (fragment.length > 1) expect(() => describeShareLink(link)).not.toThrow(fragment);
  });
});

test('the link of a receipt opens no share, and the link of a share shows no receipt', () => {
  expect(() => parseShareLink(receiptLink(page, shareId, receiptToken))).toThrow(
    expect.objectContaining({ code: 'invalid_link' }),
  );
  expect(() => parseReceiptLink(`${page}/${shareId}#${key}`)).toThrow(
    expect.objectContaining({ code: 'invalid_link' }),
  );
});

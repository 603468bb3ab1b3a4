import { authHash } from '../../../../lib/client/index.ts';

const salt = 'user-4711';

/**
 * Computed once with OpenSSL 3.0, in a UTF-8 shell; `P` is the password and `S` the salt:
 *
 *     key=$(openssl kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt "pass:$P" -kdfopt "salt:${S}_AUTH" \
 *       -kdfopt iter:100000 PBKDF2 | tr -d ':\n')
 *     printf %s server-auth-check | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key"
 */
const vectors: [name: string, password: string, salt: string, proof: string][] = [
  [
    'of words',
    'correct horse battery staple',
    salt,
    '44766e284610fa26b6148c3ba3259d7c5c720cac50bc71818768ce8eb8edc5a4',
  ],
  ['that is empty', '', salt, '9f743fb4e40597f998c1697c982bd6fec69c0efed0247e7cb226d692f4e3ebce'],
  [
    'beyond ASCII',
    'Gr\u00fcn & 日本 🔑',
    salt,
    'ab802672c1db2252e4aaa3e6fad526227721785e95956c53f626e37d07491b8c',
  ],
  // P=$(printf 'Gru\xcc\x88n & 日本 🔑')
  [
    'with a combining mark',
    'Gru\u0308n & 日本 🔑',
    salt,
    'cb4a1c17fd091508a0700bfc33d477c9ec8c8409e0819c3192cd33c828a85bd0',
  ],
  [
    'with _AUTH in it',
    'secret_AUTH',
    salt,
    'a308705b5ae341dad6e62ad8119ef940e2670f46712af0e7d1c5be58dd9c1992',
  ],
  [
    'whose salt ends in _AUTH',
    'secret',
    'user_AUTH',
    '066df104e6ad425dd0f9c6d1c61f171718925096b1ce91cc8eee40d7548239a1',
  ],
];

describe('the proof of a password', () => {
  test.each(vectors)('%s is the one that OpenSSL computes', async (_name, password, saltText, proof) => {
    expect(await authHash(password, saltText)).toBe(proof);
  });

  test('is refused for a value that is not a string, rather than computed for "undefined"', async () => {
    const untyped = authHash as (password: unknown, saltText?: unknown) => Promise<string>;
    await expect(untyped('secret')).rejects.toThrow(TypeError);
    await expect(untyped(undefined, salt)).rejects.toThrow(TypeError);
  });

  test('fails with a clear error on a page from plain HTTP, where browsers have no WebCrypto', async () => {
    vi.stubGlobal('crypto', { getRandomValues: () => {} });
    try {
      await expect(authHash('secret', salt)).rejects.toThrow('HTTPS or from localhost');
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

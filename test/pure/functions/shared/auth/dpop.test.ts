import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { presentedDeviceProof } from '../../../../../functions/shared/auth/device-proof.ts';
import { thumbprintOf, verifyDpop } from '../../../../../functions/shared/auth/dpop.ts';

const nowMs = Date.UTC(2026, 10, 22);
const nowSeconds = nowMs / 1_000;
const url = 'https://api.example/prod/api/vault';
const empty = new Uint8Array();
const body = new TextEncoder().encode('{"a":"ü"}');
const digest = createHash('sha256').update(body).digest('base64url');
const jti = 'AbCdEfGh1234';
const good = { htm: 'PUT', htu: url, iat: nowSeconds, jti };

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
let pair: Pair;
let other: Pair;
beforeAll(async () => {
  pair = await generateKeyPair('ES256', { extractable: true });
  other = await generateKeyPair('ES256', { extractable: true });
});

async function proof(claims: object, header: object = {}, keys = pair): Promise<string> {
  const jwk = await exportJWK(pair.publicKey);
  const full = Object.assign({ typ: 'dpop+jwt', alg: 'ES256', jwk }, header);
  return new SignJWT(Object.assign({}, good, claims)).setProtectedHeader(full).sign(keys.privateKey);
}
const verify = (jwt: string, content = empty) =>
  verifyDpop(jwt, { method: 'PUT', url, body: content }, nowMs);
const thumbprint = async () => calculateJwkThumbprint(await exportJWK(pair.publicKey));

describe('a proof', () => {
  test.each([
    ['of a request without a body', {}, empty],
    ['of an empty body', { content_digest: createHash('sha256').digest('base64url') }, empty],
    ['of a body', { content_digest: digest }, body],
    ['of the oldest age', { iat: nowSeconds - 60 }, empty],
    ['of the latest time', { iat: nowSeconds + 60 }, empty],
    ['with another spelling of the URL', { htu: 'HTTPS://API.example:443/prod/x/../api/vault?a=1#b' }, empty],
    ['with the shortest id', { jti: '!'.repeat(12) }, empty],
    ['with the longest id', { jti: '~'.repeat(256) }, empty],
  ])('%s is accepted, and names its key', async (_, claims, content) => {
    expect(await verify(await proof(claims), content)).toEqual({
      thumbprint: await thumbprint(),
      jti: 'jti' in claims ? claims.jti : jti,
    });
  });

  test.each([
    ...[
      { jti: 'x'.repeat(11) },
      { jti: 'x'.repeat(257) },
      { jti: 'has a space in it' },
      { jti: 123_456_789_012 },
    ].map((claims): [object, string] => [claims, 'has no jti of 12 to 256 visible ASCII characters']),
    ...[{ jti: `${jti}\n` }, { jti: `\u007f${jti}` }, { jti: undefined }].map((claims): [object, string] => [
      claims,
      'has no jti of 12 to 256 visible ASCII characters',
    ]),
    ...[{ htm: 'GET' }, { htm: 'put' }, { htm: undefined }].map((claims): [object, string] => [
      claims,
      'is for another method (htm)',
    ]),
    ...[`${url}/`, 'http://api.example/prod/api/vault', 'https://other.example/prod/api/vault', 'x', 7].map(
      (htu): [object, string] => [{ htu }, 'is for another URL (htu)'],
    ),
    ...[nowSeconds - 61, nowSeconds + 61, 0].map((iat): [object, string] => [
      { iat },
      'is older or newer than 60 seconds (iat)',
    ]),
    [{ iat: undefined }, 'is older or newer than 60 seconds (iat)'],
    [{ content_digest: digest }, 'is for another body (content_digest)'],
    [{ content_digest: '' }, 'is for another body (content_digest)'],
  ])('with %j is refused: it %s', async (claims, problem) => {
    expect(await verify(await proof(claims))).toEqual({ problem });
  });

  test('of a body needs the digest of that body', async () => {
    const problem = 'is for another body (content_digest)';
    expect(await verify(await proof({}), body)).toEqual({ problem });
    expect(await verify(await proof({ content_digest: digest.slice(1) }), body)).toEqual({ problem });
  });

  test('is a JWT of its type that its own key signed', async () => {
    const problem = 'is not a JWT of type dpop+jwt that its ES256 key has signed';
    const [header = '', , signature = ''] = (await proof({})).split('.');
    const payload = Buffer.from(JSON.stringify(Object.assign({}, good, { htm: 'GET' }))).toString(
      'base64url',
    );
    const privateJwk = await exportJWK(pair.privateKey);
    for (const jwt of [
      ...['', 'x', 'a.b.c', `${header}.${payload}.${signature}`],
      await proof({}, { typ: 'JWT' }),
      await proof({}, {}, other),
      await proof({}, { jwk: undefined }),
      await proof({}, { jwk: privateJwk }),
      await new SignJWT(good).setProtectedHeader({ typ: 'dpop+jwt', alg: 'HS256' }).sign(new Uint8Array(32)),
    ])
      expect(await verify(jwt), jwt).toEqual({ problem });
    const rsa = await generateKeyPair('ES384', { extractable: true });
    const jwk = await exportJWK(rsa.publicKey);
    expect(await verify(await proof({}, { alg: 'ES384', jwk }, rsa))).toEqual({ problem });
  });

  test('has at most 4,096 characters', async () => {
    const sized = async (characters: number) => {
      const empty = await proof({ pad: '' });
      // Three bytes of the payload are four characters.
      const padded = await proof({ pad: 'x'.repeat(Math.floor(((characters - empty.length) * 3) / 4)) });
      return padded;
    };
    const fits = await sized(4_096);
    expect(fits.length).toBeGreaterThan(4_092);
    expect(await verify(fits)).toHaveProperty('jti');
    expect(await verify(await sized(4_100))).toHaveProperty('problem');
  });
});

test('the thumbprint of a public key is that of RFC 7638, and one that is not on the curve has none', async () => {
  const { kty = '', crv = '', x = '', y = '' } = await exportJWK(pair.publicKey);
  expect(await thumbprintOf({ kty, crv, x, y })).toBe(await thumbprint());
  expect(await thumbprintOf({ kty, crv, x, y: x })).toBeUndefined();
});

describe('the proof that a request presents', () => {
  const token = `vdt_${'a'.repeat(43)}`;
  const presented = (
    headers: Record<string, string | string[]>,
    sent: string | null = null,
    isBase64Encoded = false,
  ) =>
    presentedDeviceProof({
      event: {
        httpMethod: 'PUT',
        path: '/api/vault',
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
        ),
        multiValueHeaders: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name, [value].flat()]),
        ),
        body: sent,
        isBase64Encoded,
      },
      baseUrl: 'https://api.example/prod',
      startedAtMs: nowMs,
    });
  const ofBody = async () => proof({ content_digest: digest });

  test('is none, a token, or a signature over the method, the URL and the body', async () => {
    expect(await presented({})).toEqual({ kind: 'none' });
    const tokenHash = createHash('sha256').update(token).digest('hex');
    expect(await presented({ 'X-Device-Token': token })).toEqual({ kind: 'token', tokenHash });
    const key = { kind: 'key', keyThumbprint: await thumbprint(), jti };
    expect(await presented({ DPoP: await proof({}) })).toEqual(key);
    expect(await presented({ DPoP: await ofBody() }, '{"a":"ü"}')).toEqual(key);
    expect(await presented({ DPoP: await ofBody() }, Buffer.from(body).toString('base64'), true)).toEqual(
      key,
    );
  });

  test('is refused with what the client can mend', async () => {
    const invalid = (problem: string | undefined) => ({ kind: 'invalid', problem });
    for (const text of ['', 'vdt_short', `vdc_${'a'.repeat(43)}`])
      expect(await presented({ 'x-device-token': text })).toEqual(invalid(undefined));
    expect(await presented({ 'x-device-token': token, dpop: await proof({}) })).toEqual(
      invalid('is sent together with x-device-token; send one of them'),
    );
    expect(await presented({ dpop: await proof({ htm: 'GET' }) })).toMatchObject({
      kind: 'invalid',
      problem: expect.any(String),
    });
    expect(await presented({ dpop: [await proof({}), await proof({})] })).toMatchObject({
      kind: 'invalid',
      problem: expect.any(String),
    });
  });
});

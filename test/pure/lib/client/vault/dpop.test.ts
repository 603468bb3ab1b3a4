import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, decodeProtectedHeader, EmbeddedJWK, jwtVerify } from 'jose';
import { dpopProof, newDeviceKey, publicJwk } from '../../../../../lib/client/vault/dpop.ts';

const nowMs = Date.parse('2026-11-22T10:00:00.900Z');
const body = new TextEncoder().encode('{"a":"ü"}');
const request = { method: 'POST', url: 'https://api.example/prod/api/vault?userId=u#f', body };
/** As an independent library reads a proof. */
const verified = (proof: string) =>
  jwtVerify(proof, EmbeddedJWK, { typ: 'dpop+jwt', algorithms: ['ES256'], currentDate: new Date(nowMs) });

describe('a proof', () => {
  test('is a DPoP JWT that jose verifies with the public key in its header', async () => {
    const key = await newDeviceKey();
    const proof = await dpopProof(key, request, nowMs);
    const { payload, protectedHeader } = await verified(proof);
    const jwk = await publicJwk(key);
    expect(protectedHeader).toEqual({ typ: 'dpop+jwt', alg: 'ES256', jwk });
    expect(payload).toEqual({
      htm: 'POST',
      htu: 'https://api.example/prod/api/vault',
      iat: nowMs / 1000 - 0.9,
      jti: expect.stringMatching(/^[\w-]{22}$/),
      content_digest: createHash('sha256').update(body).digest('base64url'),
    });
    expect(await calculateJwkThumbprint(jwk)).toMatch(/^[\w-]{43}$/);
  });

  test('for a request without a body has no digest', async () => {
    const key = await newDeviceKey();
    const proof = await dpopProof(key, { method: 'GET', url: request.url, body: undefined }, nowMs);
    expect(Object.keys((await verified(proof)).payload).sort()).toEqual(['htm', 'htu', 'iat', 'jti']);
  });
});

test('the key of a device cannot be exported, and has public members only', async () => {
  const { privateKey, publicKey } = await newDeviceKey();
  expect([privateKey.extractable, privateKey.usages]).toEqual([false, ['sign']]);
  await expect(crypto.subtle.exportKey('jwk', privateKey)).rejects.toThrow();
  for (const format of ['raw', 'pkcs8'] as const) {
    await expect(crypto.subtle.exportKey(format, privateKey)).rejects.toThrow();
  }
  const proof = await dpopProof({ privateKey, publicKey }, request, nowMs);
  expect(Object.keys(decodeProtectedHeader(proof).jwk ?? {}).sort()).toEqual(['crv', 'kty', 'x', 'y']);
});

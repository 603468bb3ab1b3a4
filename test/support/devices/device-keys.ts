import { createHash, randomUUID } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { defined } from '../../../functions/shared/contract/defined.ts';
import { type Answered, call } from '../call.ts';
import { type Account, newAccount, quarantinedAccount } from './accounts.ts';

/** A key of a device, and its public members. */
export interface DeviceKey {
  privateKey: CryptoKey;
  publicJwk: { kty: 'EC'; crv: 'P-256'; x: string; y: string };
}

export async function newDeviceKey(): Promise<DeviceKey> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  return { privateKey, publicJwk: (await exportJWK(publicKey)) as DeviceKey['publicJwk'] };
}

/** The request that a proof is made for, as the samples of the tests send it. */
export interface Signed {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  body?: string;
}

/** A DPoP proof (RFC 9449 section 4.2). `claims` and `header` override its parts; undefined removes one. */
export async function dpopProof(
  { privateKey, publicJwk }: DeviceKey,
  { method, path, body }: Signed,
  claims: Readonly<Record<string, unknown>> = {},
  header: { typ?: string; jwk?: JWK } = {},
): Promise<string> {
  const payload = {
    htm: method,
    htu: `https://api.test/test${path}`,
    iat: Math.floor(Date.now() / 1000),
    jti: randomUUID(),
    content_digest: body === undefined ? undefined : digestOf(body),
    ...claims,
  };
  return new SignJWT(defined(payload) as JWTPayload)
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: publicJwk, ...header })
    .sign(privateKey);
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** An account whose device is trusted and has a token. */
export async function accountWithToken(
  account = newAccount(),
): Promise<{ account: Account; deviceToken: string }> {
  const { code } = await quarantinedAccount(account);
  const { body } = await call('devices.trust', account.verification(code));
  return { account, deviceToken: body.deviceToken };
}

/** An account whose device is trusted and has a key. */
export async function accountWithKey(
  account = newAccount(),
): Promise<{ account: Account; key: DeviceKey; verified: Answered }> {
  const key = await newDeviceKey();
  const { code } = await quarantinedAccount(account);
  const { body } = account.verification(code);
  const verified = await call('devices.trust', { body: { ...body, devicePublicKey: key.publicJwk } });
  return { account, key, verified };
}

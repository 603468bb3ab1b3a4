import { hasCurrentStamp } from '../../../../../functions/shared/accounts/security-stamp.ts';
import type { StoredProof } from '../../../../../functions/shared/accounts/stored-proof.ts';
import {
  checkDeviceProof,
  deviceNotVerified,
  isProofOf,
  mustProve,
  refuseUnusableProof,
} from '../../../../../functions/shared/auth/device-proof.ts';
import {
  type Grant,
  grantLifetimeMs,
  isUsable,
  lastUsedAtMs,
} from '../../../../../functions/shared/auth/grants/grant.ts';
import {
  narrowScopes,
  parseScope,
  scopeDescriptions,
  scopes,
} from '../../../../../functions/shared/auth/grants/scopes.ts';
import {
  isTokenValidFor,
  isTokenValidForApplication,
  type tokensEndedAtMs,
} from '../../../../../functions/shared/auth/grants/token-ends.ts';
import {
  isChangeOf,
  isStoredProof,
  keyedHash,
} from '../../../../../functions/shared/auth/proof-comparison.ts';
import type { PresentedDeviceProof } from '../../../../../functions/shared/contract/device-proof.ts';
import { dayMs } from '../../../../../functions/shared/runtime/clock.ts';

describe('the proof of the master password', () => {
  const key = new Uint8Array(32).fill(1);
  const salt = new Uint8Array(16).fill(2);
  const hash = keyedHash(key, 'ann', 'new', salt);
  const presented = keyedHash(key, 'ann', 'old', salt);
  const stored: StoredProof = { salt, hash, setBy: { presented, writeId: 'write' } };
  const ended = Object.assign({ endedAtMs: 1 }, stored);

  test('is what is stored, of the same user, until an operator ends it', () => {
    expect(isStoredProof(key, { userId: 'ann', authHash: 'new' }, stored)).toBe(true);
    for (const [userId, authHash] of [
      ['ann', 'old'],
      ['bob', 'new'],
      ['annnew', ''],
    ] as const)
      expect(isStoredProof(key, { userId, authHash }, stored)).toBe(false);
    expect(isStoredProof(new Uint8Array(32), { userId: 'ann', authHash: 'new' }, stored)).toBe(false);
    expect(isStoredProof(key, { userId: 'ann', authHash: 'new' }, ended)).toBe(false);
    expect(isStoredProof(key, { userId: 'ann', authHash: 'new' }, { salt: new Uint8Array(16), hash })).toBe(
      false,
    );
  });

  test('of before a change repeats the change, with the same content', () => {
    const repeat = { userId: 'ann', authHash: 'old', writeId: 'write' };
    expect(isChangeOf(key, repeat, stored)).toBe(true);
    for (const more of [{ authHash: 'new' }, { writeId: 'other' }, { userId: 'bob' }])
      expect(isChangeOf(key, Object.assign({}, repeat, more), stored)).toBe(false);
    expect([isChangeOf(key, repeat, { salt, hash }), isChangeOf(key, repeat, ended)]).toEqual([false, false]);
  });

  test('is hashed as one text of user and proof, which no other pair gives', () => {
    expect(hash).toHaveLength(32);
    expect(keyedHash(key, 'a', 'b","c', salt)).not.toEqual(keyedHash(key, 'a","b', 'c', salt));
  });
});

describe('the proof of a device', () => {
  const nowMs = Date.UTC(2026, 10, 22);
  const token: PresentedDeviceProof = { kind: 'token', tokenHash: 'hash' };
  const signed: PresentedDeviceProof = { kind: 'key', keyThumbprint: 'print', jti: 'jti' };
  const none: PresentedDeviceProof = { kind: 'none' };
  const invalid = (problem: string | undefined): PresentedDeviceProof => ({ kind: 'invalid', problem });

  test.each([
    [{ tokenHash: 'hash' }, token, true],
    [{ tokenHash: 'other' }, token, false],
    [{}, { kind: 'token', tokenHash: '' }, false],
    [{ keyThumbprint: 'print' }, signed, true],
    [{ keyThumbprint: 'other' }, signed, false],
    [{}, { kind: 'key', keyThumbprint: '', jti: 'jti' }, false],
    [{ tokenHash: 'print', keyThumbprint: 'hash' }, token, false],
    [{ tokenHash: 'hash' }, none, false],
    [{ tokenHash: 'hash', keyThumbprint: 'print' }, invalid('x'), false],
  ] as const)('of %j is %j: %s', (device, presented, expected) => {
    expect(isProofOf(device, presented)).toBe(expected);
  });

  const check = (device: object, presented: PresentedDeviceProof, isUnused = true) => {
    try {
      checkDeviceProof('dev_1', device, presented, { isUnused, nowMs });
      return 'accepted';
    } catch (error) {
      return error;
    }
  };
  const verifyFirst = { code: 'device_not_verified', details: { deviceId: 'dev_1', requiresMfa: true } };
  const again = (deviceProof: string) => ({
    code: 'device_not_verified',
    details: { deviceId: 'dev_1', requiresMfa: false, deviceProof, serverTime: '2026-11-22T00:00:00.000Z' },
  });

  test('is checked when there is one, and asked for once it was presented', () => {
    expect(check({}, none)).toBe('accepted');
    expect(check({ deviceProofPresented: true }, none)).toMatchObject(verifyFirst);
    expect(check({ tokenHash: 'hash' }, token)).toBe('accepted');
    expect(check({ tokenHash: 'other' }, token)).toMatchObject(verifyFirst);
    expect(check({ keyThumbprint: 'print' }, signed, false)).toMatchObject(again('was used before (jti)'));
    expect(check({ keyThumbprint: 'other' }, signed, false)).toMatchObject(verifyFirst);
    expect(deviceNotVerified('dev_1')).toMatchObject(verifyFirst);
  });

  test('is asked of every device where the deployment requires it', () => {
    expect([mustProve({}), mustProve({ deviceProofPresented: true })]).toEqual([false, true]);
    vi.stubEnv('DEVICE_PROOF', 'required');
    expect(mustProve({})).toBe(true);
    vi.unstubAllEnvs();
  });

  test('that the client can make again is refused with what is wrong', () => {
    const refuse = (presented: PresentedDeviceProof) => () => refuseUnusableProof('dev_1', presented, nowMs);
    expect(refuse(invalid('is old'))).toThrow(expect.objectContaining(again('is old')));
    for (const presented of [none, token, signed, invalid(undefined)])
      expect(refuse(presented)).not.toThrow();
  });
});

describe('access that a user granted', () => {
  const user = { userId: 'ann', email: 'ann@example.com', status: 'active', securityStamp: 's' } as const;

  test.each([
    [user, { securityStamp: 's' }, true],
    [user, { securityStamp: 'former' }, false],
    [user, {}, false],
    [{ userId: 'ann', email: 'a@example.com', status: 'active' } as const, {}, true],
    [Object.assign({}, user, { status: 'suspended' as const }), { securityStamp: 's' }, false],
    [{ userId: 'ann', email: 'a@example.com' }, {}, false],
    [undefined, {}, false],
  ])('of %j with %j: %s', (of, token, expected) => {
    expect(isTokenValidFor(token, of)).toBe(expected);
  });

  test('has no stamp for a user who is unknown', () => {
    expect([hasCurrentStamp(undefined, {}), hasCurrentStamp(undefined, { securityStamp: 's' })]).toEqual([
      true,
      false,
    ]);
  });

  test('ends with the keys of the application, and with the revocation of all', () => {
    type Application = NonNullable<Parameters<typeof tokensEndedAtMs>[0]>;
    const application = (more: object) =>
      Object.assign({ keys: { key_1: {} } }, more) as unknown as Application;
    const valid = (createdAtMs: number, of: Application | undefined) =>
      isTokenValidForApplication({ createdAtMs }, of);
    expect([valid(1, application({})), valid(0, application({}))]).toEqual([true, false]);
    const revoked = application({ tokensRevokedAtMs: 5 });
    expect([5, 6].map((atMs) => valid(atMs, revoked))).toEqual([false, true]);
    expect([valid(1e15, application({ keys: {} })), valid(1e15, undefined)]).toEqual([false, false]);
    expect(valid(1e15, application({ keys: undefined }))).toBe(false);
  });

  test('can be used for 30 days after its last use, until it is revoked', () => {
    const grant = { createdAtMs: 1_000 } as Grant;
    const used = Object.assign({ lastRotation: { atMs: 5_000 } }, grant);
    expect([grantLifetimeMs, lastUsedAtMs(grant), lastUsedAtMs(used)]).toEqual([30 * dayMs, 1_000, 5_000]);
    const usable = (of: Grant, afterMs: number) => isUsable(of, afterMs + 30 * dayMs);
    expect([usable(grant, 999), usable(grant, 1_000), usable(used, 4_999)]).toEqual([true, false, true]);
    expect(isUsable(Object.assign({ revokedAtMs: 1 }, used), 5_000)).toBe(false);
  });
});

describe('the scopes of a request', () => {
  test.each([
    [undefined, ['profile']],
    ['', ['profile']],
    ['  ', ['profile']],
    ['vault', ['vault']],
    [' vault  profile vault', ['profile', 'vault']],
    ['vault trust_links:write profile', ['profile', 'trust_links:write', 'vault']],
    ['Vault', undefined],
    ['vault everything', undefined],
    ['vault\tprofile', undefined],
  ])('%j are %j', (text, expected) => {
    expect(parseScope(text)).toEqual(expected);
  });

  test('of a refresh are at most those that were granted', () => {
    const granted = ['profile', 'vault'] as const;
    expect(narrowScopes(undefined, granted)).toEqual(granted);
    expect(narrowScopes('vault', granted)).toEqual(['vault']);
    expect(narrowScopes('vault trust_links:write', granted)).toBeUndefined();
    expect(narrowScopes('x', granted)).toBeUndefined();
    expect(narrowScopes('', ['vault'])).toBeUndefined();
  });

  test('are described for people, and the one that can destroy data has a warning', () => {
    for (const scope of scopes) {
      const { title, meaning } = scopeDescriptions[scope];
      expect([title.length > 10, meaning.endsWith('.')]).toEqual([true, true]);
    }
    const warned = scopes.filter((scope) => scopeDescriptions[scope].warning?.includes('overwrite'));
    expect(warned).toEqual(['vault']);
  });
});

import { createHash } from 'node:crypto';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { call, freshBlock } from '../../../support/call.ts';
import {
  newAccount,
  quarantinedAccount,
  requestCode,
  stored,
  trustedAccount,
  wrongCode,
} from '../../../support/devices/accounts.ts';

const start = Date.parse('2026-03-03T10:00:00Z');
const refused = { error: 'Invalid or expired code' };

describe('the exact response', () => {
  test('is 200 with success and a device token', async () => {
    const { account, code } = await quarantinedAccount();
    const { status, body } = await account.verify(code);
    expect([status, body]).toEqual([
      200,
      { success: true, deviceToken: expect.stringMatching(/^vdt_[\w-]{22}$/) },
    ]);
  });

  test.each(['12345', '12345a'])('to a code that is not 6 digits is 400 Invalid data: %j', async (code) => {
    const { status, body } = await newAccount().verify(code);
    expect(status).toBe(400);
    expect(body).toEqual({
      error: 'Invalid data',
      details: { code: expect.stringMatching(/6 digits|is not valid/) },
    });
  });
});

describe('a code', () => {
  test('works with the separators and the digits with which it was pasted', async () => {
    const { account, code } = await quarantinedAccount();
    const wide = [...code].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('');
    const pasted = `\u200B${wide.slice(0, 3)}\u00A0\u2013\u2009${wide.slice(3)}`;
    expect((await account.verify(pasted)).status).toBe(200);
  });

  test.each([
    ['works after 299.999 s', 299_999, 200],
    ['is expired after 300 s', 300_000, 400],
  ])('%s', async (_, afterMs, status) => {
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const { account, code } = await quarantinedAccount();
    vi.setSystemTime(start + afterMs);
    expect((await account.verify(code)).status).toBe(status);
    expect((await stored.device(account))?.isVerified).toBe(status === 200);
  });

  test('is void once the next one is sent, for any device', async () => {
    const { account, code: first } = await quarantinedAccount();
    const second = await requestCode(account.email);
    if (first !== second) expect((await account.verify(first)).body).toEqual(refused);
    expect((await account.verify(second)).status).toBe(200);
  });

  test('works after four wrong attempts, and is refused after five until a new code is sent', async () => {
    const address = freshBlock();
    const { account, code } = await quarantinedAccount(newAccount(), address());
    const fail = async (times: number, right: string) => {
      for (let n = 1; n <= times; n += 1)
        expect((await account.verify(wrongCode(right, n), address())).body).toEqual(refused);
    };
    await fail(5, code);
    expect((await account.verify(code, address())).body).toEqual(refused);
    const next = await requestCode(account.email, address());
    await fail(4, next);
    expect((await account.verify(next, address())).status).toBe(200);
  });

  test('is not consumed by a request that is refused because of the device', async () => {
    const { account, code } = await quarantinedAccount();
    expect((await account.with({ deviceId: 'client-another' }).verify(code)).body).toEqual(refused);
    expect((await account.verify(code)).status).toBe(200);
  });
});

describe('besides the correct code', () => {
  test('the device must be one of the user: an unknown one, and one of another user, trusted or not, get the same response', async () => {
    const { account, code } = await quarantinedAccount();
    const foreign = newAccount();
    await foreign.checkIn();
    const { deviceId } = await trustedAccount();
    const responses = [
      await account.anotherDevice().verify(await requestCode(account.email)),
      await account.with({ deviceId: foreign.deviceId }).verify(await requestCode(account.email)),
      await account.with({ deviceId }).verify(await requestCode(account.email)),
      await account.verify(wrongCode(code)),
    ];
    expect(responses.map(({ status, body }) => [status, body])).toEqual(Array(4).fill([400, refused]));
    expect(responses.map(({ headers }) => headers)).toEqual(Array(4).fill(responses[0]?.headers));
    expect((await stored.device(foreign))?.isVerified).toBe(false);
  });

  test('the first verified address is permanently bound to the user', async () => {
    const account = await trustedAccount();
    const device = account.with({ email: newAccount().email }).anotherDevice();
    const { code } = await quarantinedAccount(device);
    expect((await device.verify(code)).body).toEqual(refused);
    // This holds even after every device that was trusted with the first address is removed.
    await call('devices.revoke', { query: { userId: account.userId, deviceHash: account.deviceId } });
    const again = await quarantinedAccount(device);
    expect((await device.verify(again.code)).body).toEqual(refused);
    expect(await stored.user(account)).toMatchObject({ email: account.email, userId: account.userId });
    const own = device.with({ email: account.email });
    expect((await own.verify(await requestCode(own.email))).status).toBe(200);
  });
});

test('trusting a device records the time and its token, ends the quarantine and changes no other attribute', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  const { account, code } = await quarantinedAccount();
  const { expiresAtMs, ttl, ...before } = { expiresAtMs: 0, ttl: 0, ...(await stored.device(account)) };
  vi.setSystemTime(start + 60_000);
  const { deviceToken } = (await account.verify(code)).body;
  expect(await stored.device(account)).toEqual({
    ...before,
    ...keys.trusted(account.userId, account.deviceId),
    isVerified: true,
    lastUsedAtMs: start + 60_000,
    tokenHash: createHash('sha256').update(deviceToken).digest('hex'),
  });
});

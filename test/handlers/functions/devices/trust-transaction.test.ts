import { describe, expect, test } from 'vitest';
import { deviceStore } from '../../../../functions/devices/store.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import {
  type Account,
  anotherDevice,
  checkIn,
  quarantinedAccount,
  stored,
  trustedAccount,
  verify,
} from '../../../support/devices/accounts.ts';
import { failTable, loseAnswers } from '../../../support/faults.ts';
import { updateItem } from '../../../support/stored-items.ts';

/** The stored records that the transaction writes. */
async function outcome(account: Account) {
  const [code, device, user, alerts] = await Promise.all([
    stored.code(account.email),
    stored.device(account),
    stored.user(account),
    stored.alerts(account.email),
  ]);
  return {
    isCodeUsable: code?.codeHash !== undefined,
    isTrusted: device?.isVerified === true,
    hasAddress: user?.email === account.email,
    alerts: alerts.length,
  };
}

const nothing = { isCodeUsable: true, isTrusted: false, hasAddress: false, alerts: 0 };
const everything = { isCodeUsable: false, isTrusted: true, hasAddress: true, alerts: 0 };
const failed = { error: 'Verification failed' };

describe('consuming the code, trusting the device, binding the address and storing the alert are atomic', () => {
  // The rate limit and the tries of the block; concurrently the try, the attempt, the verified sources, the device, the
  // user and the trusted devices; the transaction; removing the alert.
  test.each([0, 5, 8])(
    'when call %i to the table fails, nothing is written and the code still works',
    async (at) => {
      const { account, code } = await quarantinedAccount();
      const fault = failTable((_, index) => (index === at ? new Error('connection lost') : undefined));
      const response = await verify(account, code);
      fault.restore();
      expect([response.status, response.body]).toEqual([500, failed]);
      expect(await outcome(account)).toEqual(nothing);
      expect((await verify(account, code)).status).toBe(200);
      expect(await outcome(account)).toEqual(everything);
    },
  );

  test.each([0, 5, 8])(
    'when the response to call %i is lost, the code is not consumed without effect',
    async (at) => {
      const { account, code } = await quarantinedAccount();
      const lost = loseAnswers((_, index) => index === at);
      const response = await verify(account, code);
      lost.restore();
      expect([response.status, response.body]).toEqual([500, failed]);
      const { isCodeUsable, isTrusted } = await outcome(account);
      expect(isTrusted).toBe(!isCodeUsable);
      if (isTrusted) expect(await outcome(account)).toEqual({ ...everything, alerts: 1 });
      else expect((await verify(account, code)).status).toBe(200);
      expect((await checkIn(account)).body.verified).toBe(true);
    },
  );
});

describe('the transaction is refused when, since the comparison of the code,', () => {
  /** Injects other work right before the transaction. */
  async function overtaken(account: Account, code: string, by: () => Promise<unknown>) {
    let isDone = false;
    const watch = failTable(async (command) => {
      if (command.startsWith('Transact') && !isDone) {
        isDone = true;
        await by();
      }
      return undefined;
    });
    const response = await verify(account, code);
    watch.restore();
    expect(isDone).toBe(true);
    return [response.status, response.body];
  }
  const refused = [400, { error: 'Invalid or expired code' }];

  test('another request consumed the code', async () => {
    const { account, code } = await quarantinedAccount();
    const other = anotherDevice(account);
    await checkIn(other);
    expect(await overtaken(account, code, () => verify(other, code))).toEqual(refused);
    expect((await stored.device(account))?.isVerified).toBe(false);
    expect((await stored.device(other))?.isVerified).toBe(true);
  });

  const ways: [string, (account: Account) => Promise<unknown>][] = [
    ['another code was sent', (account) => quarantinedAccount(account)],
    ['the device was revoked', ({ userId, deviceId }) => deviceStore.revoke(userId, deviceId)],
    [
      'the user got another security stamp',
      ({ userId }) =>
        updateItem(keys.user(userId), {
          UpdateExpression: 'SET securityStamp = :stamp',
          ExpressionAttributeValues: { ':stamp': 'other' },
        }),
    ],
    [
      'the user got another address',
      (account) => trustedAccount(anotherDevice({ ...account, email: `rival-${account.email}` })),
    ],
  ];
  test.each(ways)('%s', async (_, by) => {
    const { account, code } = await quarantinedAccount();
    expect(await overtaken(account, code, () => by(account))).toEqual(refused);
    expect(await outcome(account)).toEqual(nothing);
  });
});

import { call } from '../../../support/call.ts';
import {
  type Account,
  newAccount,
  quarantinedAccount,
  stored,
  trustedAccount,
  wrongCode,
} from '../../../support/devices/accounts.ts';
import { roundTrips } from '../../../support/faults.ts';
import { asOperator, profile, youtubeAccount } from '../../../support/samples/operator.ts';

const refused = { error: 'Invalid or expired code' };

async function enter({ userId, email }: Account): Promise<void> {
  const request = await asOperator({ params: { userId }, body: { ...profile(), email } });
  expect((await call('users.upsert', request)).status).toBe(200);
}

const isTrusted = async (account: Account) => (await stored.device(account))?.isVerified === true;

describe('where enrolment is known', () => {
  beforeEach(() => {
    vi.stubEnv('ENROLMENT', 'known');
  });

  test('a stranger cannot take a user id: the code of their own mailbox is refused, and no user is written', async () => {
    const { account, code } = await quarantinedAccount();
    const response = await account.verify(code);
    expect([response.status, response.body]).toEqual([400, refused]);
    expect(await isTrusted(account)).toBe(false);
    expect(await stored.user(account)).toBeUndefined();
  });

  test('a user who enrolled themselves before keeps their device, and verifies no further one until an operator enters them', async () => {
    vi.stubEnv('ENROLMENT', 'open');
    const account = await trustedAccount();
    // An operator who writes a social account does not enter the user.
    const params = { userId: account.userId, platform: 'YouTube' };
    await call('users.social-account-upsert', await asOperator({ params, body: youtubeAccount }));
    vi.stubEnv('ENROLMENT', 'known');
    expect((await account.checkIn()).body.verified).toBe(true);
    const further = await quarantinedAccount(account.anotherDevice());
    expect((await further.account.verify(further.code)).body).toEqual(refused);
    await enter(account);
    expect((await account.checkIn()).body.verified).toBe(true);
    expect((await further.account.verify(further.code)).status).toBe(200);
  });

  test('an unknown user gets the same responses as a known one, with the same calls to the table', async () => {
    const known = newAccount();
    await enter(known);
    const unknown = newAccount();
    const attempt = async (account: Account) => {
      const answers: unknown[] = [];
      const note = async (work: () => ReturnType<typeof call>) => {
        const { status, body } = await work();
        answers.push([status, { ...body, deviceId: undefined }]);
      };
      const calls = await roundTrips(async () => {
        await note(() => account.checkIn());
        await note(() => call('devices.code-send', { body: { email: account.email } }));
      });
      return { answers, calls };
    };
    expect(await attempt(unknown)).toEqual(await attempt(known));
    // The stranger owns the mailbox, the user is unknown; the stranger owns a mailbox, the user has another.
    const strangers = [newAccount(), known.with({ email: newAccount().email }).anotherDevice()];
    const outcomes: unknown[] = [];
    for (const stranger of strangers) {
      const { account, code } = await quarantinedAccount(stranger);
      let answer: unknown;
      const calls = await roundTrips(async () => {
        const { status, body } = await account.verify(code);
        answer = [status, body];
      });
      outcomes.push({ answer, calls });
    }
    expect(outcomes[0]).toEqual(outcomes[1]);
    const { account, code } = await quarantinedAccount(newAccount());
    expect((await account.verify(wrongCode(code))).body).toEqual(refused);
  });
});

import { call, freshBlock } from '../../../../support/call.ts';
import * as accounts from '../../../../support/devices/accounts.ts';
import { failTable } from '../../../../support/faults.ts';
import { alertsTo, codeSentTo } from '../../../../support/mail/mailbox.ts';

const refused = { error: 'Invalid or expired code' };
const isTrusted = async (account: accounts.Account) =>
  (await accounts.stored.device(account))?.isVerified === true;

describe('a code', () => {
  test('guessed from many addresses concurrently: after five wrong attempts the right code is refused', async () => {
    const address = freshBlock();
    const { account, code } = await accounts.quarantinedAccount(accounts.newAccount(), address());
    await Promise.all([1, 2, 3, 4, 5].map((n) => account.verify(accounts.wrongCode(code, n), address())));
    const guesses = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? code : accounts.wrongCode(code, n)));
    const answers = await Promise.all(guesses.map((guess) => account.verify(guess)));
    expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(10).fill([400, refused]));
    expect(await isTrusted(account)).toBe(false);
    expect(await accounts.stored.code(account.email)).toMatchObject({ attempts: 5 });
  });

  test("does not trust a device of the victim when it was sent to the attacker's address", async () => {
    const victim = await accounts.trustedAccount();
    const attacker = victim.with({ email: accounts.newAccount().email }).anotherDevice();
    const { code } = await accounts.quarantinedAccount(attacker);
    expect((await attacker.verify(code)).body).toEqual(refused);
    expect((await attacker.with({ email: victim.email }).verify(code)).body).toEqual(refused);
    expect(await isTrusted(attacker)).toBe(false);
    expect(await accounts.stored.user(victim)).toMatchObject({ email: victim.email });
    expect(await alertsTo(attacker.email)).toEqual([]);
    expect(await alertsTo(victim.email)).toHaveLength(1);
  });

  test.each([0, 4, 7])(
    'void the old code when a new one is sent at call %i of a verification',
    async (at) => {
      const { account, code: old } = await accounts.quarantinedAccount();
      let isSent = false;
      const watch = failTable(async (_, index) => {
        if (index !== at || isSent) return undefined;
        isSent = true;
        await call('devices.code-send', { body: { email: account.email } });
        return undefined;
      });
      const response = await account.verify(old);
      watch.restore();
      expect([response.status, response.body]).toEqual([400, refused]);
      expect((await account.verify(await codeSentTo(account.email))).status).toBe(200);
    },
  );
});

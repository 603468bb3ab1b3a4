import { randomInt } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Answered, freshBlock } from '../../../../support/call.ts';
import {
  type Account,
  newAccount,
  quarantinedAccount,
  stored,
  verify,
  wrongCode,
} from '../../../../support/devices/accounts.ts';
import { failTable } from '../../../../support/faults.ts';
import { samples } from '../../../../support/thoroughness.ts';

const refused = { error: 'Invalid or expired code' };
const withStatus = (answers: Answered[], status: number) =>
  answers.filter((answer) => answer.status === status);
const isTrusted = async (account: Account) => (await stored.device(account))?.isVerified === true;
/** Each request comes from an address of its own, so that the limit by address refuses none; by default from a block of its own. */
const guessConcurrently = (codes: readonly string[], account: Account, address?: () => string) =>
  Promise.all(codes.map((code) => verify(account, code, address?.())));

describe('guessing a one-time code', () => {
  test('from many addresses concurrently fails: after five wrong attempts the right code is refused', async () => {
    const address = freshBlock();
    const { account, code } = await quarantinedAccount(newAccount(), address());
    await guessConcurrently(
      [1, 2, 3, 4, 5].map((n) => wrongCode(code, n)),
      account,
      address,
    );
    const guesses = Array.from({ length: 45 }, (_, n) => (n % 2 === 0 ? code : wrongCode(code, n)));
    const answers = await guessConcurrently(guesses, account);
    expect(withStatus(answers, 400)).toHaveLength(45);
    for (const { body } of answers) expect(body).toEqual(refused);
    expect(await isTrusted(account)).toBe(false);
    expect(await stored.code(account.email)).toMatchObject({ attempts: 5 });
  });

  test('compares five of many concurrent guesses, wherever the right one stands among them', async () => {
    const rounds = samples({ few: 4, many: 20 });
    let hits = 0;
    for (let round = 0; round < rounds; round += 1) {
      const address = freshBlock();
      const { account, code } = await quarantinedAccount(newAccount(), address());
      const guesses = Array.from({ length: 15 }, (_, n) => wrongCode(code, n + 1));
      guesses.splice(randomInt(15), 1, code);
      const successes = withStatus(await guessConcurrently(guesses, account, address), 200).length;
      // A code that was used counts no further tries.
      const tries = (await stored.code(account.email))?.attempts;
      if (successes === 0) expect(tries).toBe(5);
      else expect([1, 2, 3, 4, 5]).toContain(tries);
      expect(await isTrusted(account)).toBe(successes === 1);
      hits += successes;
    }
    // About a third is expected; without the count it would be all.
    expect(hits).toBeLessThan(rounds);
  });

  test('reveals nothing of which addresses and users exist', async () => {
    const { account, code } = await quarantinedAccount();
    const seen = [];
    for (const guess of [
      account,
      newAccount(),
      { ...newAccount(), email: account.email },
      { ...account, email: newAccount().email },
    ]) {
      const watch = failTable(() => undefined);
      const { status, body, headers } = await verify(guess, wrongCode(code));
      watch.restore();
      seen.push({ status, body, headers, calls: watch.calls });
    }
    expect(seen).toEqual(Array(4).fill(seen[0]));
  });
});

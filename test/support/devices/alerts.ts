import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { handler as runTimer } from '../../../functions/devices/send-alerts.ts';
import { createTable } from '../../../lib/local/table.ts';
import { failMail, refusedBySes } from '../faults.ts';
import { type Account, newAccount, quarantinedAccount, stored, verify } from './accounts.ts';

type MailFault = Parameters<typeof failMail>[0];

export const throttled = refusedBySes('Throttling', 'Maximum sending rate exceeded.');

/**
 * Gives a test file its own table, and sets the clock to `start` before each test. In a shared table the
 * timer would send the alerts of concurrent tests. Alerts that a test leaves due are abandoned after it.
 */
export function aloneFrom(start: number): void {
  const sharedTable = process.env.TABLE_NAME;
  beforeAll(async () => {
    process.env.TABLE_NAME = `test-alerts-${randomUUID()}`;
    await createTable(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '', process.env.TABLE_NAME);
  });
  afterAll(() => {
    process.env.TABLE_NAME = sharedTable;
  });
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: start });
  });
  afterEach(async () => {
    vi.setSystemTime(start + 30 * 86_400_000);
    await runTimer();
    vi.useRealTimers();
  });
}

/** Trusts a device while mail fails. */
export async function trustWhile(fails: MailFault): Promise<Account> {
  const { account, code } = await quarantinedAccount(newAccount());
  const fault = failMail(fails);
  try {
    expect((await verify(account, code)).body).toMatchObject({ success: true });
  } finally {
    fault.restore();
  }
  return account;
}

/** Runs the timer while mail fails. @returns the number of mails that it tried to send. */
export async function runTimerWhile(fails: MailFault): Promise<number> {
  let tried = 0;
  const fault = failMail((index) => {
    tried = index + 1;
    return fails(index);
  });
  await runTimer().finally(fault.restore);
  return tried;
}

export const dueAlert = async ({ email }: Account) => (await stored.alerts(email))[0];

/** Runs work that is killed at the moment it hands its first mail to SES. */
export async function killedAtTheMail(work: () => Promise<unknown>): Promise<void> {
  // It does nothing later: the send does not time out either, while other tests run.
  const patience = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
  const reached = Promise.withResolvers<void>();
  const killed = failMail(() => {
    reached.resolve();
    return new Promise(() => {});
  });
  void work();
  await reached.promise;
  patience.mockRestore();
  killed.restore();
}

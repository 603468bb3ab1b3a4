/** The mail about a new device: sent with the verification, or by the timer. */
import { handler as runTimer } from '../../../../functions/devices/send-alerts.ts';
import { dayMs, hourMs, minuteMs } from '../../../../functions/shared/runtime/clock.ts';
import { call, putItem } from '../../../support/call.ts';
import * as accounts from '../../../support/devices/accounts.ts';
import { failMail, loseMailAnswers, refusedBySes } from '../../../support/faults.ts';
import { alertsTo } from '../../../support/mail/mailbox.ts';
import { onOwnTable } from '../../../support/table/own-table.ts';

const start = Date.parse('2026-03-07T10:00:00Z');

type MailFault = Parameters<typeof failMail>[0];

const throttled = refusedBySes('Throttling', 'Maximum sending rate exceeded.');

// In a shared table the timer would send the alerts of concurrent tests. Those that a test leaves due are given up after it.
onOwnTable('test-alerts');
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
});
afterEach(async () => {
  vi.setSystemTime(start + 30 * dayMs);
  await runTimer();
  vi.useRealTimers();
});

/** Trusts a device while mail fails. */
async function trustWhile(fails: MailFault): Promise<accounts.Account> {
  const { account, code } = await accounts.quarantinedAccount(accounts.newAccount());
  const fault = failMail(fails);
  try {
    expect((await account.verify(code)).body).toMatchObject({ success: true });
  } finally {
    fault.restore();
  }
  return account;
}

/** Runs the timer while mail fails. @returns the number of mails that it tried to send. */
async function runTimerWhile(fails: MailFault): Promise<number> {
  let tried = 0;
  const fault = failMail((index) => {
    tried = index + 1;
    return fails(index);
  });
  await runTimer().finally(fault.restore);
  return tried;
}

const dueAlert = async ({ email }: accounts.Account) => (await accounts.stored.alerts(email))[0];

/** Runs work that is killed at the moment it hands its first mail to SES. */
async function killedAtTheMail(work: () => Promise<unknown>): Promise<void> {
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

test('the New Device Login mail is sent exactly once to the address of the user before the response, and no alert stays due', async () => {
  const account = accounts.newAccount();
  const sourceIp = '203.0.113.77';
  await account.checkIn(sourceIp);
  const code = await accounts.requestCode(account.email);
  await call('devices.trust', { ...account.verification(code), sourceIp: '198.51.100.3' });
  const alerts = await alertsTo(account.email);
  expect(alerts).toHaveLength(1);
  expect(alerts[0]?.to).toEqual([account.email]);
  expect(alerts[0]?.subject).toBe('New Device Login: Chrome on Windows');
  for (const part of ['text', 'html'] as const) {
    // The address of the check: the verification can come from elsewhere.
    for (const fact of ['Chrome on Windows', sourceIp, 'Location', 'Unknown', '7 March 2026, 10:00 UTC'])
      expect(alerts[0]?.[part]).toContain(fact);
    expect(alerts[0]?.[part]).not.toContain(code);
  }
  expect(await accounts.stored.alerts(account.email)).toEqual([]);
  await runTimer();
  expect(await alertsTo(account.email)).toHaveLength(1);
});

test('when SES fails during a verification, the response does not wait longer than three seconds for SES, and the alert stays due', async () => {
  const { account, code } = await accounts.quarantinedAccount();
  const patience = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
  const response = await account.verify(code);
  const waits = [...patience.mock.calls];
  patience.mockRestore();
  expect([response.status, response.body]).toMatchObject([200, { success: true }]);
  expect(waits).toEqual([[3_000]]);
  expect(await dueAlert(account)).toMatchObject({ attempts: 1 });
});

test('a crash after the transaction and before the mail leaves the alert to the timer', async () => {
  const { account, code } = await accounts.quarantinedAccount();
  await killedAtTheMail(() => account.verify(code));
  expect(await account.shownDevice()).toMatchObject({ is_verified: true });
  expect(await accounts.stored.alerts(account.email)).toHaveLength(1);
  vi.setSystemTime(start + 5 * minuteMs);
  await runTimer();
  expect(await alertsTo(account.email)).toHaveLength(1);
});

describe('when the answers of SES are lost', () => {
  test('an alert is sent three times at worst, five minutes and an hour apart, and is then given up', async () => {
    const { account, code } = await accounts.quarantinedAccount();
    const fault = loseMailAnswers();
    expect((await account.verify(code)).status).toBe(200);
    const counts: number[] = [];
    for (const minutes of [5, 60, 65, 120, 125, 4_400]) {
      vi.setSystemTime(start + minutes * minuteMs - 1);
      await runTimer();
      vi.setSystemTime(start + minutes * minuteMs);
      await runTimer();
      counts.push((await alertsTo(account.email)).length);
    }
    fault.restore();
    expect(counts).toEqual([2, 2, 3, 3, 3, 3]);
    expect(await accounts.stored.alerts(account.email)).toEqual([]);
  });

  test('a refusal is not counted as a copy', async () => {
    const account = await trustWhile(() => throttled);
    expect(await dueAlert(account)).toMatchObject({ attempts: 1, possibleCopies: 0 });
    const fault = loseMailAnswers();
    vi.setSystemTime(start + minuteMs);
    await runTimer().finally(fault.restore);
    expect(await dueAlert(account)).toMatchObject({ attempts: 2, possibleCopies: 1 });
  });
});

describe('a mail that keeps failing', () => {
  test('is retried after 1, 2, 4, 8, 16 and 32 minutes, then every hour', async () => {
    const account = await trustWhile(() => throttled);
    let now = start;
    for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60, 60]) {
      expect(await dueAlert(account)).toMatchObject({ leasedUntilMs: now + minutes * minuteMs });
      vi.setSystemTime(now + minutes * minuteMs - 1);
      expect(await runTimerWhile(() => throttled)).toBe(0);
      now += minutes * minuteMs;
      vi.setSystemTime(now);
      expect(await runTimerWhile(() => throttled)).toBe(1);
    }
    vi.setSystemTime(now + hourMs);
    expect(await runTimerWhile(() => undefined)).toBe(1);
    expect(await alertsTo(account.email)).toHaveLength(1);
    expect(await accounts.stored.alerts(account.email)).toEqual([]);
  });

  test('is abandoned after three days, not a millisecond earlier', async () => {
    const kept = await trustWhile(() => throttled);
    const lost = await trustWhile(() => throttled);
    vi.setSystemTime(start + 72 * hourMs - 1);
    let left = 1;
    const tried = await runTimerWhile(() => (left-- > 0 ? undefined : throttled));
    expect(tried).toBe(2);
    const mails = (await alertsTo(kept.email)).length + (await alertsTo(lost.email)).length;
    expect(mails).toBe(1);
    vi.setSystemTime(start + 74 * hourMs);
    expect(await runTimerWhile(() => undefined)).toBe(0);
    expect(await accounts.stored.alerts(kept.email)).toEqual([]);
    expect(await accounts.stored.alerts(lost.email)).toEqual([]);
  });

  test('a run sends all alerts that are due, however many a shard has', async () => {
    vi.stubEnv('MAILS_PER_SECOND', '40');
    const account = await trustWhile(() => throttled);
    const { pk, sk, ...alert } = (await dueAlert(account)) ?? { pk: '', sk: '' };
    const ids = Array.from({ length: 109 }, (_, n) => `${sk}-${n}`);
    await Promise.all(ids.map((alertId) => putItem({ ...alert, pk, sk: alertId, alertId })));
    vi.setSystemTime(start + minuteMs);
    expect(await runTimerWhile(() => undefined)).toBe(110);
    expect(await accounts.stored.alerts(account.email)).toEqual([]);
  });
});

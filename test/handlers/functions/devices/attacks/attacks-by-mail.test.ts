import { randomUUID } from 'node:crypto';
import { call } from '../../../../support/call.ts';
import { newAccount, requestCode, stored } from '../../../../support/devices/accounts.ts';
import { failMail } from '../../../../support/faults.ts';
import { alertsTo, codeSentTo, mailsTo } from '../../../../support/mail/mailbox.ts';

const send = (email: string) => call('devices.code-send', { body: { email } });

/** The number of mails sent to SES while `work` runs, to any recipient. */
async function mailsDuring(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const watch = failMail(() => {
    count += 1;
    return undefined;
  });
  await work().finally(watch.restore);
  return count;
}

describe('header injection and lists in an e-mail field', () => {
  const at = (mail: (name: string) => string) => mail(randomUUID());
  const bcc = `bcc-${randomUUID()}@example.com`;
  const hostile = [
    at((name) => `${name}@example.com\r\nBcc: ${bcc}`),
    at((name) => `${name}@example.com%0d%0aBcc:${bcc}`),
    at((name) => `${name}@example.com,${bcc}`),
    at((name) => `"${bcc}" <${name}@example.com>`),
    at((name) => `mailto:${name}@example.com?bcc=${bcc}`),
  ];

  test.each(hostile)('%j is refused, and no mail is sent', async (email) => {
    const sent = await mailsDuring(async () => {
      const response = await send(email);
      expect([response.status, response.body.error]).toEqual([400, 'Invalid email']);
    });
    expect(sent).toBe(0);
    const response = await call('devices.trust', newAccount({ email }).verification('123456'));
    expect(response.body).toMatchObject({
      error: 'Invalid data',
      details: { userEmail: expect.any(String) },
    });
    expect(await mailsTo(bcc)).toEqual([]);
  });
});

describe('spellings of one address', () => {
  const spellings: [string, (name: string) => string, (name: string) => string][] = [
    ['full-width', (name) => `ｘ${name}＠ｅxample。com`, (name) => `x${name}@example.com`],
    ['the Kelvin sign', (name) => `\u212A${name}@example.com`, (name) => `k${name}@example.com`],
  ];

  test.each(spellings)(
    'share one code, one limit and the canonical recipient: %s',
    async (_, spelt, plain) => {
      const name = randomUUID();
      const canonical = plain(name);
      const account = newAccount({ email: canonical });
      await account.checkIn();
      const first = await requestCode(canonical);
      expect((await send(spelt(name))).status).toBe(200);
      const mails = await mailsTo(canonical);
      expect(mails.map(({ to }) => to)).toEqual([[canonical], [canonical]]);
      if (spelt(name).toLowerCase() !== canonical) expect(await mailsTo(spelt(name))).toEqual([]);

      const latest = await codeSentTo(canonical);
      if (first !== latest) expect((await account.verify(first)).status).toBe(400);
      // Both are counted in one record.
      expect((await stored.sentCodes(canonical))?.strangers).toHaveLength(2);

      expect((await account.with({ email: spelt(name) }).verify(latest)).status).toBe(200);
      expect(await stored.user(account)).toMatchObject({ email: canonical });
      expect((await alertsTo(canonical)).map(({ to }) => to)).toEqual([[canonical]]);
    },
  );
});

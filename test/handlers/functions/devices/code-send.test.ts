import { createHash, createHmac } from 'node:crypto';
import { call, freshAddress } from '../../../support/call.ts';
import * as accounts from '../../../support/devices/accounts.ts';
import { failMail, loseMailAnswers, refusedBySes, roundTrips } from '../../../support/faults.ts';
import { codeSentTo, mailsTo } from '../../../support/mail/mailbox.ts';

const send = (email: unknown, sourceIp = freshAddress()) =>
  call('devices.code-send', { body: { email }, sourceIp });

test.each(['code-send', 'trust'] as const)(
  'the exact response to %s is 429 after three requests to code-send and trust in total',
  async (last) => {
    const account = accounts.newAccount();
    const sourceIp = freshAddress();
    const texts = { 'code-send': 'Too many codes sent. Try again later.', trust: 'Too many attempts' };
    const requests = {
      'code-send': { body: { email: account.email } },
      trust: account.verification('000000'),
    };
    const one = (name: 'code-send' | 'trust') => call(`devices.${name}`, { ...requests[name], sourceIp });
    expect(
      [await one('code-send'), await one('trust'), await one('trust')].map(({ status }) => status),
    ).toEqual([200, 400, 400]);
    const refused = await one(last);
    expect([refused.status, refused.body]).toEqual([429, { error: texts[last] }]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  },
);

test('known, unknown and verified addresses get the same response and headers, with the same calls to the table', async () => {
  const known = (await accounts.trustedAccount()).email;
  const unknown = accounts.newAccount().email;
  const verified = accounts.newAccount();
  const sourceIp = freshAddress();
  await verified.checkIn();
  await send(verified.email, sourceIp);
  await call('devices.trust', { ...verified.verification(await codeSentTo(verified.email)), sourceIp });
  const responses: unknown[] = [];
  const trips = [];
  for (const [email, from] of [[known], [unknown], [verified.email, sourceIp]] as const) {
    trips.push(await roundTrips(async () => responses.push(await send(email, from))));
  }
  const calls = [['BatchGetItemCommand', 'UpdateItemCommand'], ['TransactWriteItemsCommand']];
  expect(responses).toEqual([responses[0], responses[0], responses[0]]);
  expect(trips).toEqual([calls, calls, calls]);
});

describe('the code', () => {
  test('has six digits, and is in the subject, the text and the HTML of one mail', async () => {
    const { email } = accounts.newAccount();
    const { status, body } = await send(email);
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, message: 'A code was sent. It is valid for 5 minutes.' });
    const mails = await mailsTo(email);
    const code = await codeSentTo(email);
    expect(code).toMatch(/^\d{6}$/);
    const shown = expect.stringContaining(code);
    expect(mails).toEqual([
      expect.objectContaining({ to: [email], subject: shown, text: shown, html: shown }),
    ]);
  });

  test('is stored as a keyed hash only, neither in plain text nor as a hash without key', async () => {
    const { email } = accounts.newAccount();
    const code = await accounts.requestCode(email);
    const item = await accounts.stored.code(email);
    const values = Object.values(item ?? {}).map((value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value),
    );
    expect(item?.codeHash).toHaveLength(32);
    for (const value of values)
      expect(value === code || (value.includes(code) && !/^\d+$/.test(value))).toBe(false);

    const known = [code, email, String(item?.codeId), 'device', String(item?.pk)];
    const pairs = known.flatMap((a) => known.map((b) => [a, b]));
    const texts = [
      ...known.map((one) => [one]),
      ...pairs,
      ...pairs.flatMap((two) => known.map((c) => [...two, c])),
    ]
      .filter((parts) => parts.includes(code))
      .flatMap((parts) => [...['', ':', '#', '|', ' '].map((by) => parts.join(by)), JSON.stringify(parts)]);
    const all = JSON.stringify(['device', email, item?.codeId, code]);
    for (const algorithm of ['sha256', 'sha512-256']) {
      for (const text of [...texts, all]) {
        const hashes = [
          createHash(algorithm).update(text).digest('hex'),
          ...['', ...known].map((key) => createHmac(algorithm, key).update(text).digest('hex')),
        ];
        for (const hash of hashes) expect(values.includes(hash)).toBe(false);
      }
    }
  });
});

describe('a mail that cannot be sent', () => {
  test.each(['Throttling', 'MessageRejected'])(
    'because of %s yields 500 Failed to send code with an audit id, and withdraws the code',
    async (name) => {
      const { email } = accounts.newAccount();
      const fault = failMail(() => refusedBySes(name));
      const { status, body, headers, text } = await send(email).finally(fault.restore);
      expect([status, body]).toEqual([500, { error: 'Failed to send code' }]);
      expect(headers['x-audit-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(text).not.toContain(name);
      const item = await accounts.stored.code(email);
      expect(item).toBeDefined();
      expect(item).not.toHaveProperty('codeHash');
      expect(await mailsTo(email)).toEqual([]);
      expect((await send(email)).status).toBe(200);
    },
  );

  test('does not withdraw a code stored by a concurrent request', async () => {
    const { email } = accounts.newAccount();
    let second: number | undefined;
    const fault = failMail(async (index) => {
      if (index > 0) return undefined;
      second = (await send(email)).status;
      return refusedBySes('Throttling');
    });
    const first = await send(email);
    fault.restore();
    expect([first.status, second]).toEqual([500, 200]);
    expect((await accounts.stored.code(email))?.codeHash).toHaveLength(32);
    expect(await mailsTo(email)).toHaveLength(1);
  });
});

test('a code whose answer of SES is lost is mailed once, and works', async () => {
  const { account } = await accounts.quarantinedAccount(accounts.newAccount());
  const before = (await mailsTo(account.email)).length;
  const fault = loseMailAnswers();
  const response = await send(account.email).finally(fault.restore);
  expect([response.status, response.body]).toEqual([500, { error: 'Failed to send code' }]);
  expect(await mailsTo(account.email)).toHaveLength(before + 1);
  expect((await account.verify(await codeSentTo(account.email))).body).toMatchObject({ success: true });
});

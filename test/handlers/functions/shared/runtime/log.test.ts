import { randomBytes } from 'node:crypto';
import { freshAddress } from '../../../../support/call.ts';
import { logged } from '../../../../support/logged.ts';
import { sharePayload } from '../../../../support/samples/requests.ts';

// Imported with these settings, because a logger keeps the settings of its creation.
let call: typeof import('../../../../support/call.ts').call;
let failTable: typeof import('../../../../support/faults.ts').failTable;

const settings = { POWERTOOLS_LOG_LEVEL: 'DEBUG', POWERTOOLS_METRICS_DISABLED: 'false' };
const before: Record<string, string | undefined> = {};

beforeAll(async () => {
  for (const [name, value] of Object.entries({ ...settings, POWERTOOLS_METRICS_NAMESPACE: 'Vouchsafe' })) {
    before[name] = process.env[name];
    process.env[name] = value;
  }
  vi.resetModules();
  ({ call } = await import('../../../../support/call.ts'));
  ({ failTable } = await import('../../../../support/faults.ts'));
});

afterAll(() => {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  vi.resetModules();
});

const secret = () => randomBytes(24).toString('base64');

describe('the log', () => {
  test('contains no share id, key, body, header or address, whatever the response', async () => {
    const secrets = [secret(), secret(), secret(), secret(), secret(), secret()] as const;
    const [data_blob, meta_blob, referrer, key, proof, receiptToken] = secrets;
    const sourceIp = freshAddress();
    const headers = {
      'Content-Type': 'application/json',
      Referer: `https://x/${referrer}`,
      Authorization: key,
      'x-share-proof': proof,
      'x-receipt-token': receiptToken,
    };
    const ids: string[] = [];
    const lines = await logged(async () => {
      const { body } = await call('shares.create', {
        body: { ...sharePayload, data_blob, meta_blob },
        headers,
        sourceIp,
      });
      ids.push(body.shareId);
      await call('shares.open', { query: { id: body.shareId }, headers, sourceIp });
      await call('shares.open', { query: { id: body.shareId }, headers, sourceIp });
      const receipted = await call('shares.create', { body: { ...sharePayload, receipt: true } });
      const token = receipted.body.receiptToken;
      ids.push(receipted.body.shareId, token);
      const withToken = { query: { id: receipted.body.shareId }, headers: { 'x-receipt-token': token } };
      for (const id of ['shares.receipt', 'shares.open', 'shares.burn']) await call(id, withToken);
      await call('shares.receipt', { query: { id: body.shareId }, headers, sourceIp });
      await call('shares.burn', { query: { id: body.shareId }, headers, sourceIp });
      await call('shares.create', { body: `{"data_blob":"${data_blob}"`, headers, sourceIp });
      await call('shares.create', { body: { data_blob: [data_blob] }, headers, sourceIp });
      const fault = failTable(() =>
        Object.assign(new Error('lost'), { Item: { data_blob }, id: body.shareId }),
      );
      await call('shares.open', { query: { id: body.shareId }, headers, sourceIp });
      fault.restore();
      for (let i = 0; i < 5; i += 1) await call('shares.create', { body: sharePayload, headers, sourceIp });
    });
    const all = lines.join('\n');
    for (const text of [...secrets, ...ids, sourceIp, sharePayload.data_blob])
      expect(all).not.toContain(text);
    for (const status of [200, 400, 404, 429, 500]) expect(all).toMatch(new RegExp(`"status": ?${status}`));
  });

  test('contains the cause of a 500 under the audit id of the response', async () => {
    const fault = failTable(() => new Error('the table is away', { cause: new Error('socket hang up') }));
    let auditId = '';
    const lines = await logged(async () => {
      auditId =
        (await call('shares.open', { query: { id: `m${'A'.repeat(22)}` } })).headers['x-audit-id'] ?? '';
    });
    fault.restore();
    const record = lines.map((line) => JSON.parse(line)).find(({ level }) => level === 'ERROR');
    expect(record).toMatchObject({
      auditId,
      status: 500,
      code: 'share_read_failed',
      cause: { message: 'the table is away', cause: { message: 'socket hang up' } },
    });
  });
});

test('a mail that is given up is one metric for all functions, as its alarm watches it', async () => {
  const { recordAlarm } = await import('../../../../../functions/shared/runtime/log.ts');
  const lines = await logged(async () =>
    recordAlarm('mail', 'MailsGivenUp', 'a mail was given up', { mail: 'alert', possibleCopies: 3 }),
  );
  const records = lines.map((line) => JSON.parse(line));
  const metric = records.find((record) => '_aws' in record);
  expect(metric).toMatchObject({ service: 'mail', MailsGivenUp: 1 });
  expect(metric._aws.CloudWatchMetrics).toMatchObject([
    { Namespace: 'Vouchsafe', Dimensions: [['service']] },
  ]);
  expect(records.find((record) => record.level === 'ERROR')).toMatchObject({
    mail: 'alert',
    possibleCopies: 3,
  });
});

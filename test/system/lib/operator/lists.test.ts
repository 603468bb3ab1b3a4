/** Lists: all pages, as JSON, as CSV and for people. */
import { localOperator } from './program.ts';

let operator: Awaited<ReturnType<typeof localOperator>>;
let applicationId: string;

beforeAll(async () => {
  operator = await localOperator();
  const { application } = await operator.json(['application', 'create', '--name', 'Lists']);
  applicationId = application._id;
  for (const id of ['first', 'second', 'third']) {
    const paid = ['--id', id, '--amount', '9.99', '--currency', 'EUR', '--reference', 'none'];
    await operator.json(['payment', 'record', applicationId, ...paid]);
  }
});

const list = (...options: string[]) => operator.run(['payment', 'list', applicationId, ...options]);

test('--all follows the cursors to the end, from a cursor on too', async () => {
  const { payments } = await operator.json(['payment', 'list', applicationId, '--all', '--limit', '1']);
  const whole = await operator.json(['payment', 'list', applicationId]);
  expect(payments).toHaveLength(3);
  expect(payments).toEqual(whole.payments);
  const { nextCursor } = await operator.json(['payment', 'list', applicationId, '--limit', '1']);
  const rest = ['payment', 'list', applicationId, '--all', '--limit', '1', '--cursor', nextCursor];
  expect((await operator.json(rest)).payments).toEqual(payments.slice(1));
  const events = await operator.json(['event', 'list', applicationId, '--all', '--limit', '2']);
  expect(events.events.length).toBeGreaterThan(2);
});

test('--all --csv is one file with one header', async () => {
  const whole = await list('--csv');
  const paged = await list('--csv', '--all', '--limit', '1');
  expect([paged.code, paged.err]).toEqual([0, '']);
  expect(paged.out).toBe(whole.out);
  expect(paged.out.split('\r\n')).toHaveLength(5);
});

test.each([
  ['--format', 'hledger', '--all'],
  ['--format', 'datev', '--all'],
  ['--format', 'datev', '--csv'],
])(
  'pages that have a head of their own are not joined, and one format is asked for: %j',
  async (...options) => {
    const { code, out } = await operator.run(['journal', applicationId, ...options]);
    expect([code, out]).toEqual([2, '']);
  },
);

test('webhooks of an application are listed by keys of the scope support, whichever kind of key they are for', async () => {
  const webhook = (type: string) =>
    operator.json([
      'webhook',
      'create',
      applicationId,
      '--endpoint',
      'https://hooks.example/a',
      '--type',
      type,
    ]);
  const made = [await webhook('link.verified'), await webhook('subscription.*')];
  const key = async (scope: string) => ({
    VOUCHSAFE_OPERATOR_KEY: (
      await operator.json(['operator-key', 'create', '--name', scope, '--scope', scope])
    ).secret,
  });
  const args = ['webhook', 'list', applicationId];
  const { webhooks } = await operator.json(args, await key('support'));
  expect(webhooks.map(({ _id }: { _id: string }) => _id)).toEqual(made.map((one) => one.webhook._id));
  expect((await operator.run(args, undefined, await key('finance'))).code).not.toBe(0);
});

test('payments are a table that fits the terminal, and what it lacks is named', async () => {
  const { out, err } = await list('--limit', '2');
  const lines = out.split('\n');
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  expect(lines[1]?.trim()).toMatch(/^ID +.*Amount +Currency +Status$/);
  expect(out).toContain('Hidden columns: ');
  expect(out).not.toContain('Next cursor');
  expect(err).toContain('For the next page: --cursor ');
});

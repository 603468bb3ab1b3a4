/** The journal of an application, in files for other programs. */
import { datev } from '../../../support/journal/datev.ts';
import { localOperator, runProgram } from './program.ts';

let operator: Awaited<ReturnType<typeof localOperator>>;
let applicationId: string;

beforeAll(async () => {
  operator = await localOperator();
  const settings = JSON.stringify({ paymentGateway: 'none', datev });
  const { application } = await operator.json([
    'application',
    'create',
    '--name',
    'A',
    '--settings',
    settings,
  ]);
  applicationId = application._id;
  const paid = ['--amount', '9.99', '--currency', 'EUR', '--reference', 'none'];
  for (const id of ['first', 'second'])
    await operator.json(['payment', 'record', applicationId, '--id', id, ...paid]);
});

const journal = (...options: string[]) => operator.run(['journal', applicationId, ...options]);

test.each([
  [['--csv'], /^record,bookedAt,.+\r\n(jrn_.+,bank,.+\r\n.+,unallocated,.+\r\n){2}$/],
  [['--format', 'hledger'], /^commodity EUR 1\.00\naccount assets:bank\n/],
  [
    ['--format', 'datev', '--from', 'today', '--to', 'today'],
    /^\uFEFF"EXTF";700;21;(?:.*\r\n)+9,99;"S";"EUR";/,
  ],
])('a journal is printed as the API returns it: %j', async (options, text) => {
  const today = new Date(await operator.now()).toISOString().slice(0, 'yyyy-mm-dd'.length);
  const { code, out, err } = await journal(...options.map((one) => one.replace('today', today)));
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(text);
});

test('a page is on standard output, and the cursor of the next one on standard error', async () => {
  const args = ['journal', applicationId, '--csv', '--limit', '1'];
  const { code, out, err } = await runProgram(args, { ...process.env, ...operator.env });
  expect(code).toBe(0);
  const [, cursor = ''] = /^\nFor the next page: --cursor (\S+)\n$/.exec(err) ?? [];
  const next = await journal('--csv', '--limit', '1', '--cursor', cursor);
  expect(next.err).toBe('');
  const whole = await journal('--csv');
  expect(`${out}${next.out.slice(next.out.indexOf('\n') + 1)}`).toBe(whole.out);
});

test('payments and credit notes are printed as CSV', async () => {
  const payments = await operator.run(['payment', 'list', applicationId, '--csv']);
  expect(payments.out.split('\r\n')).toHaveLength(4);
  const notes = await operator.run(['credit-note', 'list', applicationId, '--csv']);
  expect(notes.out).toMatch(/^\w+(,\w+)+\r\n$/);
});

test('a format that is refused prints the reason on standard error alone', async () => {
  const { code, out, err } = await journal('--format', 'datev');
  expect([code, out]).toEqual([6, '']);
  expect(err).toMatch(/^400 invalid_request: .+\n {2}from: must be a day for DATEV\n/);
  expect((await journal('--format', 'xml')).code).toBe(2);
  expect(await journal('--csv', '--json')).toMatchObject({ code: 2, out: '' });
});

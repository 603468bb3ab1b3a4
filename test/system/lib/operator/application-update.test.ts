import { beforeAll, expect, test } from 'vitest';
import { localOperator } from './program.ts';

let operator: Awaited<ReturnType<typeof localOperator>>;
let applicationId: string;

beforeAll(async () => {
  operator = await localOperator();
  const banking = { accountHolder: 'Seller', bankName: 'Bank', iban: 'DE02120300000000202051' };
  const settings = JSON.stringify({ paymentGateway: 'none', banking });
  const made = await operator.json(['application', 'create', '--name', 'Changed', '--settings', settings]);
  applicationId = made.application._id;
});

const run = (args: readonly string[], answer?: string, key?: string) =>
  operator.run(args, answer, key === undefined ? {} : { VOUCHSAFE_OPERATOR_KEY: key });
const update = (settings: object, answer?: string, ...more: string[]) =>
  run(['application', 'update', applicationId, '--settings', JSON.stringify(settings), ...more], answer);
const settings = async () =>
  JSON.parse((await run(['application', 'show', applicationId, '--json'])).out).application.settings;

test('an update of settings shows the difference, and changes nothing unless it is confirmed', async () => {
  const before = await settings();
  const { code, out, err } = await update({ paymentGateway: 'sandbox', banking: { iban: null } }, 'n');
  expect([code, out]).toEqual([1, '']);
  expect(err).toBe(
    [
      '- settings.paymentGateway: "none"',
      '+ settings.paymentGateway: "sandbox"',
      '- settings.banking.iban: "DE02120300000000202051"',
      'Nothing was done.\n',
    ].join('\n'),
  );
  expect(await settings()).toEqual(before);
});

test('a key is created for a person with scopes, is refused beyond them, and is revoked', async () => {
  const scopes = ['--scope', 'review', '--scope', 'support'];
  const made = await run(['operator-key', 'create', '--name', 'Rita', ...scopes, '--json']);
  const { keyId, secret } = JSON.parse(made.out);
  expect((await run(['review', 'list'], undefined, secret)).code).toBe(0);
  const refused = await run(['application', 'create', '--name', 'A'], undefined, secret);
  expect(refused.code).toBe(1);
  expect(refused.err).toContain('scope: admin');
  expect((await run(['operator-key', 'list'])).out).toContain('Rita');
  expect((await run(['operator-key', 'revoke', keyId, '--yes'])).code).toBe(0);
  expect((await run(['operator-key', 'list'])).out).not.toContain(keyId);
  const { history } = JSON.parse((await run(['audit', 'list', keyId, '--json'])).out);
  expect(history).toMatchObject([
    { event: 'revoked', by: { name: 'Local Operator' } },
    { event: 'created', by: { name: 'Local Operator' }, operatorKey: { name: 'Rita' } },
  ]);
});

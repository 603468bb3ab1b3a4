import { randomUUID } from 'node:crypto';
import { operations } from '../../../../lib/client/api/operations.ts';
import { described } from '../../../../lib/operator/operations.ts';
import { subscriptionClient } from '../../../support/subscriptions/stack.ts';
import { localOperator, operateHere } from './program.ts';

let operator: Awaited<ReturnType<typeof localOperator>>;
beforeAll(async () => {
  operator = await localOperator();
});

/** Runs a command with "n" as the answer to its question. */
async function refused(...args: string[]) {
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return 'n';
  };
  const { code, out, err } = await operateHere(args, operator.env, ask);
  expect([code, out]).toEqual([1, '']);
  return { asked, err };
}

test('an update of settings shows the difference, and changes nothing unless it is confirmed', async () => {
  const banking = { accountHolder: 'Seller', bankName: 'Bank', iban: 'DE02120300000000202051' };
  const before = JSON.stringify({ paymentGateway: 'none', banking });
  const { application } = await operator.json(['application', 'create', '--name', 'A', '--settings', before]);
  const after = JSON.stringify({ paymentGateway: 'sandbox', banking: { iban: null } });
  const { err } = await refused('application', 'update', application._id, '--settings', after);
  expect(err.split('\n')).toEqual([
    '- settings.paymentGateway: "none"',
    '+ settings.paymentGateway: "sandbox"',
    '- settings.banking.iban: "DE02120300000000202051"',
    'Nothing was done.',
    '',
  ]);
  const shown = await operator.json(['application', 'show', application._id]);
  expect(shown.application.settings).toEqual(application.settings);
});

test('an update of a plan shows the difference, and a removal asks', async () => {
  const { application } = await operator.json(['application', 'create', '--name', 'B']);
  const terms = ['--price', '9.99', '--currency', 'EUR', '--billing-cycle', 'monthly'];
  const { plan } = await operator.json(['plan', 'create', application._id, '--name', 'Plan', ...terms]);
  const update = await refused(
    'plan',
    'update',
    application._id,
    plan._id,
    '--price',
    '19.99',
    '--no-active',
  );
  expect(update.err).toBe(
    '- price: 9.99\n+ price: 19.99\n- isActive: true\n+ isActive: false\nNothing was done.\n',
  );
  expect(update.asked).toEqual(['Change the plan? [y/N] ']);
  const { asked } = await refused('operator-key', 'revoke', 'key_1');
  expect(asked).toEqual([expect.stringContaining('Revoke it? [y/N] ')]);
});

test('an update of a subscription shows the difference', async () => {
  const client = subscriptionClient(operator.env.VOUCHSAFE_URL);
  const seller = await client.application({ paymentGateway: 'none' }, 'C');
  await seller.client('anna');
  const { id } = await seller.subscribe('anna', await seller.plan());
  const { err } = await refused(
    ...['subscription', 'update', seller._id, id, '--no-auto-renew', '--reason', 'Asked by phone'],
  );
  expect(err).toBe('- autoRenew: true\n+ autoRenew: false\n+ reason: "Asked by phone"\nNothing was done.\n');
});

test('every removal asks a question of its own', () => {
  const removals = described.filter(({ id }) => operations[id].method === 'DELETE');
  expect(removals.length).toBeGreaterThan(3);
  for (const { id, question } of removals) expect([id, question]).toEqual([id, expect.anything()]);
});

test('a user is created without a question, and replaced after one', async () => {
  const userId = `user-${randomUUID()}`;
  const put = (status: string) => {
    const profile = ['--email', `${userId}@example.com`, '--name', 'Ann', '--status', status, '--verified'];
    return ['user', 'put', userId, ...profile];
  };
  expect((await operator.run(put('active'))).code).toBe(0);
  const { asked, err } = await refused(...put('suspended'));
  expect(err).toBe('- status: "active"\n+ status: "suspended"\nNothing was done.\n');
  expect(asked).toEqual(['Change the user? [y/N] ']);
  // Without a terminal it needs --yes.
  expect((await operator.run(put('suspended'))).code).toBe(2);
  expect((await operator.json(['user', 'show', userId])).user.status).toBe('active');
  expect((await operator.run(put('suspended'), 'y')).code).toBe(0);
});

test('user reset says what it will end, and does nothing unless the question is confirmed', async () => {
  const userId = `user-${randomUUID()}`;
  const profile = ['--email', `${userId}@example.com`, '--name', 'Ann', '--status', 'active', '--verified'];
  await operator.json(['user', 'put', userId, ...profile]);
  const args = ['user', 'reset', userId, '--devices', '--vault', '--reason', 'Lost'];
  const { asked, err } = await refused(...args);
  expect(err).toContain('Nothing was done.');
  expect(asked).toEqual([
    [
      'This ends:',
      '  every trusted device, session and token',
      '  the stored vault, for good, and its proof',
      'It cannot be undone. Reset the user? [y/N] ',
    ].join('\n'),
  ]);
  // Without a terminal it needs --yes.
  expect((await operator.run(args)).code).toBe(2);
  expect(await operator.json(['user', 'history', userId])).toMatchObject({
    history: [{ action: 'user.created' }],
  });
});

import { describe, expect, test } from 'vitest';
import { call } from '../../../support/call.ts';
import { asOperator, newApplication, newPlan } from '../../../support/samples/operator.ts';
import { newTenant } from '../../../support/tenants.ts';

const banking = { accountHolder: 'A', bankName: 'B', iban: 'DE02120300000000202051' };
/** A text is the whole body, as it is. */
const update = async (id: string, settings: unknown) => {
  const body = typeof settings === 'string' ? settings : { settings };
  return call('operator.application-update', await asOperator({ params: { id }, body }));
};
const settingsOf = async (id: string) =>
  (await call('operator.application-read', await asOperator({ params: { id } }))).body.application.settings;

describe('an update of the settings of an application', () => {
  test.each([
    ['keeps what it does not name', { paymentGateway: 'sandbox' }, { banking, paymentGateway: 'sandbox' }],
    ['removes with null', { banking: null }, {}],
    [
      'merges in depth',
      { banking: { iban: null, bic: 'X' } },
      { banking: { accountHolder: 'A', bankName: 'B', bic: 'X' } },
    ],
  ])('%s', async (_, patch, result) => {
    const { applicationId } = await newTenant({ banking });
    const { status, body } = await update(applicationId, patch);
    expect([status, body.application.settings]).toEqual([200, result]);
    expect(await settingsOf(applicationId)).toEqual(result);
  });

  test.each([
    ['the result is valid as a whole, not only the patch', { public: true }, 'settings.pkceOptional'],
    ['a required member stays', { banking: { bankName: null } }, 'settings.banking.bankName'],
    ['the setting exists', { gateway: 'stripe' }, 'settings.gateway'],
    ['it is an object', null, 'settings'],
    ['it is no list', [], 'settings'],
    ['texts are well-formed', { banking: { bankName: 'a\ud800' } }, 'settings.banking.bankName'],
    ['it is not too deep', `{"settings":{"trial":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_002)}`, 'settings'],
    ['it names no prototype', JSON.parse('{"__proto__": {"public": true}}'), 'settings'],
  ])('is refused unless %s, and changes nothing', async (_, patch, field) => {
    const before = { banking, pkceOptional: true };
    const { applicationId } = await newTenant(before);
    const { status, body } = await update(applicationId, patch);
    expect([status, body.error, Object.keys(body.details)]).toEqual([400, 'invalid_request', [field]]);
    expect(await settingsOf(applicationId)).toEqual(before);
  });

  test('loses nothing of what concurrent updates change', async () => {
    const { applicationId } = await newTenant({ banking });
    const patches = [
      { banking: { bic: '1' } },
      { banking: { iban: null } },
      ...['pay', 'cancel'].map((name) => ({ billingPage: { [name]: false } })),
      { checkoutMinutes: 60 },
    ];
    const answers = await Promise.all(patches.map((patch) => update(applicationId, patch)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await settingsOf(applicationId)).toEqual({
      banking: { accountHolder: 'A', bankName: 'B', bic: '1' },
      billingPage: { pay: false, cancel: false },
      checkoutMinutes: 60,
    });
  });
});

describe('warnings', () => {
  const codes = ({ body }: { body: { warnings: { code: string; message: string }[] } }) =>
    body.warnings.map(({ code }) => code);

  test.each([
    [{}, ['pkce_required', 'banking_missing']],
    [{ pkceOptional: true }, ['banking_missing']],
    [{ pkceOptional: true, banking }, []],
    [{ paymentGateway: 'stripe' }, ['pkce_required']],
    [{ public: true, paymentGateway: 'none', banking }, ['pkce_required']],
  ])(
    'a new application says that its codes need PKCE, and that an account is missing: %j',
    async (settings, expected) => {
      const body = { ...newApplication, settings };
      const answer = await call('operator.application-create', await asOperator({ body }));
      expect([answer.status, codes(answer)]).toEqual([201, expected]);
    },
  );

  test('a plan of an application, paid by bank transfer without an account, says so', async () => {
    const planOf = async (settings: object) => {
      const { applicationId: id } = await newTenant({ ...settings });
      return call('subscriptions.plan-create', await asOperator({ params: { id }, body: newPlan }));
    };
    expect(codes(await planOf({}))).toEqual(['banking_missing']);
    expect(codes(await planOf({ banking }))).toEqual([]);
    expect(codes(await planOf({ paymentGateway: 'stripe' }))).toEqual([]);
  });

  test('an application that is updated to bank transfers without an account says so', async () => {
    const { applicationId } = await newTenant({ paymentGateway: 'stripe' });
    expect(codes(await update(applicationId, { trial: { reminderDays: 1 } }))).toEqual([]);
    expect(codes(await update(applicationId, { paymentGateway: null }))).toEqual(['banking_missing']);
    expect(codes(await update(applicationId, { banking }))).toEqual([]);
  });
});

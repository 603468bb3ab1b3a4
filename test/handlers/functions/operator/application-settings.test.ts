import { describe, expect, test } from 'vitest';
import { call } from '../../../support/call.ts';
import { asOperator, newApplication } from '../../../support/samples/operator.ts';
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
});

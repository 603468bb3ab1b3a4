import { getApplication } from '../../../../functions/shared/accounts/applications.ts';
import { findSecret } from '../../../../functions/shared/auth/secrets.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { secretHash } from '../../../../functions/shared/contract/secret.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { call, germanSeller, newTenant } from '../../../support/call.ts';
import { datev } from '../../../support/journal/datev.ts';
import { asOperator, newApplication } from '../../../support/samples/operator.ts';

const create = async (body: object = {}) =>
  call('applications.create', await asOperator({ body: { ...newApplication, ...body } }));
const read = async (id: string) => call('applications.read', await asOperator({ params: { id } }));
const update = async (id: string, body: object) =>
  call('applications.update', await asOperator({ params: { id }, body }));

const bankingWith = (more: object) => ({
  settings: { banking: { accountHolder: 'A', bankName: 'B', ...more } },
});
const ratesOf = (country: string) => ({
  settings: { seller: germanSeller, tax: { rates: [{ country, percent: 24 }] } },
});
const datevWith = (accounts: object, rate?: object) => ({
  ...datev,
  accounts: { ...datev.accounts, ...accounts },
  rates: rate === undefined ? [] : [rate],
});

describe('creating an application', () => {
  test('returns the application and two valid secrets', async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    const { application, clientSecret, apiKey } = body;
    expect(application).toMatchObject({ ...newApplication, clientId: application._id });
    expect(application._id).toMatch(/^app_[0-9A-Z]{26}$/);
    expect(clientSecret).toMatch(/^vcs_[\w-]{22}$/);
    expect(apiKey).toMatch(/^vak_[\w-]{22}$/);
    const owner = { applicationId: application._id };
    expect(await findSecret('client_secret', clientSecret, Date.now())).toMatchObject(owner);
    expect(await findSecret('api_key', apiKey, Date.now())).toMatchObject(owner);
  });

  test('shows only the hints of keys, and stores no secret', async () => {
    const { body } = await create();
    const later = (await read(body.application._id)).body;
    expect(later).toEqual({ application: body.application });
    expect(later.application.keys).toEqual(
      [body.apiKey, body.clientSecret].map((secret) => ({
        keyId: expect.stringMatching(/^key_/),
        kind: secret === body.apiKey ? 'api_key' : 'client_secret',
        hint: `${secret.slice(0, 8)}…`,
        createdAt: expect.stringMatching(/Z$/),
      })),
    );
    const storedItems = [
      await getApplication(body.application._id),
      await getItem(keys.secret('api_key', secretHash(body.apiKey))),
      await getItem(keys.secret('client_secret', secretHash(body.clientSecret))),
    ];
    for (const secret of [body.clientSecret, body.apiKey]) {
      expect(JSON.stringify(storedItems)).not.toContain(secret);
      expect(JSON.stringify(later)).not.toContain(secret);
    }
  });

  test.each([
    ['a blank name', { name: '  ' }, 'name'],
    ['a name with a line break', { name: 'App\nVerified' }, 'name'],
    ['a redirect URI twice', { redirectUris: ['https://a.example/', 'https://a.example/'] }, 'redirectUris'],
    ['a wrong redirect URI', { redirectUris: ['http://a.example/'] }, 'redirectUris[0]'],
    ['an unknown setting within', { settings: { trial: { days: 3 } } }, 'settings.trial.days'],
    ['half an account', { settings: { banking: { bankName: 'B' } } }, 'settings.banking.accountHolder'],
    ['grace after the end', { settings: { dunning: { graceDays: 22 } } }, 'settings.dunning.endsAfterDays'],
    [
      'tax of a seller without a country',
      { settings: { tax: { rates: [{ country: 'DE', percent: 19 }] } } },
      'settings.seller',
    ],
    [
      'exchange rates of no national currency',
      { settings: { tax: { exchangeRates: [{ currency: 'USD', rate: 0.9, source: 'ECB' }] } } },
      'settings.tax.nationalCurrency',
    ],
    ['an IBAN with a wrong digit', bankingWith({ iban: 'DE02120300000000202052' }), 'settings.banking.iban'],
    ['a text for an IBAN', bankingWith({ iban: 'see our website' }), 'settings.banking.iban'],
    ['a text for a BIC', bankingWith({ bic: 'AB_CDE12' }), 'settings.banking.bic'],
    ['a rate for the prefix of Greece', ratesOf('EL'), 'settings.tax.rates[0].country'],
    ['a time zone that does not exist', { settings: { timeZone: 'Europe/Atlantis' } }, 'settings.timeZone'],
    ['an offset for a time zone', { settings: { timeZone: '+01:00' } }, 'settings.timeZone'],
    [
      'an account longer than DATEV has',
      { settings: { datev: datevWith({ bank: '18000' }) } },
      'settings.datev.accounts',
    ],
    [
      'an account of zeros',
      { settings: { datev: datevWith({ bank: '0000' }) } },
      'settings.datev.accounts.bank',
    ],
    [
      'a rate with an account longer than DATEV has',
      { settings: { datev: datevWith({}, { country: 'FR', kind: 'reverse_charge', revenue: '43360' }) } },
      'settings.datev.rates',
    ],
    ['neither secret nor PKCE', { settings: { public: true, pkceOptional: true } }, 'settings.pkceOptional'],
  ])('is refused with %s, and names the field', async (_, body, field) => {
    const response = await create(body);
    expect(response.status).toBe(400);
    expect(response.body.error).toBe('invalid_request');
    expect(Object.keys(response.body.details)).toEqual([field]);
  });
});

describe('changing an application', () => {
  test('replaces the given fields and keeps the rest, keys included', async () => {
    const { body } = await create();
    const { _id } = body.application;
    expect((await update(_id, { name: 'Renamed' })).body.application).toMatchObject({
      name: 'Renamed',
      redirectUris: newApplication.redirectUris,
      settings: newApplication.settings,
      keys: body.application.keys,
    });
    const settings = { pkceOptional: true };
    await update(_id, { redirectUris: [], settings });
    expect((await read(_id)).body.application).toMatchObject({ name: 'Renamed', redirectUris: [], settings });
    const merged = { ...newApplication.settings, ...settings };
    expect((await read(_id)).body.application.settings).toEqual(merged);
  });

  test('returns 404 for an unknown application, and creates none', async () => {
    expect((await update('app_none', { name: 'N' })).status).toBe(404);
    expect((await read('app_none')).body).toMatchObject({ error: 'not_found' });
  });
});

const banking = { accountHolder: 'A', bankName: 'B', iban: 'DE02120300000000202051' };
/** A text is the whole body, as it is. */
const updateSettings = async (id: string, settings: unknown) => {
  const body = typeof settings === 'string' ? settings : { settings };
  return call('applications.update', await asOperator({ params: { id }, body }));
};
const settingsOf = async (id: string) => (await read(id)).body.application.settings;

describe('an update of the settings of an application', () => {
  test.each([
    ['keeps what it does not name', { paymentGateway: 'sandbox' }, { banking, paymentGateway: 'sandbox' }],
    ['removes with null', { banking: null }, {}],
    [
      'merges in depth',
      { banking: { iban: null, bic: 'cobadeff' } },
      { banking: { accountHolder: 'A', bankName: 'B', bic: 'COBADEFF' } },
    ],
  ])('%s', async (_, patch, result) => {
    const { applicationId } = await newTenant({ banking });
    const { status, body } = await updateSettings(applicationId, patch);
    expect([status, body.application.settings]).toEqual([200, result]);
    expect(await settingsOf(applicationId)).toEqual(result);
  });

  test.each([
    ['the result is valid as a whole, not only the patch', { public: true }, 'settings.pkceOptional'],
    ['a required member stays', { banking: { bankName: null } }, 'settings.banking.bankName'],
    ['the setting exists', { gateway: 'stripe' }, 'settings.gateway'],
    ['it is not too deep', `{"settings":{"trial":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_002)}`, 'settings'],
    ['it names no prototype', JSON.parse('{"__proto__": {"public": true}}'), 'settings'],
    ['it names none within', JSON.parse('{"banking": {"__proto__": {"iban": null}}}'), 'settings'],
  ])('is refused unless %s, and changes nothing', async (_, patch, field) => {
    const before = { banking, pkceOptional: true };
    const { applicationId } = await newTenant(before);
    const { status, body } = await updateSettings(applicationId, patch);
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
    [ratesOf('DE').settings, ['pkce_required', 'banking_missing', 'tax_without_rate']],
    [{ pkceOptional: true, banking }, []],
    [{ paymentGateway: 'stripe' }, ['pkce_required']],
    [{ public: true, paymentGateway: 'none', banking }, ['pkce_required']],
  ])(
    'a new application says that its codes need PKCE, and that an account is missing: %j',
    async (settings, expected) => {
      const body = { ...newApplication, settings };
      const answer = await call('applications.create', await asOperator({ body }));
      expect([answer.status, codes(answer)]).toEqual([201, expected]);
    },
  );
});

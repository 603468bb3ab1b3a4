import { describe, expect, test } from 'vitest';
import { getApplication } from '../../../../functions/shared/accounts/applications.ts';
import { findSecret } from '../../../../functions/shared/auth/secrets.ts';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { secretHash } from '../../../../functions/shared/contract/secret.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { call } from '../../../support/call.ts';
import { countCalls, failTable } from '../../../support/faults.ts';
import { asOperator, newApplication } from '../../../support/samples/operator.ts';
import { newTenant } from '../../../support/tenants.ts';

const create = async (body: object = {}) =>
  call('operator.application-create', await asOperator({ body: { ...newApplication, ...body } }));
const read = async (id: string) => call('operator.application-read', await asOperator({ params: { id } }));
const update = async (id: string, body: object) =>
  call('operator.application-update', await asOperator({ params: { id }, body }));

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

  test('stores neither application nor secret when the transaction fails', async () => {
    const request = await asOperator({ body: newApplication });
    const commands = await countCalls(() => call('operator.application-create', request));
    expect(commands.filter((command) => !command.includes('Get'))).toHaveLength(1);
    const lost: { Put?: { Item?: { pk: string; sk: string } } }[] = [];
    const fault = failTable((command, _, input) => {
      if (!command.includes('TransactWrite')) return undefined;
      lost.push(...(input as { TransactItems: typeof lost }).TransactItems);
      return new Error('lost');
    });
    try {
      expect((await call('operator.application-create', request)).status).toBe(500);
    } finally {
      fault.restore();
    }
    // The application, its two keys and the audit record.
    expect(lost).toHaveLength(4);
    for (const { Put } of lost) {
      const { pk, sk } = Put?.Item ?? { pk: '', sk: '' };
      expect(await getItem({ pk, sk })).toBeUndefined();
    }
  });

  test.each([
    ['no name', { name: '' }, 'name'],
    ['a blank name', { name: '  ' }, 'name'],
    ['a name that reverses text', { name: 'App \u202e' }, 'name'],
    ['a name with a line break', { name: 'App\nVerified' }, 'name'],
    ['a name over 100 characters', { name: 'x'.repeat(101) }, 'name'],
    [
      '21 redirect URIs',
      { redirectUris: Array.from({ length: 21 }, (_, i) => `https://a.example/${i}`) },
      'redirectUris',
    ],
    ['a redirect URI twice', { redirectUris: ['https://a.example/', 'https://a.example/'] }, 'redirectUris'],
    [
      'a wrong redirect URI',
      { redirectUris: ['https://a.example/', 'http://a.example/'] },
      'redirectUris[1]',
    ],
    ['an unknown setting', { settings: { gateway: 'stripe' } }, 'settings.gateway'],
    ['an unknown gateway', { settings: { paymentGateway: 'paypal' } }, 'settings.paymentGateway'],
    ['an unknown setting within', { settings: { trial: { days: 3 } } }, 'settings.trial.days'],
    [
      'half of the banking details',
      { settings: { banking: { bankName: 'B' } } },
      'settings.banking.accountHolder',
    ],
    [
      'reminders out of order',
      { settings: { dunning: { reminderDays: [3, 2] } } },
      'settings.dunning.reminderDays',
    ],
    [
      'reminders after the end',
      { settings: { dunning: { endsAfterDays: 14 } } },
      'settings.dunning.endsAfterDays',
    ],
    ['grace after the end', { settings: { dunning: { graceDays: 22 } } }, 'settings.dunning.endsAfterDays'],
    [
      'a checkout that no gateway keeps open',
      { settings: { checkoutMinutes: 29 } },
      'settings.checkoutMinutes',
    ],
    [
      'a client without secret and PKCE',
      { settings: { public: true, pkceOptional: true } },
      'settings.pkceOptional',
    ],
  ])('is refused with %s, and names the field', async (_, body, field) => {
    const response = await create(body);
    expect(response.status).toBe(400);
    expect(response.body.error).toBe('invalid_request');
    expect(Object.keys(response.body.details)).toEqual([field]);
  });

  test('accepts every setting', async () => {
    const settings = {
      paymentGateway: 'sandbox',
      banking: { accountHolder: 'A', bankName: 'B', iban: 'DE02120300000000202051', bic: 'BYLADEM1001' },
      dunning: { reminderDays: [0, 5], endsAfterDays: 10, graceDays: 10 },
      trial: { oncePerClient: false, reminderDays: 1 },
      invoices: { renewalDays: 14, dueDays: 30 },
      pendingAccess: 'restricted',
      checkoutMinutes: 60,
      public: true,
    };
    const { status, body } = await create({ settings });
    expect([status, body.application.settings]).toEqual([201, settings]);
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

  test('loses nothing under concurrent changes of different fields and keys', async () => {
    const { applicationId: id } = await newTenant();
    const key = asOperator({ params: { id }, body: { kind: 'api_key' } });
    const responses = await Promise.all([
      update(id, { name: 'Raced' }),
      update(id, { redirectUris: ['https://raced.example/'] }),
      update(id, { settings: { public: true } }),
      call('operator.key-create', await key),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 201]);
    const { application } = (await read(id)).body;
    expect(application).toMatchObject({
      name: 'Raced',
      redirectUris: ['https://raced.example/'],
      settings: { public: true },
    });
    expect(application.keys).toHaveLength(3);
  });

  test('returns 404 for an unknown application, and creates none', async () => {
    expect((await update('app_none', { name: 'N' })).status).toBe(404);
    expect((await read('app_none')).body).toMatchObject({ error: 'not_found' });
  });
});

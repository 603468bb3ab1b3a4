import { getApplication } from '../../../../functions/shared/accounts/applications.ts';
import { findSecret } from '../../../../functions/shared/auth/secrets.ts';
import type { OperatorScope } from '../../../../functions/shared/contract/operator-scopes.ts';
import { minuteMs } from '../../../../functions/shared/runtime/clock.ts';
import { bearer, call, good, newTenant } from '../../../support/call.ts';
import { failTable } from '../../../support/faults.ts';
import { loggedInFull } from '../../../support/logged.ts';
import { actionsOn, signedIn } from '../../../support/samples/console.ts';
import { operationFields, recordForm, sendForm } from '../../../support/samples/console-operations.ts';
import { failedDelivery } from '../../../support/samples/deliveries.ts';
import {
  developerForm,
  formsIn,
  keyIdOf,
  openDeveloper,
  sendDeveloper,
} from '../../../support/samples/developers.ts';
import { browse, type PageResponse } from '../../../support/samples/forms.ts';
import { asOperator, newApplication } from '../../../support/samples/operator.ts';

const hostile = '<script>alert(1)</script>"\'';

const stored = async (applicationId: string) => {
  const application = await getApplication(applicationId);
  if (application === undefined) throw new Error(`no ${applicationId}`);
  return application;
};

const keyIds = async (applicationId: string) => Object.keys((await stored(applicationId)).keys);

/** A new application with the session of an operator, and its forms. */
async function opened(settings: Record<string, unknown> = {}, ...scopes: OperatorScope[]) {
  const { applicationId, apiKey } = await newTenant(settings);
  const headers = await signedIn(...scopes);
  const request = (action: string, filled: Record<string, string> = {}) =>
    developerForm(headers, { applicationId }, { operation: action }, filled);
  const send = async (action: string, filled: Record<string, string> = {}) =>
    sendDeveloper(await request(action, filled));
  const open = () => openDeveloper(headers, { applicationId });
  return { applicationId, apiKey, headers, request, send, open };
}

const secretIn = ({ text }: PageResponse) => /v[ac][ks]_[\w-]{22}/.exec(text)?.[0] ?? '';

describe('the list of applications', () => {
  const list = async (query: Record<string, string>, ...scopes: OperatorScope[]) =>
    browse('console-developers.list', { headers: await signedIn(...scopes), query });

  test('has links to their pages, a search, and a filter by the time of the creation', async () => {
    const created = good(await call('applications.create', await asOperator({ body: newApplication })));
    const { _id } = created.application;
    const { status, text } = await list({}, 'support');
    expect(status).toBe(200);
    expect(text).toContain(`<a href="../console/developers/${_id}">`);
    expect(text).toContain('action="../console/search"');
    const today = new Date().toISOString().slice(0, 10);
    expect((await list({ from: today, to: today }, 'support')).text).toContain(_id);
    expect((await list({ from: '', to: '2020-01-01' }, 'support')).text).toContain('No applications.');
  });

  test('says which filter is not possible', async () => {
    const wrong = await list({ from: hostile }, 'support');
    expect([wrong.status, wrong.text.includes('must be a day such as')]).toEqual([400, true]);
    expect(wrong.text).not.toContain('<script');
    const reversed = await list({ from: '2026-02-01', to: '2026-01-01' }, 'support');
    expect([reversed.status, reversed.text.includes('must not be after')]).toEqual([400, true]);
  });

  test('goes on page by page', async () => {
    for (let n = 0; n < 26; n += 1)
      await call('applications.create', await asOperator({ body: newApplication }));
    const first = await list({}, 'support');
    const [, cursor = ''] = /cursor=([^"&]+)"/.exec(first.text) ?? [];
    const ids = ({ text }: PageResponse): string[] =>
      [...text.matchAll(/developers\/(app_\w{26})/g)].map(([, id = '']) => id);
    expect(ids(first)).toHaveLength(25);
    const second = ids(await list({ cursor: decodeURIComponent(cursor) }, 'support'));
    expect(second.length).toBeGreaterThan(0);
    expect(second.filter((id) => ids(first).includes(id))).toEqual([]);
  });
});

describe('the page of an application', () => {
  test('shows its keys with their last use, and never a secret', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 9, 5, 12, 30) });
    const { applicationId, apiKey, open } = await opened({}, 'support');
    expect((await open()).text.match(/none in 90 days/g)).toHaveLength(3);
    await call('webhooks.webhook-list', { headers: bearer(apiKey) });
    vi.setSystemTime(Date.now() + minuteMs);
    const { text } = await open();
    expect(text.match(/none in 90 days/g)).toHaveLength(2);
    expect(text).toMatch(/data-title="Last use" dir="auto">5 October 2026, 12:30 UTC</);
    expect(text).toContain(`>${apiKey.slice(0, 8)}…<`);
    expect(text).not.toContain(apiKey);
    expect(text).toContain('Client secret: 1 of 2. API key: 1 of 2');
    for (const keyId of await keyIds(applicationId)) expect(text).toContain(keyId);
  });

  test('shows how much of the limit is used, and the last refusal', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 9, 5, 12, 30) });
    vi.stubEnv('APPLICATION_REQUESTS_PER_SECOND', '1');
    const { apiKey, open } = await opened({}, 'support');
    await call('webhooks.webhook-list', { headers: bearer(apiKey) });
    await call('webhooks.webhook-list', { headers: bearer(apiKey) });
    const { text } = await open();
    expect(text).toContain('<dt>In the last second</dt><dd dir="auto">1 of 1</dd>');
    expect(text).toContain(
      '<dt>Last refusal</dt><dd dir="auto"><time datetime="2026-10-05T12:30:00.000Z">5 October 2026, 12:30 UTC</time></dd>',
    );
  });

  test('shows what differs from the defaults, and the rest behind it', async () => {
    const { open } = await opened({ dunning: { graceDays: 3, endsAfterDays: 21 }, timeZone: 'UTC' });
    const [before = '', after = ''] = (await open()).text.split('<summary>All others');
    expect(before).toMatch(/>dunning\.graceDays<.*>3<.*>7</);
    expect(before).not.toContain('dunning.endsAfterDays');
    expect(after).toMatch(/>dunning\.endsAfterDays<.*>21<.*>21</);
    expect(after).toContain('>timeZone<');
  });

  test('shows webhooks with their state and the delivery of their newest event', async () => {
    const { owner, webhookId } = await failedDelivery();
    const { applicationId } = owner;
    const { text } = await openDeveloper(await signedIn('support'), { applicationId });
    expect(text).toContain(`console/developers/${applicationId}/webhooks/${webhookId}">`);
    expect(text).toContain('data-title="Status" dir="auto"><span class="badge">active<');
    expect(text).toMatch(
      /data-title="Newest event"[^>]*><time [^>]*>[^<]*<\/time>.*<span class="badge alarm">failed<\/span>: exhausted</,
    );
  });

  test('has forms for the scope admin alone', async () => {
    const { applicationId, open } = await opened();
    const page = (await open()).text;
    const operations = formsIn(page).map(({ operation }) => operation);
    expect(operations).toEqual(expect.arrayContaining(['key-revoke', 'key-create']));
    expect(page).toContain('service=applications&amp;operation=update');
    const { text } = await openDeveloper(await signedIn('support'), { applicationId });
    expect(formsIn(text).flatMap(({ operation = [] }) => operation)).toEqual([]);
    expect(text).not.toContain('operation=update');
  });

  test.each(['app_none', 'a'.repeat(128), hostile, '../audit'])(
    'of no application %s is not found',
    async (id) => {
      const answer = await openDeveloper(await signedIn('support'), { applicationId: id });
      expect([answer.status, answer.text.includes('There is no such record')]).toEqual([404, true]);
      expect(answer.text).not.toContain('<script');
    },
  );

  test('shows hostile texts as texts', async () => {
    const { applicationId } = await newTenant({ banking: { accountHolder: hostile, bankName: hostile } });
    const { text } = await openDeveloper(await signedIn(), { applicationId });
    expect(text).not.toContain('<script');
    expect(text).toContain('&lt;script&gt;alert(1)');
  });
});

describe('a new key', () => {
  test('is shown once, is in no address and no log, and is recorded with the reason', async () => {
    const { applicationId, send, open } = await opened();
    let answer: PageResponse | undefined;
    const lines = await loggedInFull(async () => {
      answer = await send('key-create', { 'body.kind': 'api_key', 'body.expiresInDays': '30' });
    });
    if (answer === undefined) throw new Error('no answer');
    const secret = secretIn(answer);
    expect([answer.status, answer.headers.location]).toEqual([200, undefined]);
    expect(answer.headers['cache-control']).toBe('no-store');
    const found = await findSecret('api_key', secret, Date.now());
    expect(found).toMatchObject({ applicationId, keyId: expect.stringMatching(/^key_/) });
    expect(lines.join('\n')).not.toContain(secret);
    expect((await open()).text).not.toContain(secret);
    expect(await actionsOn(applicationId)).toEqual([
      expect.objectContaining({
        action: 'application.key_created',
        by: expect.objectContaining({ name: 'Olga Operator' }),
        reason: 'The developer asked for it.',
        key: { id: found?.keyId, kind: 'api_key' },
      }),
    ]);
  });

  test('is created once by a form that is sent again, and its secret is not shown again', async () => {
    const { applicationId, request } = await opened();
    const form = await request('key-create', { 'body.kind': 'client_secret' });
    const first = await sendDeveloper(form);
    const again = await sendDeveloper(form);
    expect([first.status, again.status]).toEqual([200, 409]);
    const created = (await keyIds(applicationId)).find((keyId) => first.text.includes(keyId)) ?? 'none';
    expect(again.text).toContain(created);
    expect(secretIn(again)).toBe('');
    expect(await keyIds(applicationId)).toHaveLength(3);
    expect(await actionsOn(applicationId)).toHaveLength(1);
  });

  test('is not created with other entries of the same form, or beyond two of a kind', async () => {
    const { applicationId, request, send, open } = await opened();
    const form = await request('key-create', { 'body.kind': 'api_key' });
    expect((await sendDeveloper(form)).status).toBe(200);
    const other = Object.assign({}, form, { body: String(form.body).replace('api_key', 'client_secret') });
    const mismatch = await sendDeveloper(other);
    expect([mismatch.status, mismatch.text.includes('with different values')]).toEqual([409, true]);
    const third = await send('key-create', { 'body.kind': 'api_key' });
    expect([third.status, third.text.includes('revoke one first')]).toEqual([409, true]);
    expect((await open()).text).toContain('<input type="hidden" name="body.kind" value="client_secret">');
    expect(await keyIds(applicationId)).toHaveLength(3);
  });

  test.each<Record<string, string>>([
    { 'body.kind': 'operator_key' },
    { 'body.kind': '' },
    { 'body.kind': 'api_key', 'body.expiresInDays': '0' },
    { 'body.kind': 'api_key', 'body.expiresInDays': '3651' },
    { 'body.kind': 'api_key', 'body.expiresInDays': hostile },
    { 'body.kind': 'api_key', once: '' },
    { 'body.kind': 'api_key', reason: '' },
  ])('is not created from %j', async (filled) => {
    const { applicationId, send } = await opened();
    const { status, text } = await send('key-create', filled);
    expect([400, 422]).toContain(status);
    expect(text).not.toContain('<script');
    expect(await keyIds(applicationId)).toHaveLength(2);
    expect(await actionsOn(applicationId)).toEqual([]);
  });
});

describe('a key', () => {
  test('is revoked once, however often its form is sent, with one record in the same transaction', async () => {
    const { applicationId, request } = await opened();
    const keyId = await keyIdOf({ applicationId });
    const form = await request('key-revoke', { 'path.keyId': keyId });
    const transactions: number[] = [];
    const { restore } = failTable((_command, _index, input) => {
      const { TransactItems = [] } = input as { TransactItems?: { Put?: { Item: { pk: string } } }[] };
      const records = TransactItems.filter(({ Put }) => Put?.Item.pk.startsWith('AUDIT#'));
      if (TransactItems.length > 0) transactions.push(records.length);
      return undefined;
    });
    const answers: PageResponse[] = [];
    try {
      answers.push(...(await Promise.all([sendDeveloper(form), sendDeveloper(form)])));
    } finally {
      restore();
    }
    answers.push(await sendDeveloper(form));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(new Set(transactions)).toEqual(new Set([1]));
    expect(await keyIds(applicationId)).not.toContain(keyId);
    expect(await actionsOn(applicationId)).toEqual([
      expect.objectContaining({
        action: 'application.key_revoked',
        reason: 'The developer asked for it.',
        key: { id: keyId, kind: 'api_key' },
      }),
    ]);
  });

  test('of another application stays', async () => {
    const { send } = await opened();
    const other = await newTenant();
    const keyId = await keyIdOf(other);
    await send('key-revoke', { 'path.keyId': keyId });
    expect(await keyIds(other.applicationId)).toContain(keyId);
    expect(await actionsOn(other.applicationId)).toEqual([]);
  });
});

describe('the settings', () => {
  const banking = { accountHolder: 'Ann', bankName: 'Bank' };
  const update = 'applications.update';

  /** The form of a new application, with its settings. */
  async function settingsForm(settings: Record<string, unknown> = {}) {
    const { applicationId } = await newTenant(settings);
    const headers = await signedIn();
    const { fields, text } = await recordForm(update, headers, { 'path.id': applicationId });
    const send = (sent: Record<string, string>) => sendForm(update, headers, sent);
    const preview = async (filled: Record<string, string>) => {
      const shown = await send({ ...fields, ...filled });
      return { ...shown, form: { ...operationFields(shown.text, 'update'), reason: 'They asked for it.' } };
    };
    return { applicationId, fields, text, send, preview };
  }
  const changed = { 'body.settings.dunning.graceDays': '3' };
  const emptied = {
    'body.settings.banking.accountHolder': '',
    'body.settings.banking.bankName': '',
  };

  test('are fields with their values, their help and their defaults', async () => {
    const { fields, text } = await settingsForm({ banking, dunning: { reminderDays: [1, 5] } });
    expect(fields).toMatchObject({
      'body.settings.banking.bankName': 'Bank',
      'body.settings.dunning.reminderDays': '1\n5',
      'body.settings.dunning.graceDays': '',
    });
    expect(text).toContain('Days after the end of the term for which access stays full. Default: 7.');
    expect(text).toContain('Default: 0, 2, 7, 14.');
  });

  test('are changed after their difference was shown, with the former ones in the record', async () => {
    const { applicationId, preview, send } = await settingsForm({ banking });
    const shown = await preview({ ...changed, ...emptied });
    expect(shown.status).toBe(200);
    expect(shown.text).toMatch(/>settings\.dunning\.graceDays<.*<del>default: 7<\/del>.*<ins>3<\/ins>/);
    expect(shown.text).toMatch(/>settings\.banking\.bankName<.*<del>Bank<\/del>.*<ins>none<\/ins>/);
    expect(shown.text).toContain('invoices, mails and pages do not say to which account');
    expect((await stored(applicationId)).settings).toEqual({ banking });
    expect(await actionsOn(applicationId)).toEqual([]);
    expect((await send(shown.form)).status).toBe(303);
    expect((await stored(applicationId)).settings).toEqual({ dunning: { graceDays: 3 } });
    expect(await actionsOn(applicationId)).toEqual([
      expect.objectContaining({
        action: 'application.changed',
        before: { settings: { banking } },
        reason: 'They asked for it.',
      }),
    ]);
  });

  test('are changed once by two clicks at the same time, and a form that is sent again changes nothing', async () => {
    const { applicationId, preview, send } = await settingsForm();
    const { form } = await preview(changed);
    const answers = await Promise.all(Array.from({ length: 3 }, () => send(form)));
    answers.push(await send(form));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    expect(await actionsOn(applicationId)).toHaveLength(1);
  });

  test('that were changed meanwhile stay, and the new difference is shown', async () => {
    const { applicationId, preview, send } = await settingsForm();
    const { form } = await preview(changed);
    const body = { settings: { dunning: { graceDays: 5 } } };
    good(await call('applications.update', await asOperator({ params: { id: applicationId }, body })));
    const stale = await send(form);
    expect(stale.status).toBe(409);
    expect(stale.text).toContain('The record was changed after the page was shown.');
    expect(stale.text).toMatch(/<del>5<\/del>.*<ins>3<\/ins>/);
    expect((await stored(applicationId)).settings).toEqual(body.settings);
    const again = { ...operationFields(stale.text, 'update'), reason: 'They asked for it.' };
    expect((await send(again)).status).toBe(303);
    expect((await stored(applicationId)).settings).toEqual({ dunning: { graceDays: 3 } });
  });

  test('that nobody touches stay, also those of another person meanwhile', async () => {
    const { applicationId, preview, send } = await settingsForm({ dunning: { graceDays: 3 } });
    const body = { settings: { dunning: { graceDays: 10 }, trial: { reminderDays: 5 } } };
    good(await call('applications.update', await asOperator({ params: { id: applicationId }, body })));
    const { text, form } = await preview({ 'body.name': 'Renamed' });
    expect(text).toMatch(/<ins>Renamed<\/ins>/);
    expect(text).not.toContain('>settings.dunning.graceDays<');
    expect((await send(form)).status).toBe(303);
    const { name, settings } = await stored(applicationId);
    expect([name, settings]).toEqual(['Renamed', body.settings]);
  });

  test('are taken away one by one, and a list as a whole', async () => {
    const rates = [
      { country: 'DE', percent: 19 },
      { country: 'AT', percent: 20 },
    ];
    const seller = {
      legalName: 'Seller',
      address: { line1: 'Street 1', city: 'Berlin', postalCode: '10115', country: 'DE' },
    };
    const { applicationId, fields, preview, send } = await settingsForm({ seller, banking, tax: { rates } });
    const emptiedRate = Object.fromEntries(
      Object.keys(fields)
        .filter((name) => name.startsWith('body.settings.tax.rates.1.'))
        .map((name) => [name, '']),
    );
    const { form } = await preview({ ...emptiedRate, 'body.settings.seller.legalName': 'Seller GmbH' });
    expect((await send(form)).status).toBe(303);
    expect((await stored(applicationId)).settings).toEqual({
      seller: { ...seller, legalName: 'Seller GmbH' },
      banking,
      tax: { rates: rates.slice(0, 1) },
    });
  });

  test('that would stay as they are have no form', async () => {
    const { fields, send } = await settingsForm({
      timeZone: 'UTC',
      dunning: { graceDays: 3, reminderDays: [] },
      datev: { rates: [{ country: 'DE', kind: 'reverse_charge', revenue: '8337' }] },
      banking,
    });
    const { status, text } = await send(fields);
    expect([status, text.includes('No changes')]).toEqual([200, true]);
    expect(text).not.toContain('value="confirm"');
  });

  test.each([
    ['dunning.graceDays', '400', 'must be at most 365'],
    ['dunning.graceDays', 'soon', 'must be'],
    ['dunning.endsAfterDays', '3', 'must be later than the last reminder'],
    ['timeZone', '<script>', 'must be the name of a time zone'],
    ['paymentGateway', 'sandbox', 'must not be sandbox'],
    ['banking.iban', 'DE00', 'must'],
  ])('are not changed by %s %s, and the entry can be corrected', async (name, value, problem) => {
    vi.stubEnv('SANDBOX_GATEWAY', 'false');
    const { applicationId, fields, send } = await settingsForm();
    for (const step of ['', 'confirm']) {
      const filled = { [`body.settings.${name}`]: value, step, reason: 'They asked for it.' };
      const { status, text } = await send({ ...fields, ...filled });
      expect(status).toBe(422);
      expect(text).toMatch(new RegExp(`body\\.settings\\.${name}-error" role="alert">[^<]*${problem}`));
      expect(text).not.toContain('<script>');
      expect(text).toContain(`name="body.settings.${name}"`);
    }
    expect(await actionsOn(applicationId)).toEqual([]);
  });

  test('are not changed without a reason', async () => {
    const { applicationId, preview, send } = await settingsForm();
    const { form } = await preview(changed);
    const refused = await send({ ...form, reason: '' });
    expect([refused.status, refused.text.includes('is required')]).toEqual([422, true]);
    expect((await stored(applicationId)).settings).toEqual({});
    const corrected = { ...operationFields(refused.text, 'update'), reason: 'They asked for it.' };
    expect((await send(corrected)).status).toBe(303);
    expect((await stored(applicationId)).settings).toEqual({ dunning: { graceDays: 3 } });
  });
});

test('the forms of an application leave nothing when the transaction fails', async () => {
  const { applicationId, request } = await opened();
  const form = await request('key-create', { 'body.kind': 'api_key' });
  const { restore } = failTable((command) =>
    command === 'TransactWriteItemsCommand' ? new Error('the connection broke') : undefined,
  );
  try {
    expect((await sendDeveloper(form)).status).toBe(500);
  } finally {
    restore();
  }
  expect(await keyIds(applicationId)).toHaveLength(2);
  expect(await actionsOn(applicationId)).toEqual([]);
  expect((await sendDeveloper(form)).status).toBe(200);
});

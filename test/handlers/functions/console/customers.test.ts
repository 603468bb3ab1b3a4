import { customerPage } from '../../../../functions/console/customer-show.ts';
import { readCustomer } from '../../../../functions/console/customers/read-customer.ts';
import { addressesFrom } from '../../../../functions/console/pages/visit.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { formatDate } from '../../../../functions/shared/html/text.ts';
import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
import { queryItems } from '../../../../functions/shared/table/query.ts';
import { call, good, newSeller, putItem } from '../../../support/call.ts';
import { failTable } from '../../../support/faults.ts';
import { actionsOn, signedIn } from '../../../support/samples/console.ts';
import {
  actOf,
  type Customer,
  type CustomerForm,
  formsOf,
  newCustomer,
  openCustomer,
  send,
} from '../../../support/samples/customers.ts';
import { browse } from '../../../support/samples/forms.ts';
import { asOperator, newApplication } from '../../../support/samples/operator.ts';

const hostile = '<script>alert(1)</script>"\'';
const escaped = '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;';

const stateOf = async ({ seller, id }: Customer) => good(await seller.details(id)).subscription;

const linkOf = async ({ seller, id }: Customer, body = {}) =>
  good(await call('portal.link', { headers: seller.headers, params: { id }, body })).billingUrl;

/** The mails with a link in the outbox. */
const linkMails = async ({ id }: Customer) =>
  (await queryItems(keys.subscriptionPartition(id), 'OUTBOX#billing_link')).length;

describe('the list of customers', () => {
  test('shows the applications, and then the subscriptions of one, newest first', async () => {
    const { seller, externalId } = await newCustomer('active');
    const second = await seller.subscribed('pending');
    const headers = await signedIn('finance');
    const body = Object.assign({}, newApplication, { name: hostile });
    const { application } = good(await call('applications.create', await asOperator({ body })));
    const applications = await browse('console.customer-list', { headers });
    expect(applications.text).toContain(`/console/customers?application=${application._id}">${escaped}</a>`);
    const query = { application: seller.applicationId };
    const { text } = await browse('console.customer-list', { headers, query });
    expect(text.indexOf(second.externalId)).toBeGreaterThan(0);
    expect(text.indexOf(externalId)).toBeGreaterThan(text.indexOf(second.externalId));
    const pending = await browse('console.customer-list', {
      headers,
      query: { ...query, status: 'pending' },
    });
    expect(pending.text).toContain(second.externalId);
    expect(pending.text).not.toContain(externalId);
    expect(pending.text).toMatch(/<option value="pending" selected>pending</);
  });

  test('goes on after its page, without a subscription twice', async () => {
    const seller = await newSeller();
    const planId = await seller.newPlan();
    const externalIds: string[] = [];
    for (let n = 0; n < 27; n += 1) {
      const externalId = await seller.newClient();
      good(await seller.subscribe({ body: { externalId, planId } }));
      externalIds.push(externalId);
    }
    const headers = await signedIn('finance');
    const query = { application: seller.applicationId };
    const first = await browse('console.customer-list', { headers, query });
    const cursor = /cursor=([\w-]+)/.exec(first.text)?.[1] ?? '';
    const second = await browse('console.customer-list', { headers, query: { ...query, cursor } });
    const shown = (text: string) => externalIds.filter((id) => text.includes(id));
    expect([shown(first.text).length, shown(second.text).length]).toEqual([25, 2]);
    expect(new Set([...shown(first.text), ...shown(second.text)]).size).toBe(27);
  });

  test.each([
    ['an application that does not exist', { application: 'app_x' }, 404],
    ['a state that does not exist', { application: 'app_x', status: 'rich' }, 400],
    ['a cursor of another list', { cursor: 'abc' }, 400],
  ])('answers %s with a page', async (_, query, status) => {
    const headers = { ...(await signedIn('finance')), accept: 'text/html' };
    const answer = await browse('console.customer-list', { headers, query });
    expect(answer.status).toBe(status);
    expect(answer.text).toContain('role="alert"');
  });
});

test('the page of a client says for each subscription why it gives access or none', async () => {
  const { seller, id, externalId } = await newCustomer('active');
  good(await seller.act('cancel', id));
  good(await seller.subscribe({ body: { externalId } }));
  const params = { applicationId: seller.applicationId, externalId };
  const { text } = await browse('console.client-show', { headers: await signedIn('finance'), params });
  expect(text).toMatch(/No access since [^:]+:\d\d UTC: it was cancelled\./);
  expect(text).toMatch(/No access: invoice INV-[\w-]+ of EUR\s9\.99 is due on/);
});

describe('the page of a subscription', () => {
  test('shows a mail as it was sent, as text alone', async () => {
    const customer = await newCustomer('active');
    const mails = await queryItems(keys.subscriptionPartition(customer.id), 'OUTBOX#');
    const sent = { subject: `Hello ${hostile}`, text: `Dear ${hostile}` };
    await putItem(Object.assign({}, mails[0], { doneAtMs: Date.now(), sent }));
    const { text } = await openCustomer(await signedIn('finance', 'support'), customer);
    expect(text).toContain(`<summary>Hello ${escaped}</summary><p class="sent">Dear ${escaped}</p>`);
  });

  test('says why it gives access, and shows its records', async () => {
    const customer = await newCustomer('active');
    const { text } = await openCustomer(await signedIn('finance', 'support'), customer);
    expect(text).toMatch(/<strong>Access until [^:]+:\d\d UTC: the term is paid with INV-[\w-]+\.</);
    for (const caption of ['Timeline', 'Invoices', 'Payments', 'Mails'])
      expect(text).toContain(`<caption>${caption}</caption>`);
    expect(text).toMatch(/<th scope="row" dir="auto">activated<\/th><td data-title="To" dir="auto">user-/);
    expect(text).toMatch(/<td data-title="Status" dir="auto"><span class="badge">applied</);
  });

  test('shows mails and events to keys that may list them', async () => {
    const customer = await newCustomer('active');
    for (const [scopes, isShown] of [
      [['finance'], false],
      [['finance', 'support'], true],
      [['admin'], true],
    ] as const) {
      const { text } = await openCustomer(await signedIn(...scopes), customer);
      for (const caption of ['Mails', 'Events'])
        expect(text.includes(`<caption>${caption}</caption>`)).toBe(isShown);
      expect(text.includes('Mails and events need an operator key with the scope support.')).toBe(!isShown);
    }
  });

  test.each(['page', 'form'] as const)(
    'of another application is as absent as one that never was: its %s',
    async (kind) => {
      const [customer, other] = await Promise.all([newCustomer(), newSeller()]);
      const headers = await signedIn('finance');
      const answers = [];
      for (const subscriptionId of [customer.id, `sub_${'0'.repeat(26)}`, '../x']) {
        const params = { applicationId: other.applicationId, subscriptionId };
        const foreign = { applicationId: other.applicationId, 'path.id': subscriptionId };
        answers.push(
          kind === 'page'
            ? await openCustomer(headers, { params })
            : await send(await actOf(headers, customer, 'cancel', foreign)),
        );
      }
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
      const alerts = answers.map(({ text, body }) => body.error ?? /role="alert">([^<]*)/.exec(text)?.[1]);
      expect(new Set(alerts).size).toBe(1);
      expect((await stateOf(customer)).status).toBe('active');
    },
  );

  test('shows hostile names of everybody as text', async () => {
    const seller = await newSeller();
    const application = { ...keys.application(seller.applicationId) };
    const [stored = {}] = await queryItems(application.pk, application.sk);
    await putItem({ ...application, ...stored, name: hostile });
    const externalId = await seller.newClient({ externalId: hostile, name: hostile });
    const planId = await seller.newPlan({ name: hostile });
    const { subscription } = good(await seller.subscribe({ body: { externalId, planId } }));
    const params = { applicationId: seller.applicationId, subscriptionId: subscription._id };
    const headers = await signedIn('finance');
    await send(await actOf(headers, { params }, 'renewal-off', { 'body.reason': hostile }));
    const pages = [
      await openCustomer(headers, { params }),
      await browse('console.client-show', { headers, params: { ...params, externalId } }),
      await browse('console.customer-list', { headers, query: { application: seller.applicationId } }),
    ];
    for (const { status, text } of pages) {
      expect(status).toBe(200);
      expect(text).toContain(escaped);
      expect(text).not.toContain('<script');
    }
    expect(pages[0]?.text).toContain(`<td data-title="Reason" dir="auto">${escaped}</td>`);
  });

  test('goes on with earlier invoices and entries of the timeline', async () => {
    const customer = await newCustomer('active');
    const headers = await signedIn('finance');
    for (let n = 0; n < 16; n += 1) {
      good(await customer.seller.act('update', customer.id, { autoRenew: false, reason: `off ${n}` }));
      good(await customer.seller.act('update', customer.id, { autoRenew: true, reason: `on ${n}` }));
    }
    const first = await openCustomer(headers, customer);
    const cursor = /cursor=([\w-]+)/.exec(first.text)?.[1] ?? '';
    const second = await openCustomer(headers, customer, { cursor });
    expect(first.text).toContain('on 15');
    expect(first.text).not.toContain('off 0');
    expect(second.text).toContain('off 0');
    expect(second.text).not.toContain('on 15');
    expect(second.text).toContain('No earlier invoices.');
    expect(first.text).not.toContain('No earlier');
  });
});

/** The fields of a form that moves the end by a week, to the second; none of other forms. */
const aWeekLater = (
  { endDate }: { endDate: string },
  action: string,
  state: string,
): Record<string, string> => {
  const until = new Date(Date.parse(endDate) + 7 * dayMs).toISOString();
  return action === 'extend' ? { [state === 'trialing' ? 'body.trialEnd' : 'body.endDate']: until } : {};
};

/** An action with what it leaves, and the record of the operator. */
const changes = [
  {
    action: 'cancel',
    state: 'active',
    after: { status: 'cancelled' },
    record: { action: 'subscription.changed', before: { status: 'active' } },
  },
  {
    action: 'cancel-at-end',
    state: 'active',
    after: { status: 'active', cancelAtPeriodEnd: true },
    record: { action: 'subscription.changed', before: { cancelAtPeriodEnd: false } },
  },
  {
    action: 'extend',
    state: 'active',
    after: { status: 'active' },
    record: { action: 'subscription.changed', before: { endDate: expect.any(String) } },
  },
  {
    action: 'extend',
    state: 'trialing',
    after: { status: 'trialing' },
    record: { action: 'subscription.changed', before: { trialEnd: expect.any(String) } },
  },
  {
    action: 'renewal-off',
    state: 'active',
    after: { autoRenew: false },
    record: { action: 'subscription.changed', before: { autoRenew: true } },
  },
] as const;

describe.each(changes)(
  'the action $action of a subscription that is $state',
  ({ action, state, after, record }) => {
    test('is done once by two clicks, with one record in its transaction, and the timeline names the operator', async () => {
      const customer = await newCustomer(state);
      const headers = await signedIn('finance');
      const before = await stateOf(customer);
      const request = await actOf(headers, customer, action, aWeekLater(before, action, state));
      const answers = await Promise.all([send(request), send(request)]);
      answers.push(await send(request));
      expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
      const left = await stateOf(customer);
      expect(left).toMatchObject(after);
      expect(left.timeline).toHaveLength(before.timeline.length + 1);
      expect(left.timeline.at(-1).reason).toBe('The customer asked for it');
      if (action === 'extend') expect(Date.parse(left.endDate) - Date.parse(before.endDate)).toBe(7 * dayMs);
      expect(await actionsOn(customer.id)).toEqual([
        expect.objectContaining({
          ...record,
          reason: 'The customer asked for it',
          by: expect.objectContaining({ name: 'Olga Operator' }),
        }),
      ]);
      const { text } = await openCustomer(headers, customer);
      expect(text).toContain('<td data-title="By" dir="auto">Olga Operator</td>');
    });

    test('changes nothing when its record cannot be written, or another change came first', async () => {
      const customer = await newCustomer(state);
      const headers = await signedIn('finance');
      const filled = aWeekLater(await stateOf(customer), action, state);
      const request = await actOf(headers, customer, action, filled);
      const { restore } = failTable((_command, _index, input) =>
        JSON.stringify(input).includes('"AUDIT#') ? new Error('The table fails') : undefined,
      );
      const failed = await send(request).finally(restore);
      expect(failed.status).toBe(500);
      const other = await actOf(
        headers,
        customer,
        action === 'renewal-off' ? 'cancel-at-end' : 'renewal-off',
      );
      expect((await send(other)).status).toBe(303);
      const refused = await send(request);
      expect(refused.status).toBe(409);
      expect(refused.text).toContain('The record has changed since you opened the page.');
      expect(await actionsOn(customer.id)).toHaveLength(1);
    });
  },
);

test('a cancellation at the end is undone once, with a record', async () => {
  const customer = await newCustomer('active');
  const headers = await signedIn('finance');
  await send(await actOf(headers, customer, 'cancel-at-end'));
  const request = await actOf(headers, customer, 'uncancel');
  expect((await Promise.all([send(request), send(request)])).map(({ status }) => status)).toEqual([303, 303]);
  expect(await stateOf(customer)).toMatchObject({ status: 'active', cancelAtPeriodEnd: false });
  expect(await actionsOn(customer.id)).toHaveLength(2);
});

describe('a credit note', () => {
  test('is issued once by two clicks, with one record in its transaction', async () => {
    const customer = await newCustomer('active');
    const headers = await signedIn('finance');
    const request = await actOf(headers, customer, 'credit', { 'body.amount': '2.50' });
    const answers = await Promise.all([send(request), send(request)]);
    answers.push(await send(request));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    const { creditNotes, invoices } = await stateOf(customer);
    expect(creditNotes).toEqual([expect.objectContaining({ total: 2.5 })]);
    expect(await actionsOn(invoices[0]._id)).toEqual([
      expect.objectContaining({ action: 'invoice.credited', reason: 'The customer asked for it' }),
    ]);
    const { text } = await openCustomer(headers, customer);
    expect(text).toContain('<caption>Credit notes</caption>');
  });

  test('is issued on the day of the seller', async () => {
    const issuedAtMs = new Date().setUTCHours(23, 30, 0, 0);
    vi.useFakeTimers({ toFake: ['Date'], now: issuedAtMs });
    const zone = { timeZone: 'Pacific/Kiritimati' };
    const customer = await newCustomer('active', 'none', zone);
    const headers = await signedIn('finance');
    await send(await actOf(headers, customer, 'credit', { 'body.amount': '2.50' }));
    const { text } = await openCustomer(headers, customer);
    const [, notes] = /<caption>Credit notes(.*?)<\/table>/s.exec(text) ?? [];
    expect(notes).toContain(formatDate(issuedAtMs, zone));
    expect(notes).not.toContain(formatDate(issuedAtMs, {}));
  });

  test('of an invoice that was credited meanwhile, or of another application, is none', async () => {
    const customer = await newCustomer('active');
    const headers = await signedIn('finance');
    const stale = await actOf(headers, customer, 'credit', { 'body.amount': '1' });
    await send(await actOf(headers, customer, 'credit', { 'body.amount': '2' }));
    expect((await send(stale)).status).toBe(409);
    const other = await customer.seller.subscribed('active');
    const [foreign] = good(await customer.seller.details(other.id)).subscription.invoices;
    const forged = await actOf(headers, customer, 'credit', {
      'path.id': foreign._id,
      applicationId: (await newSeller()).applicationId,
    });
    expect((await send(forged)).status).toBe(404);
    expect((await stateOf(customer)).creditNotes).toHaveLength(1);
    expect(good(await customer.seller.details(other.id)).subscription.creditNotes).toBeUndefined();
  });

  test('of an amount that is none, or too high, is refused', async () => {
    const customer = await newCustomer('active');
    const headers = await signedIn('finance');
    for (const amount of ['0', '-1', '1e3', 'all', '99999', '1.23456']) {
      const refused = await send(await actOf(headers, customer, 'credit', { 'body.amount': amount }));
      expect([amount, refused.status]).toEqual([amount, 422]);
      expect(refused.text).toContain('An entry is not possible.');
    }
    expect((await stateOf(customer)).creditNotes).toBeUndefined();
  });
});

describe('the link to the billing page', () => {
  test('is replaced once by two clicks, and the new one is mailed', async () => {
    const customer = await newCustomer('active');
    const headers = await signedIn('finance');
    const before = await linkOf(customer);
    const request = await actOf(headers, customer, 'replace-link');
    const answers = await Promise.all([send(request), send(request)]);
    answers.push(await send(request));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    const after = await linkOf(customer);
    expect(after).not.toBe(before);
    expect(after).toContain('.1.');
    expect(await linkMails(customer)).toBe(1);
    expect(await actionsOn(customer.id)).toEqual([
      expect.objectContaining({
        action: 'subscription.billing_link_replaced',
        reason: 'The customer asked for it',
      }),
    ]);
  });

  test.each(['before the form', 'while the form is handled', 'at the same time'])(
    'that the application replaces %s is not said to be mailed',
    async (when) => {
      const customer = await newCustomer('active');
      const request = await actOf(await signedIn('finance'), customer, 'replace-link');
      const replace = () => linkOf(customer, { replace: true });
      if (when === 'before the form') await replace();
      let isFirst = when === 'while the form is handled';
      const { restore } = failTable(async (command) => {
        if (command !== 'TransactWriteItemsCommand' || !isFirst) return undefined;
        isFirst = false;
        await replace();
        return undefined;
      });
      const sent = when === 'at the same time' ? [replace()] : [];
      const [{ status, text }] = await Promise.all([send(request), ...sent]).finally(restore);
      const done = status === 303 ? 1 : 0;
      if (when !== 'at the same time') expect(status).toBe(409);
      if (done === 0) expect(text).toContain('Nothing was changed');
      expect([await linkMails(customer), (await actionsOn(customer.id)).length]).toEqual([done, done]);
    },
  );

  test('is mailed once in an hour, with one record', async () => {
    const customer = await newCustomer('active');
    const headers = await signedIn('finance');
    const before = await linkOf(customer);
    const request = await actOf(headers, customer, 'mail-link');
    const answers = await Promise.all([send(request), send(request)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await linkMails(customer)).toBe(1);
    expect(await actionsOn(customer.id)).toEqual([
      expect.objectContaining({ action: 'subscription.billing_link_sent' }),
    ]);
    expect(await linkOf(customer)).toBe(before);
  });

  test('of an application without the page is not offered, and not sent', async () => {
    const customer = await newCustomer('active', 'none', { billingPage: { enabled: false } });
    const headers = await signedIn('finance');
    const { text } = await openCustomer(headers, customer);
    expect(formsOf(text)).not.toContain('mail-link');
    for (const action of ['mail-link', 'replace-link'] as const)
      expect((await send(await actOf(headers, customer, action, { once: 'a' }))).status).toBe(409);
    expect(await linkMails(customer)).toBe(0);
    expect(await actionsOn(customer.id)).toEqual([]);
  });
});

describe('a form', () => {
  test('with a wrong entry is refused, and changes nothing', async () => {
    const customer = await newCustomer('active');
    const headers = await signedIn('finance');
    const { endDate } = await stateOf(customer);
    const statusOf = async (action: CustomerForm, filled: Record<string, string>) =>
      (await send(await actOf(headers, customer, action, filled))).status;
    for (const reason of ['', '  '])
      expect(await statusOf('cancel', { reason, 'body.reason': reason })).toBe(422);
    expect(await statusOf('cancel', { 'body.revision': 'x' })).toBe(422);
    expect(await statusOf('cancel', { operation: 'delete' })).toBe(404);
    const until = (days: number) => new Date(Date.parse(endDate) + days * dayMs).toISOString();
    for (const end of [until(-3), until(367), until(999), 'x', ''])
      expect([end, await statusOf('extend', { 'body.endDate': end })]).toEqual([end, 422]);
    expect((await stateOf(customer)).status).toBe('active');
    expect(await actionsOn(customer.id)).toEqual([]);
  });

  test('that the state does not allow says so', async () => {
    const customer = await newCustomer('pending');
    const headers = await signedIn('finance');
    const refused = await send(await actOf(headers, customer, 'cancel-at-end', { once: 'a' }));
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('<dt>status</dt><dd dir="auto">pending</dd>');
    expect(refused.text).toMatch(/<a href="[^"]*">Back</);
  });

  test('is offered only where the state allows it', async () => {
    const offered = async (state: 'pending' | 'trialing' | 'active') => {
      const { text } = await openCustomer(await signedIn('finance'), await newCustomer(state));
      return formsOf(text);
    };
    const links = ['mail-link', 'replace-link'];
    const ofEach = ['extend', 'cancel-at-end', 'cancel', 'renewal-off'];
    expect(await offered('active')).toEqual([...ofEach, 'pause', 'credit', ...links]);
    expect(await offered('trialing')).toEqual([...ofEach, ...links]);
    expect(await offered('pending')).toEqual(['cancel', 'renewal-off', 'credit', ...links]);
  });
});

test('the page of a subscription says which of its tables have the newest records alone, and where all are', async () => {
  const { seller, id } = await newCustomer('active');
  const ids = { applicationId: seller.applicationId, subscriptionId: id };
  const visit = {
    ...addressesFrom('/console/customers/{applicationId}/{subscriptionId}'),
    operator: { keyId: 'key_1', name: 'Olga Operator', from: '203.0.113.9' },
    scopes: ['finance', 'support'],
    formToken: 'token',
    path: `/console/customers/${seller.applicationId}/${id}`,
    query: {},
    notice: undefined,
    noticeForm: undefined,
    nowMs: Date.now(),
    sessionEndsAtMs: Date.now(),
  } as const;
  const customer = await readCustomer(ids, undefined, visit);
  if (customer === undefined) throw new Error('There is no such subscription');
  const whole = customerPage(visit, customer).markup;
  expect(whole).not.toContain('The newest');
  expect(whole).not.toContain('Operators are named');
  const cut = { items: [], all: 3 };
  const page = customerPage(
    visit,
    Object.assign({}, customer, { creditNotes: cut, payments: cut, areOperatorsCut: true }),
  ).markup;
  expect(page).toContain('The newest 0 of 3 credit notes. <code>GET /api/v1/credit-notes</code> has all.');
  expect(page).toContain(
    'The newest 0 of 3 payments in this part of the timeline. <code>GET /api/v1/payments</code>',
  );
  expect(page).toContain(`<a href="../../../console/audit?objectId=${id}">The audit</a> has all.`);
});

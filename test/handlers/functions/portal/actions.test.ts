import * as keys from '../../../../functions/shared/contract/keys.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import {
  call,
  daysLater,
  good,
  leaveOutPdfs,
  newSeller,
  newSubscription,
  onTestClock,
  step,
  type Tenant,
  updateItem,
} from '../../../support/call.ts';
import {
  billingTokenOf,
  cancelOnPage,
  fieldOf,
  newBilling,
  openBilling,
  submitBilling,
} from '../../../support/subscriptions/billing.ts';
import { heading } from '../../../support/subscriptions/payable-invoices.ts';
import { clientOf, stored } from '../../../support/subscriptions/stored-state.ts';

onTestClock();
leaveOutPdfs();

type Billing = Awaited<ReturnType<typeof newBilling>>;

/** Who did what, oldest first, without the start. */
const deeds = async (one: Billing) =>
  (await stored(one)).timeline.slice(1).map(({ event, by }) => `${event} by ${by}`);
const isCancelling = async (one: Billing) => (await stored(one)).subscription.cancelAtPeriodEnd;
const back = (token: string, done: string) => [303, `https://api.test/test/billing/${token}?done=${done}`];
const landing = ({ status, headers }: Awaited<ReturnType<typeof submitBilling>>) => [
  status,
  headers.location,
];
const refusal = (answer: Awaited<ReturnType<typeof submitBilling>>) => [answer.status, heading(answer)];

const setSettings = async ({ applicationId }: Tenant, settings: object) =>
  updateItem(keys.application(applicationId), {
    UpdateExpression: 'SET settings = :settings',
    ExpressionAttributeValues: { ':settings': settings },
  });

describe('a cancellation at the end of the period', () => {
  test.each(['trialing', 'active'] as const)(
    'is asked about once more while %s, with the end of access, and shown afterwards',
    async (state) => {
      const one = await newBilling(await newSeller(), state);
      const question = await openBilling(one.token, { step: 'cancel' });
      const until = state === 'trialing' ? '24 March 2027, 12:00 UTC' : '10 April 2027, 12:00 UTC';
      expect(heading(question)).toBe('Cancel your subscription?');
      expect(question.text).toContain(`You keep your access until <strong>${until}</strong>`);
      expect(await isCancelling(one)).toBe(false);
      expect(landing(await cancelOnPage(one.token))).toEqual(back(one.token, 'cancelled'));
      const page = await openBilling(one.token, { done: 'cancelled' });
      expect(page.text).toContain(
        `role="status" dir="auto">The subscription is cancelled, and ends on ${until}.`,
      );
      expect(page.text).toContain('Undo the cancellation');
      expect((await deeds(one)).at(-1)).toBe('cancel_at_period_end by subscriber');
    },
  );

  test('is not announced again by a page that is reloaded after the end', async () => {
    const one = await newBilling(await newSeller());
    await cancelOnPage(one.token);
    daysLater(40);
    await step((await stored(one)).subscription);
    expect((await stored(one)).subscription.status).toBe('cancelled');
    expect((await openBilling(one.token, { done: 'cancelled' })).text).not.toContain('role="status"');
  });

  test('of another period than the page showed cancels nothing', async () => {
    const one = await newBilling(await newSeller());
    const periodEnd = fieldOf(await openBilling(one.token, { step: 'cancel' }), 'periodEnd');
    daysLater(25);
    await step((await stored(one)).subscription);
    good(await one.seller.act('activate', one.id));
    const answer = await submitBilling(one.token, { action: 'cancel', periodEnd });
    expect(refusal(answer)).toEqual([409, 'The end of the period has changed']);
    const forged: Record<string, string>[] = [{}, { periodEnd: '0' }, { periodEnd: '1' }];
    for (const fields of forged) {
      const repeated = await submitBilling(one.token, { ...fields, action: 'cancel' });
      expect(refusal(repeated)).toEqual([409, 'The end of the period has changed']);
    }
    for (const fields of [{}, { action: 'other' }, { action: 'cancel', periodEnd: 'x' }] as Record<
      string,
      string
    >[])
      expect(refusal(await submitBilling(one.token, fields))).toEqual([400, 'This request is not valid']);
    expect(await isCancelling(one)).toBe(false);
  });

  test.each(['past_due', 'paused', 'cancelled'] as const)(
    'of a subscription that is %s is not offered, and refused',
    async (status) => {
      const { seller, id, externalId } = await newSubscription(status);
      const one = { seller, id, externalId, token: await billingTokenOf(seller, id) };
      const before = await stored(one);
      expect((await openBilling(one.token)).text).not.toMatch(/step=cancel|value="undo"/);
      expect(refusal(await openBilling(one.token, { step: 'cancel' }))).toEqual([
        409,
        'The subscription cannot be cancelled now',
      ]);
      const periodEnd = String(before.subscription.termEndMs ?? 0);
      const answer = await submitBilling(one.token, { action: 'cancel', periodEnd });
      expect(refusal(answer)).toEqual([409, 'The subscription cannot be cancelled now']);
      expect(answer.text).toContain('Nothing was changed.');
      expect((await stored(one)).timeline).toEqual(before.timeline);
    },
  );
});

describe('undoing a cancellation', () => {
  test('lets the subscription go on, and is recorded as done by the subscriber', async () => {
    const one = await newBilling(await newSeller());
    await cancelOnPage(one.token);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => submitBilling(one.token, { action: 'undo' })),
    );
    expect(answers.map(landing)).toEqual(answers.map(() => back(one.token, 'undone')));
    expect(await isCancelling(one)).toBe(false);
    expect((await deeds(one)).slice(-2)).toEqual([
      'cancel_at_period_end by subscriber',
      'uncancel by subscriber',
    ]);
    expect((await openBilling(one.token, { done: 'undone' })).text).toContain('The cancellation was undone.');
  });

  test('comes too late after the application cancelled at once, or after the period', async () => {
    const now = await newBilling(await newSeller());
    await cancelOnPage(now.token);
    good(await now.seller.act('cancel', now.id));
    const over = await newBilling(await newSeller());
    await cancelOnPage(over.token);
    daysLater(31.5);
    for (const one of [now, over]) {
      expect(refusal(await submitBilling(one.token, { action: 'undo' }))).toEqual([
        409,
        'The cancellation can no longer be undone',
      ]);
      expect((await stored(one)).subscription.status).toBe('cancelled');
    }
  });
});

describe('the name on invoices', () => {
  test('changes nothing else of the client, and an application that writes the name later has the last word', async () => {
    const one = await newBilling(await newSeller());
    const before = await clientOf(one.seller, one.externalId);
    vi.setSystemTime(Date.now() + 1);
    await submitBilling(one.token, { action: 'rename', name: ' Anna <b> ' });
    const { text } = await openBilling(one.token, { done: 'renamed' });
    expect(text).toContain('Future invoices show the name “Anna &lt;b&gt;”.');
    const stored: Record<string, unknown> = { ...(await clientOf(one.seller, one.externalId)) };
    const { name, updatedAtMs, writtenBy, listed, ...rest } = stored;
    expect(name).toBe('Anna <b>');
    expect(listed).toEqual({ name: 'anna b' });
    expect(before).toMatchObject(rest);
    expect([updatedAtMs, writtenBy]).not.toEqual([before?.updatedAtMs, before?.writtenBy]);
    const body = { externalId: one.externalId, email: before?.email, name: 'Ann Example' };
    good(await call('clients.upsert', { headers: one.seller.headers, body }));
    expect((await clientOf(one.seller, one.externalId))?.name).toBe('Ann Example');
  });

  test.each(['   ', 'x'.repeat(201), 'Ann\nBcc: eve@example.com'])(
    '%j is refused, and the page says so at the field',
    async (name) => {
      const one = await newBilling(await newSeller());
      const answer = await submitBilling(one.token, { action: 'rename', name });
      expect(landing(answer)).toEqual([303, `https://api.test/test/billing/${one.token}?wrong=name`]);
      const { text } = await openBilling(one.token, { wrong: 'name' });
      expect(text).toContain('id="name-error" role="alert">The name was not changed.');
      expect(text).toContain('aria-invalid="true" aria-describedby="name-error name-hint"');
      expect((await clientOf(one.seller, one.externalId))?.name).toBe('Ann');
    },
  );
});

describe('an action that the application does not offer', () => {
  const notOffered = [409, 'Not available here'];

  test('is absent from the page, and refused', async () => {
    const settings = { pay: false, cancel: false, undoCancel: false, invoiceName: false, replaceLink: false };
    const seller = await newSeller('sandbox', { billingPage: settings });
    const one = await newBilling(seller, 'pending');
    const pending = await openBilling(one.token);
    expect(pending.status).toBe(200);
    expect(pending.text).not.toMatch(/<form|<button|\/checkout\/|step=/);
    good(await seller.act('activate', one.id));
    expect((await openBilling(one.token)).text).not.toMatch(/<form|<button|step=/);
    for (const step of ['cancel', 'replace'])
      expect(refusal(await openBilling(one.token, { step }))).toEqual(notOffered);
    const before = await stored(one);
    const periodEnd = String(before.subscription.termEndMs);
    for (const action of ['cancel', 'undo', 'rename', 'replace-link']) {
      const answer = await submitBilling(one.token, { action, periodEnd, name: 'Eve' });
      expect(refusal(answer)).toEqual(notOffered);
    }
    good(await seller.act('cancel', one.id, { atPeriodEnd: true }));
    expect((await openBilling(one.token)).text).not.toContain('<form');
    expect(refusal(await submitBilling(one.token, { action: 'undo' }))).toEqual(notOffered);
    expect(await isCancelling(one)).toBe(true);
    expect((await clientOf(seller, one.externalId))?.name).toBe('Ann');
    expect((await getItem(keys.subscriptionOwner(one.id)))?.billingLinkVersion).toBeUndefined();
  });

  test('is refused from the moment the setting changes, on pages that were shown before', async () => {
    const one = await newBilling(await newSeller());
    const periodEnd = fieldOf(await openBilling(one.token, { step: 'cancel' }), 'periodEnd');
    await setSettings(one.seller, { billingPage: { cancel: false } });
    expect(refusal(await submitBilling(one.token, { action: 'cancel', periodEnd }))).toEqual(notOffered);
    expect(await isCancelling(one)).toBe(false);
    await setSettings(one.seller, {});
    expect(landing(await submitBilling(one.token, { action: 'cancel', periodEnd }))).toEqual(
      back(one.token, 'cancelled'),
    );
  });
});

import { defined } from '../../../../functions/shared/contract/defined.ts';
import { isoTime } from '../../../../functions/shared/runtime/clock.ts';
import { subscriptionQueries } from '../../../../functions/subscriptions/commands/subscription-queries.ts';
import { toChangeResponse } from '../../../../functions/subscriptions/present/subscription.ts';
import type { TimelineEntry } from '../../../../functions/subscriptions/record/timeline-entry.ts';
import { bearer, call, good, newSeller, type Tenant } from '../../../support/call.ts';
import {
  invoiceRecord,
  putFor,
  putSubscription,
  soldPlan,
  subscriptionRecord,
} from '../../../support/subscriptions/records.ts';

describe('a subscription with its invoices and timeline', () => {
  const atMs = Date.UTC(2026, 0, 1);

  async function whole() {
    const seller = await newSeller();
    const subscription = subscriptionRecord({ applicationId: seller.applicationId });
    const invoices = Array.from({ length: 12 }, (_, i) => invoiceRecord(subscription, i + 1));
    const timeline: TimelineEntry[] = Array.from({ length: 11 }, (_, i) => ({
      revision: i + 1,
      event: 'payment',
      atMs: atMs + i,
      by: 'application',
      from: 'pending',
      to: 'active',
    }));
    await putSubscription(subscription, { invoices, timeline });
    return { seller, subscription, invoices, timeline };
  }

  test('shows the invoices by number, the timeline oldest first, and no mails', async () => {
    const { seller, subscription, invoices, timeline } = await whole();
    const { status, body, text } = await seller.details(subscription.subscriptionId);
    expect(status).toBe(200);
    expect(body.subscription.invoices.map((one: { number: string }) => one.number)).toEqual(
      invoices.map(({ number }) => number),
    );
    expect(body.subscription.timeline).toEqual(
      timeline.map(({ atMs, event, by, from, to }) => ({ at: isoTime(atMs), event, by, from, to })),
    );
    expect(text).not.toContain('not to be shown');
    const { invoices: _, timeline: __, revision: ___, ...rest } = body.subscription;
    expect(rest).toEqual((await seller.current(subscription.externalId)).body.subscription);
  });

  test('names the invoices that an entry changed, and a payment that was not applied', async () => {
    const seller = await newSeller();
    const subscription = subscriptionRecord({ applicationId: seller.applicationId });
    const unapplied = { invoice: 'INV-1', paymentId: 'pi_1' };
    const entry = { event: 'payment_unapplied', atMs, by: 'gateway', to: 'cancelled', unapplied } as const;
    await putSubscription(subscription, { timeline: [{ ...entry, revision: 1, invoices: ['INV-1'] }] });
    const { body } = await seller.details(subscription.subscriptionId);
    expect(body.subscription.timeline).toEqual([
      {
        at: isoTime(atMs),
        event: entry.event,
        by: 'gateway',
        to: 'cancelled',
        invoices: ['INV-1'],
        unapplied,
      },
    ]);
  });

  /** All pages, the latest first: the numbers of the invoices and the events of each. */
  async function pages(seller: Tenant, id: string, query: Record<string, string> = {}) {
    const read: { numbers: string[]; events: string[]; text: string }[] = [];
    let cursor: string | undefined;
    do {
      const request = {
        headers: bearer(seller.apiKey),
        params: { id },
        query: { ...query, ...defined({ cursor }) },
      };
      const { status, body, text } = await call('subscriptions.read', request);
      expect(status).toBe(200);
      const { invoices, timeline } = body.subscription;
      read.push({
        numbers: invoices.map((one: { number: string }) => one.number),
        events: timeline.map((one: { event: string }) => one.event),
        text,
      });
      cursor = body.nextCursor;
    } while (cursor !== undefined);
    return read;
  }

  test('is paged by limit, and a cursor works for its own subscription only', async () => {
    const { seller, subscription, invoices, timeline } = await whole();
    const read = await pages(seller, subscription.subscriptionId, { limit: '5' });
    expect(read.map(({ numbers, events }) => [numbers.length, events.length])).toEqual([
      [5, 5],
      [5, 5],
      [2, 1],
    ]);
    expect(read.toReversed().flatMap(({ numbers }) => numbers)).toEqual(invoices.map(({ number }) => number));
    expect(read.flatMap(({ events }) => events)).toHaveLength(timeline.length);
    const other = await putFor(seller);
    const headers = bearer(seller.apiKey);
    const query = { limit: '5' };
    const first = await call('subscriptions.read', {
      headers,
      params: { id: subscription.subscriptionId },
      query,
    });
    const refused = await call('subscriptions.read', {
      headers,
      params: { id: other.subscriptionId },
      query: { cursor: first.body.nextCursor },
    });
    expect([refused.status, Object.keys(refused.body.details)]).toEqual([400, ['cursor']]);
  });
});

test('a subscription right after a change names its plan by id, and omits absent fields', () => {
  const one = subscriptionRecord();
  expect(toChangeResponse(one)).toEqual({
    _id: one.subscriptionId,
    referenceNumber: one.referenceNumber,
    status: 'active',
    startDate: isoTime(one.startAtMs),
    endDate: isoTime(one.termEndMs ?? 0),
    autoRenew: true,
    planId: soldPlan.planId,
  });
});

/** Every read finds what the handlers have written, with the same content. */
test('a new subscription is immediately current, in the history, and found by reference number and id', async () => {
  const seller = await newSeller();
  const externalId = await seller.newClient();
  const created = good(await seller.subscribe({ body: { externalId } })).subscription;
  const { subscription } = good(await seller.current(externalId));
  expect(subscription).toMatchObject({
    ...created,
    planId: { _id: created.planId },
    externalId,
    access: 'none',
  });

  const headers = seller.headers;
  for (const query of [{ externalId }, { referenceNumber: created.referenceNumber }])
    expect(good(await call('subscriptions.list', { headers, query })).subscriptions).toEqual([subscription]);

  const { invoices, timeline, revision: _, ...rest } = good(await seller.details(created._id)).subscription;
  expect(rest).toEqual(subscription);
  const number = `INV-${created.referenceNumber.slice(4)}-1`;
  expect(invoices).toMatchObject([
    { number, status: 'open', total: 9.99, paymentReference: created.referenceNumber },
  ]);
  expect(timeline).toMatchObject([{ to: 'pending', by: 'application', invoices: [number] }]);
  const read = good(await call('invoices.read', seller.callFor(invoices[0]._id)));
  expect(read).toEqual({ invoice: invoices[0] });
  expect(await subscriptionQueries.get(seller.applicationId, created._id)).not.toHaveProperty('pk');
});

import type { OperatorScope } from '../../../../functions/shared/contract/operator-scopes.ts';
import { dayMs, hourMs } from '../../../../functions/shared/runtime/clock.ts';
import { type Delivery, deliveryId } from '../../../../functions/webhooks/deliveries/delivery.ts';
import { deliveryStore } from '../../../../functions/webhooks/deliveries/store.ts';
import { failureStore } from '../../../../functions/webhooks/endpoints/failure-store.ts';
import { webhookStore } from '../../../../functions/webhooks/endpoints/store.ts';
import { presentEvent } from '../../../../functions/webhooks/events/event.ts';
import { eventStore } from '../../../../functions/webhooks/events/store.ts';
import { call, good } from '../../../support/call.ts';
import { failTable } from '../../../support/faults.ts';
import { actionsOn, signedIn } from '../../../support/samples/console.ts';
import { failedDelivery, storedDelivery } from '../../../support/samples/deliveries.ts';
import { developerForm, formsIn, openDeveloper, sendDeveloper } from '../../../support/samples/developers.ts';
import { browse, type PageResponse } from '../../../support/samples/forms.ts';
import { asOwner, newOwner, newWebhook } from '../../../support/samples/webhooks.ts';
import { listedEvents } from '../../../support/webhooks/events.ts';

const hostile = '<script>alert(1)</script>"\'';

/** A webhook with a delivery that has failed, and the session of an operator. */
async function opened(more: Partial<Delivery> = {}, ...scopes: OperatorScope[]) {
  const { owner, webhookId, delivery } = await failedDelivery(more);
  const headers = await signedIn(...(scopes.length === 0 ? (['support'] as const) : scopes));
  const place = { applicationId: owner.applicationId, webhookId };
  const open = (query: Record<string, string> = {}) => openDeveloper(headers, place, query);
  const request = (operation: string, filled: Record<string, string> = {}) =>
    developerForm(headers, place, { operation }, filled);
  return { owner, webhookId, delivery, headers, place, open, request };
}

const storedOf = async ({ webhookId, eventId }: Delivery) => deliveryStore.get(webhookId, eventId);

/** Switches the webhook off or on, as its application does. */
const setActive = (owner: Parameters<typeof asOwner>[0], id: string, active: boolean) =>
  call('webhooks.webhook-update', { headers: asOwner(owner), params: { id }, body: { active } });

/** Sends a form. @returns how many audit records each transaction had. */
async function recordsOf(work: () => Promise<unknown>): Promise<number[]> {
  const records: number[] = [];
  const { restore } = failTable((_command, _index, input) => {
    const { TransactItems = [] } = input as { TransactItems?: { Put?: { Item: { pk: string } } }[] };
    if (TransactItems.length > 0)
      records.push(TransactItems.filter(({ Put }) => Put?.Item.pk.startsWith('AUDIT#')).length);
    return undefined;
  });
  try {
    await work();
  } finally {
    restore();
  }
  return records;
}

describe('the page of a webhook', () => {
  test('shows its deliveries with their attempts and answers, and a retry of the failed ones', async () => {
    const { place, delivery, open } = await opened();
    const waiting = await storedDelivery(place, place.webhookId);
    const { status, text } = await open();
    expect(status).toBe(200);
    expect(text.indexOf(waiting.eventId)).toBeLessThan(text.indexOf(delivery.eventId));
    expect(text).toMatch(/>failed<\/span>: exhausted<.*data-title="Attempts" dir="auto">1, last answer 500</);
    expect(text).toMatch(/>pending<\/span><br>next attempt .* UTC<.*data-title="Attempts" dir="auto">none</);
    const retries = formsIn(text).filter(({ operation }) => operation === 'delivery-retry');
    expect(retries).toEqual([expect.objectContaining({ 'path.id': deliveryId(delivery) })]);
    const pending = await open({ status: 'pending' });
    expect(pending.text).toContain(waiting.eventId);
    expect(pending.text).not.toContain(delivery.eventId);
  });

  test('goes on page by page, and refuses a state that is none', async () => {
    const { place, open } = await opened();
    for (let n = 0; n < 21; n += 1) await storedDelivery(place, place.webhookId);
    const ids = ({ text }: PageResponse) =>
      [...text.matchAll(/event=(evt_\w{27})"/g)].map(([, id = '']) => id);
    const first = await open();
    expect(ids(first)).toHaveLength(20);
    const [, cursor = ''] = /cursor=([^"&]+)"/.exec(first.text) ?? [];
    const second = ids(await open({ cursor: decodeURIComponent(cursor) }));
    expect(second).toHaveLength(2);
    expect(second.filter((id) => ids(first).includes(id))).toEqual([]);
    expect((await open({ status: hostile.slice(0, 20) })).status).toBe(400);
    expect((await open({ cursor: 'none' })).status).toBe(400);
  });

  test('shows the body of an event as it is sent, with the attempts', async () => {
    const { owner, place, open } = await opened();
    const [eventId = ''] = await listedEvents(owner.applicationId, [['payment.received']], {
      data: { text: hostile },
    });
    const attempt = { atMs: Date.now(), durationMs: 7, status: 500, body: hostile };
    await storedDelivery(place, place.webhookId, { eventId, attempts: [attempt], made: 1 });
    const [group] = await eventStore.get([eventId.slice(0, -1)]);
    if (group === undefined) throw new Error('no event');
    const { status, text } = await open({ event: eventId });
    expect(status).toBe(200);
    expect(text).not.toContain('<script');
    const [, shown = ''] = /<pre>(.*?)<\/pre>/s.exec(text) ?? [];
    const plain = shown
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'");
    expect(plain).toBe(JSON.stringify(presentEvent(group, 0)));
    expect(text).toContain('data-title="Took" dir="auto">7 ms<');
  });

  test('says that an event is no longer kept, and finds none of another webhook', async () => {
    const { delivery, open } = await opened();
    expect((await open({ event: delivery.eventId })).text).toContain('The event is no longer kept.');
    const other = await opened();
    for (const event of [other.delivery.eventId, 'evt_none', hostile])
      expect((await open({ event })).status).toBe(404);
  });

  test('shows how old the signing secret is, and never a secret', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 9, 5, 12, 30) });
    const owner = await newOwner();
    const { webhook, secret } = await newWebhook(owner);
    const place = { applicationId: owner.applicationId, webhookId: webhook._id };
    const headers = await signedIn('support');
    const age = async () => {
      const { text } = await openDeveloper(headers, place);
      expect(text).not.toContain('whsec_');
      return /<dt>Signing secret<\/dt><dd dir="auto">([^<]*)</.exec(text)?.[1];
    };
    expect(await age()).toBe('since 5 October 2026, 12:30 UTC');
    vi.setSystemTime(Date.now() + hourMs);
    const rotate = { headers: asOwner(owner), params: { id: webhook._id } };
    expect(good(await call('webhooks.webhook-rotate', rotate)).secret).not.toBe(secret);
    expect(await age()).toBe(
      'since 5 October 2026, 13:30 UTC; the former one signs until 6 October 2026, 13:30 UTC',
    );
    vi.setSystemTime(Date.UTC(2026, 9, 5, 13, 30) + dayMs);
    const again = await signedIn('support');
    expect((await openDeveloper(again, place)).text).toContain('>since 5 October 2026, 13:30 UTC<');
  });

  test('says why a webhook is disabled, and has no forms then', async () => {
    const { owner, webhookId, open } = await opened();
    const webhook = await webhookStore.get(owner.applicationId, webhookId);
    if (webhook === undefined) throw new Error('no webhook');
    await failureStore.disable(webhook, 'failing', Date.UTC(2026, 9, 5, 12, 30));
    const { text } = await open();
    expect(text).toContain('>disabled</span>: it failed for five days, 5 October 2026, 12:30 UTC<');
    expect(formsIn(text).flatMap(({ operation }) => operation ?? [])).toEqual([]);
  });

  test('shows hostile texts as texts', async () => {
    const owner = await newOwner();
    const { webhook } = await newWebhook(owner, { description: hostile });
    const place = { applicationId: owner.applicationId, webhookId: webhook._id };
    await storedDelivery(owner, webhook._id, {
      type: hostile,
      attempts: [{ atMs: 1, durationMs: 1, status: 500, body: hostile }],
    });
    const { text } = await openDeveloper(await signedIn('support'), place);
    expect(text).not.toContain('<script');
    expect(text.match(/&lt;script&gt;/g)?.length).toBeGreaterThan(1);
  });

  test('of another application, and of no webhook, is not found', async () => {
    const { place, headers } = await opened();
    const { applicationId } = await newOwner();
    for (const wrong of [
      { ...place, applicationId },
      { ...place, applicationId: 'app_none' },
      { ...place, webhookId: 'whk_none' },
      { ...place, webhookId: hostile },
    ]) {
      const answer = await openDeveloper(headers, wrong);
      expect([answer.status, answer.text.includes('There is no such record')]).toEqual([404, true]);
      expect(answer.text).not.toContain('<script');
    }
    const finance = await openDeveloper(await signedIn('finance'), place);
    expect([finance.status, finance.text.includes('needs the scope support')]).toEqual([403, true]);
  });
});

describe('a failed delivery', () => {
  test('is attempted again once by two clicks at the same time, with one record in the same transaction', async () => {
    const { delivery, place, request } = await opened();
    const form = await request('delivery-retry');
    const answers: PageResponse[] = [];
    const records = await recordsOf(async () => {
      answers.push(...(await Promise.all([sendDeveloper(form), sendDeveloper(form)])));
    });
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    for (const { headers } of answers)
      expect(decodeURIComponent(headers.location ?? '')).toMatch(/is.attempted.again/);
    expect(new Set(records)).toEqual(new Set([1]));
    expect(await storedOf(delivery)).toMatchObject({ status: 'pending', retries: 1 });
    expect(await actionsOn(deliveryId(delivery))).toEqual([
      expect.objectContaining({
        action: 'delivery.retried',
        by: expect.objectContaining({ name: 'Olga Operator' }),
        object: { kind: 'delivery', id: deliveryId(delivery), applicationId: place.applicationId },
        reason: 'The developer asked for it.',
      }),
    ]);
  });

  test('that has failed again is not attempted by the same form', async () => {
    const { delivery, request } = await opened();
    const form = await request('delivery-retry');
    expect((await sendDeveloper(form)).status).toBe(303);
    const retried = await storedOf(delivery);
    if (retried === undefined) throw new Error('no delivery');
    await deliveryStore.note(
      retried,
      { atMs: Date.now(), durationMs: 1 },
      { status: 'failed', reason: 'exhausted' },
    );
    expect((await sendDeveloper(form)).status).toBe(303);
    expect(await storedOf(delivery)).toMatchObject({ status: 'failed', retries: 1 });
    expect(await actionsOn(deliveryId(delivery))).toHaveLength(1);
  });

  test('is not attempted while the webhook is off, for another application, or without a reason', async () => {
    const { owner, webhookId, delivery, request } = await opened();
    const form = await request('delivery-retry');
    const other = await newOwner();
    const foreign = await request('delivery-retry', { applicationId: other.applicationId });
    expect((await sendDeveloper(foreign)).status).toBe(404);
    expect((await sendDeveloper(await request('delivery-retry', { reason: '' }))).status).toBe(422);
    expect((await sendDeveloper(await request('delivery-retry', { 'path.id': hostile }))).status).toBe(404);
    expect((await sendDeveloper(await request('delivery-retry', { form: 'x' }))).status).toBe(403);
    const review = await signedIn('review');
    const place = { applicationId: owner.applicationId, webhookId };
    const { form: token = '' } = formsIn((await openDeveloper(review, place)).text)[0] ?? {};
    const { body } = await request('delivery-retry', { form: token });
    const withoutScope = Object.assign({}, form, { body, headers: { ...form.headers, ...review } });
    expect((await sendDeveloper(withoutScope)).status).toBe(403);
    await setActive(owner, webhookId, false);
    expect((await sendDeveloper(form)).status).toBe(409);
    expect(await storedOf(delivery)).toMatchObject({ status: 'failed', retries: 0 });
    expect(await actionsOn(deliveryId(delivery))).toEqual([]);
  });
});

describe('a test event', () => {
  const eventCount = async ({ applicationId, webhookId }: { applicationId: string; webhookId: string }) =>
    (await webhookStore.get(applicationId, webhookId))?.eventCount;

  test('is sent once by clicks at the same time, with one record in the same transaction', async () => {
    const { place, webhookId, request } = await opened();
    const form = await request('webhook-test');
    const answers: PageResponse[] = [];
    const records = await recordsOf(async () => {
      answers.push(...(await Promise.all([1, 2, 3].map(() => sendDeveloper(form)))));
    });
    answers.push(await sendDeveloper(form));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    expect(new Set(records)).toEqual(new Set([1]));
    expect(await eventCount(place)).toBe(1);
    expect(await actionsOn(webhookId)).toEqual([
      expect.objectContaining({ action: 'webhook.tested', reason: 'The developer asked for it.' }),
    ]);
  });

  test('is not sent to a webhook that is off, or of another application', async () => {
    const { owner, place, webhookId, request } = await opened();
    const { applicationId } = await newOwner();
    const foreign = await request('webhook-test', { applicationId });
    expect((await sendDeveloper(foreign)).status).toBe(404);
    const fresh = await request('webhook-test');
    await setActive(owner, webhookId, false);
    expect((await sendDeveloper(fresh)).status).toBe(409);
    expect(await eventCount(place)).toBe(0);
    expect(await actionsOn(webhookId)).toEqual([]);
  });

  test('leaves nothing when its transaction fails', async () => {
    const { place, webhookId, request } = await opened();
    const form = await request('webhook-test');
    const { restore } = failTable((command) =>
      command === 'TransactWriteItemsCommand' ? new Error('the connection broke') : undefined,
    );
    try {
      expect((await sendDeveloper(form)).status).toBe(500);
    } finally {
      restore();
    }
    expect(await eventCount(place)).toBe(0);
    expect(await actionsOn(webhookId)).toEqual([]);
  });
});

test('the search leads to the pages of applications and webhooks', async () => {
  const { webhookId, place, headers } = await opened();
  const query = { q: webhookId, application: place.applicationId };
  const { text } = await browse('console.search', { headers, query });
  expect(text).toContain(`../console/developers/${place.applicationId}/webhooks/${webhookId}"`);
  const found = await browse('console.search', { headers, query: { q: place.applicationId } });
  expect(found.text).toContain(`../console/developers/${place.applicationId}"`);
});

import { randomInt } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { dayMs, minuteMs } from '../../../../functions/shared/runtime/clock.ts';
import {
  bearer,
  call,
  good,
  goodPlan,
  newSecret,
  newSeller,
  newTenant,
  newUser,
} from '../../../support/call.ts';
import { pagesOf } from '../../../support/lists/pages.ts';
import { goodPayment } from '../../../support/samples/finance.ts';
import { asOperator, newApplication, profile } from '../../../support/samples/operator.ts';
import { samples } from '../../../support/samples/requests.ts';

// A day of a far year that no other test uses: the table is shared.
let nowMs: number;
beforeEach(() => {
  nowMs = Date.UTC(2200, 0, 15) + randomInt(500_000) * dayMs;
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
});
const passDays = (days: number) => vi.setSystemTime(Date.now() + days * dayMs);

const olga = () => newSecret('operator_key', { name: 'Olga Operator', scopes: ['admin'] });

/** Creates an application, as one action. @returns its id. */
async function change(secret: string, name = 'A'): Promise<string> {
  const body = Object.assign({}, newApplication, { name });
  const { application } = good(await call('applications.create', await asOperator({ body }, secret)));
  vi.setSystemTime(Date.now() + 1);
  return application._id;
}

const page = async (query: Record<string, string>, headers: Record<string, string> = {}) =>
  call('operator.action-list', { query, headers: { ...bearer((await olga()).secret), ...headers } });

/** @param between runs after each page. */
async function objectsOf(query: Record<string, string>, between: () => Promise<unknown>): Promise<string[]> {
  const pages = await pagesOf((place) => page({ ...query, ...place }), between);
  return pages.flatMap(({ actions }) => actions.map(({ object }: { object: { id: string } }) => object.id));
}

describe('the list of actions', () => {
  test('has each action of several months once, newest first, while actions are added', async () => {
    const { secret, keyId } = await olga();
    const made: string[] = [];
    for (const days of [0, 20, 20, 20, 0, 60, 0]) {
      passDays(days);
      made.push(await change(secret));
    }
    const ids = await objectsOf({ keyId, limit: '2' }, () => change(secret));
    expect(ids).toEqual(made.toReversed());
  });

  test('ends with the last action when a page is full', async () => {
    const { secret, keyId } = await olga();
    for (let i = 0; i < 2; i += 1) await change(secret);
    const first = good(await page({ keyId, limit: '2' }));
    expect(first.actions).toHaveLength(2);
    const rest = first.nextCursor && good(await page({ keyId, limit: '2', cursor: first.nextCursor }));
    expect(rest?.actions ?? []).toEqual([]);
  });

  test('goes back a year', async () => {
    const { secret, keyId } = await olga();
    const id = await change(secret);
    const ids = () => objectsOf({ keyId }, async () => undefined);
    passDays(364);
    expect(await ids()).toEqual([id]);
    passDays(2);
    expect(await ids()).toEqual([]);
    expect(good(await page({ keyId, from: new Date(nowMs).toISOString() })).actions).toEqual([]);
    // Its own list has it for good.
    const history = good(await call('operator.audit-list', await asOperator({ params: { id } }))).history;
    expect(history).toMatchObject([{ action: 'application.created', by: { id: keyId } }]);
  });

  test('shows the actions of a period, of a key, on an object, and of a kind', async () => {
    const one = await olga();
    const other = await olga();
    const ids = [await change(one.secret), await change(other.secret)];
    const [id = ''] = ids;
    const body = goodPlan;
    const { plan } = good(await call('plans.create', await asOperator({ params: { id }, body }, one.secret)));
    const from = new Date(nowMs).toISOString();
    const shown = async (query: Record<string, string>) =>
      good(await page({ from, ...query })).actions.map(({ object }: { object: object }) => object);
    const objects = [
      { kind: 'plan', id: plan._id, applicationId: id },
      { kind: 'application', id: ids[1], applicationId: ids[1] },
      { kind: 'application', id, applicationId: id },
    ];
    const [ofPlan, ofOther, ofFirst] = objects;
    expect(await shown({})).toEqual(objects);
    expect(await shown({ keyId: one.keyId })).toEqual([ofPlan, ofFirst]);
    expect(await shown({ keyId: other.keyId, objectId: id })).toEqual([]);
    expect(await shown({ objectId: plan._id })).toEqual([ofPlan]);
    expect(await shown({ action: 'plan.created' })).toEqual([ofPlan]);
    expect(await shown({ applicationId: id })).toEqual([ofPlan, ofFirst]);
    expect(await shown({ applicationId: ids[1] ?? '' })).toEqual([ofOther]);
    expect(await shown({ applicationId: (await newTenant()).applicationId })).toEqual([]);
    expect(await shown({ to: from })).toEqual([]);
    for (const query of [{ action: 'plan' }, { action: '*' }, { keyId: '' }, { from: 'x' }])
      expect((await page(query)).status).toBe(400);
  });

  test('says what changed, with the former values, and why', async () => {
    const { secret, keyId } = await olga();
    const { applicationId: id } = await newTenant();
    const request = (body: object, more: object = {}) =>
      asOperator({ params: Object.assign({ id }, more), body }, secret);
    const { plan } = good(await call('plans.create', await request(goodPlan)));
    const changes = { price: 12.5, name: goodPlan.name };
    good(await call('plans.update', await request(changes, { planId: plan._id })));
    vi.setSystemTime(Date.now() + 1);
    good(await call('plans.update', await request(changes, { planId: plan._id })));
    const [changed, ...others] = good(await page({ keyId, action: 'plan.changed' })).actions;
    expect(others).toEqual([]);
    expect(changed.before).toEqual({ priceMinor: 999 });

    const seller = await newSeller();
    const headers = { ...bearer(secret), 'x-application-id': seller.applicationId };
    const recorded = good(await call('payments.create', { headers, body: goodPayment() }));
    const params = { id: recorded.payment._id };
    good(await call('payments.return', { headers, params, body: { reason: 'Paid twice.' } }));
    expect(good(await page({ keyId, action: 'payment.returned' })).actions).toMatchObject([
      { object: { id: params.id, applicationId: seller.applicationId }, reason: 'Paid twice.' },
    ]);
  });

  test('has nothing that an application does with a key of its own, or a user', async () => {
    const seller = await newSeller();
    const body = goodPayment();
    good(await call('payments.create', { headers: bearer(seller.apiKey), body }));
    expect(good(await page({ applicationId: seller.applicationId })).actions).toEqual([]);
  });

  test('names the person of a key that was revoked, and refuses that key', async () => {
    const { secret, keyId } = await olga();
    const request = await asOperator({ body: { name: 'Rita Reviewer', scopes: ['admin'] } }, secret);
    const rita = good(await call('operator.operator-key-create', request));
    await change(rita.secret);
    const params = { keyId: rita.keyId };
    good(await call('operator.operator-key-revoke', await asOperator({ params }, secret)));
    expect(good(await page({ keyId: rita.keyId })).actions).toMatchObject([
      { by: { name: 'Rita Reviewer' } },
    ]);
    expect(
      good(await page({ keyId, objectId: rita.keyId })).actions.map((one: { action: string }) => one.action),
    ).toEqual(['operator_key.revoked', 'operator_key.created']);
    vi.setSystemTime(Date.now() + minuteMs);
    expect((await call('operator.action-list', { headers: bearer(rita.secret) })).status).toBe(401);
  });

  test('as CSV has a row for each action, in which hostile text is no formula', async () => {
    const { secret, keyId } = await newSecret('operator_key', {
      name: '=HYPERLINK("https://evil.example")',
      scopes: ['admin'],
    });
    const { applicationId: id } = await newTenant();
    const params = { userId: `+user-${randomInt(1e9)}` };
    good(await call('users.upsert', await asOperator({ params, body: profile() }, secret)));
    const body = { devices: true, reason: '@SUM(A1),"\r\n-1' };
    good(await call('users.reset', await asOperator({ params, body }, secret)));
    const rename = { name: 'A' };
    good(await call('applications.update', await asOperator({ params: { id }, body: rename }, secret)));
    const { headers, text } = await page({ keyId, limit: '100' }, { accept: 'text/csv' });
    expect(headers['content-type']).toMatch(/^text\/csv/);
    expect(text).toMatch(
      /^at,action,objectKind,objectId,applicationId,keyId,person,from,reason,revision,before,/,
    );
    expect(text.match(/'=HYPERLINK/g)).toHaveLength(3);
    expect(text).toContain(`user.reset,user,'${params.userId}`);
    expect(text).toContain(`"'@SUM(A1),""\r\n'-1"`);
    const next = await page({ keyId, limit: '1' }, { accept: 'text/csv' });
    expect(next.headers.link).toMatch(/^<https:.*\/api\/operator\/audit\?.*cursor=.*rel="next"$/);
  });

  test('as CSV has in a column each of the changes that it has as JSON', async () => {
    const { secret, keyId } = await olga();
    const id = await change(secret);
    const { userId } = await newUser();
    const request = (params: Record<string, string>, body: object = {}) =>
      asOperator({ params, body }, secret);
    good(await call('users.reset', await request({ userId }, { devices: true, reason: 'Lost.' })));
    const grant = { ...(await samples['users.grant-revoke']?.()), headers: bearer(secret) };
    good(await call('users.grant-revoke', grant));
    good(await call('applications.key-create', await request({ id }, { kind: 'client_secret' })));
    const rita = { name: 'Rita Reviewer', scopes: ['review', 'support'] };
    good(await call('operator.operator-key-create', await request({}, rita)));
    const { text } = await page({ keyId }, { accept: 'text/csv' });
    const rows: Record<string, string>[] = parse(text, { columns: true });
    const { actions } = good(await page({ keyId }));
    expect(rows).toHaveLength(actions.length);
    for (const name of ['reset', 'grant', 'key', 'operatorKey']) {
      const shown = actions.map((one: Record<string, unknown>) => one[name]);
      expect(shown.filter(Boolean), name).toHaveLength(1);
      expect(rows.map((row) => (row[name] ? JSON.parse(row[name]) : undefined))).toEqual(shown);
    }
    expect(rows.map(({ objectKind }) => objectKind)).toEqual(
      actions.map(({ object }: { object: { kind: string } }) => object.kind),
    );
  });
});

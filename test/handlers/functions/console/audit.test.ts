import { randomInt } from 'node:crypto';
import { actionList, showAudit } from '../../../../functions/console/audit.ts';
import type { RecordPages } from '../../../../functions/console/pages/sections.ts';
import { addressesFrom, type Visit } from '../../../../functions/console/pages/visit.ts';
import type { ActionListQuery, AuditRecordResponse } from '../../../../functions/operator/audit/schemas.ts';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { call, good, goodPlan, newSecret, newTenant } from '../../../support/call.ts';
import { signedIn } from '../../../support/samples/console.ts';
import { browse } from '../../../support/samples/forms.ts';
import { asOperator, newApplication, profile } from '../../../support/samples/operator.ts';

const hostile = '=<script>alert(1)</script>"';

const hostileKey = () => newSecret('operator_key', { name: hostile, scopes: ['admin'] });

const audit = async (query: Record<string, string>, ...scopes: Parameters<typeof signedIn>) =>
  browse('console.audit', { headers: { ...(await signedIn(...scopes)), accept: 'text/html' }, query });

const rowsOf = (text: string) => text.match(/<tr><th scope="row"/g)?.length ?? 0;

async function makeApplications(secret: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const body = Object.assign({}, newApplication, { name: `Application ${i}` });
    ids.push(good(await call('applications.create', await asOperator({ body }, secret))).application._id);
  }
  return ids;
}

const visit: Visit = Object.assign(addressesFrom('/console/audit'), {
  operator: { keyId: 'key_1', name: 'Olga', from: '192.0.2.1' },
  scopes: ['admin'],
  formToken: 'token',
  path: '/console/audit' as const,
  query: {},
  notice: undefined,
  noticeForm: undefined,
  nowMs: 0,
  sessionEndsAtMs: 0,
});

const actionOn = (object: AuditRecordResponse['object']) => ({
  at: '2026-11-01T00:00:00.000Z',
  action: 'a',
  object,
  by: { kind: 'operator' as const, id: 'k', name: 'n', from: 'f' },
});

describe('the audit page', () => {
  test('shows who did what to which object, from where, why, and the former values, as text alone', async () => {
    const { secret, keyId } = await hostileKey();
    const { applicationId: id } = await newTenant();
    const changed = async (body: object) =>
      good(await call('applications.update', await asOperator({ params: { id }, body }, secret)));
    const redirectUris = [`https://app.example/${'x'.repeat(300)}`];
    await changed({ name: hostile, redirectUris });
    await changed({ name: 'Plain', redirectUris: [`${redirectUris}y`] });
    const params = { userId: `<b>-${randomInt(1e9)}` };
    good(await call('users.upsert', await asOperator({ params, body: profile() }, secret)));
    const body = { devices: true, reason: hostile };
    good(await call('users.reset', await asOperator({ params, body }, secret)));
    const { status, text } = await audit({ keyId, from: '', to: '', objectId: '', action: '' });
    expect(status).toBe(200);
    expect(rowsOf(text)).toBe(4);
    expect(text).not.toMatch(/<script|<b>/);
    const shown = '=&lt;script&gt;alert(1)&lt;/script&gt;&quot;';
    expect(text).toContain(`>${shown}<br><a class="id" href="../console/audit?keyId=${keyId}">${keyId}</a>`);
    expect(text).toContain(`<td data-title="Action" dir="auto">application changed</td>`);
    expect(text).toContain(`<dt>name</dt><dd dir="auto">${shown}</dd>`);
    expect(text).not.toContain('x'.repeat(200));
    expect(text).toContain(`<td data-title="Reason" dir="auto">${shown}</td>`);
    expect(text).toContain('<dt>ended</dt><dd dir="auto">devices</dd>');
    expect(text).toContain(`<span class="id">&lt;b&gt;-`);
    const csv = await audit({ keyId, format: 'csv' });
    expect(csv.headers).toMatchObject({
      'content-type': expect.stringMatching(/^text\/csv/),
      'content-disposition': 'attachment; filename="audit.csv"',
    });
    expect(csv.text.match(/'=<script>/g)?.length).toBeGreaterThanOrEqual(4);
    expect(csv.text).toContain('x'.repeat(300));
  });

  test('filters, and leads from page to page without showing an action twice', async () => {
    const { secret, keyId } = await hostileKey();
    const ids = await makeApplications(secret, 53);
    const [id = ''] = ids;
    good(await call('plans.create', await asOperator({ params: { id }, body: goodPlan }, secret)));
    const first = await audit({ keyId, action: 'application.created' });
    expect(rowsOf(first.text)).toBe(50);
    const [, next = ''] = /href="\.\.(\/console\/audit\?[^"]*)">Next page/.exec(first.text) ?? [];
    const query = Object.fromEntries(new URLSearchParams(next.replaceAll('&amp;', '&').split('?')[1]));
    expect(query).toMatchObject({ keyId, action: 'application.created' });
    const second = await audit(query);
    expect(rowsOf(second.text)).toBe(3);
    for (const one of ids)
      expect([first.text.includes(one), second.text.includes(one)].filter(Boolean)).toHaveLength(1);
    // The file begins with the page, and goes on after it.
    const file = async (more: object) =>
      (await audit(Object.assign({ keyId, format: 'csv' }, more))).text.trim().split('\r\n').slice(1);
    expect(await file({ action: 'application.created' })).toHaveLength(53);
    expect(await file(query)).toHaveLength(3);
    expect(await file({})).toHaveLength(54);
    for (const [filters, count] of [
      [{ objectId: id }, 1],
      [{ applicationId: id }, 2],
      [{ action: 'plan.created' }, 1],
      [{ to: '2020-01-01' }, 0],
    ] as const)
      expect(rowsOf((await audit(Object.assign({ keyId }, filters))).text)).toBe(count);
  });

  test.each([
    [1_000, false, 'audit.csv'],
    [300, true, 'audit-part.csv'],
  ])('names a file of %i actions after which more follow (%j): %s', async (count, hasMore, name) => {
    let left = count;
    const read = async ({ limit = 0 }: ActionListQuery) => {
      const items = Array.from({ length: Math.min(limit, left, 77) }, (_, i) =>
        actionOn({ kind: 'plan', id: `p${i}` }),
      );
      left -= items.length;
      return { items, ...defined({ nextCursor: left > 0 || hasMore ? 'next' : undefined }) };
    };
    const answer = await showAudit({}, Object.assign({}, visit, { query: { format: 'csv' } }), read);
    expect(answer).toMatchObject({ kind: 'file', name });
    expect(answer.kind === 'file' && answer.body.trim().split('\r\n')).toHaveLength(count + 1);
  });

  test.each([
    [{ from: '2026-02-31' }, 'must be a day such as'],
    [{ action: '"><script>' }, 'id="action-error" role="alert">must be'],
    [{ from: '2026-02-01', to: '2026-01-01' }, 'id="from-error" role="alert">must not be after'],
    [{ keyId: 'x'.repeat(256), to: 'x' }, 'id="to-error"'],
  ])('says what is wrong with the filters %o, and lists nothing', async (query, problem) => {
    const { status, text } = await audit(query);
    expect(status).toBe(400);
    expect(text).toContain(problem);
    expect(text).not.toMatch(/<script|<table/);
  });

  test('refuses the cursor of other filters', async () => {
    const { secret, keyId } = await hostileKey();
    await makeApplications(secret, 1);
    const { body } = await call('operator.action-list', await asOperator({ query: { limit: '1' } }, secret));
    const { status, text } = await audit({ keyId, cursor: body.nextCursor ?? 'x' });
    expect([status, text.includes('This request is not valid')]).toEqual([400, true]);
  });

  test('links an object to its page where all of its ids are known', () => {
    const linksOf = (object: { kind: string; id: string; applicationId?: string }, pages: RecordPages) => {
      const { markup } = actionList(visit, { items: [actionOn(object)] }, pages);
      return [...markup.matchAll(/href="(\.\.\/console\/t[^"]*)"/g)].map(([, href]) => href);
    };
    const pages: RecordPages = {
      subscription: '/console/t/{applicationId}/{id}',
      bank_statement: '/console/t/{id}',
      link: '/console/t/{userId}/{id}',
    };
    const own = { id: 'a/b', applicationId: 'app_1' };
    const of = (kind: string) => linksOf(Object.assign({ kind }, own), pages);
    expect(of('subscription')).toEqual(['../console/t/app_1/a%2Fb']);
    expect(of('bank_statement')).toEqual(['../console/t/a%2Fb']);
    expect(linksOf({ kind: 'subscription', id: 'a' }, pages)).toEqual([]);
    for (const kind of ['link', 'plan', 'delivery', 'constructor']) expect(of(kind)).toEqual([]);
  });
});

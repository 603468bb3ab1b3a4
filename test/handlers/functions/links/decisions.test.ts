import { randomInt } from 'node:crypto';
import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
import { bearer, call, good, newOperatorKey, newSecret } from '../../../support/call.ts';
import { pagesOf } from '../../../support/lists/pages.ts';
import {
  decide,
  goodLink,
  linkCall,
  newParties,
  type Parties,
  submittedId,
} from '../../../support/samples/links.ts';

// A day of a far year that no other test uses: the table is shared.
let dayStartMs: number;
beforeEach(() => {
  dayStartMs = Date.UTC(2200, 0, 1) + randomInt(500_000) * dayMs;
  vi.useFakeTimers({ toFake: ['Date'], now: dayStartMs });
});
type Listed = Record<string, unknown> & { linkId: string };

const newReviewer = (name: string) => newSecret('operator_key', { name, scopes: ['review'] });
const minute = (n: number) => vi.setSystemTime(dayStartMs + n * 60_000);
const isoAt = (n: number) => new Date(dayStartMs + n * 60_000).toISOString();
const day = () => new Date(dayStartMs).toISOString().slice(0, 10);

const ask = async (query: Record<string, string>, headers: Record<string, string> = {}) =>
  call('links.decision-list', {
    headers: { ...bearer(await newOperatorKey({ scopes: ['review'] })), ...headers },
    query: { from: day(), to: day(), ...query },
  });

/** All pages of the list of the day. */
const decisionsOf = async (query: Record<string, string> = {}): Promise<Listed[][]> =>
  (await pagesOf((place) => ask({ ...query, ...place }))).map(({ reviews }) => reviews);
const idsOf = async (query: Record<string, string>) =>
  (await decisionsOf(query)).flat().map(({ linkId }) => linkId);

/** Links of which two reviewers decide one a minute: Rita verifies the even ones, Otto rejects the others. */
async function decided(count: number) {
  const [parties, rita, otto] = await Promise.all([newParties(), newReviewer('Rita'), newReviewer('Otto')]);
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const id = await submittedId(parties, { title: `Link ${n}` });
    minute(n);
    good(
      n % 2 === 0
        ? await decide(rita.secret, id, { decision: 'verified' })
        : await decide(otto.secret, id, { decision: 'rejected', reason: 'Not theirs' }),
    );
    ids.push(id);
  }
  return { parties, rita, otto, ids };
}

const rename = async (parties: Parties, id: string) =>
  good(await call('links.update', linkCall(parties, id, { title: 'Changed' })));

describe('the list of decisions', () => {
  test('has each decision once, newest first, with the link as the reviewer saw it', async () => {
    const { parties, rita, otto, ids } = await decided(5);
    const { applicationId, userId } = parties;
    const [first = '', second = ''] = ids;
    await rename(parties, first);
    await call('links.remove', linkCall(parties, second));
    minute(9);
    good(await decide(otto.secret, first, { decision: 'rejected' }));
    const common = { applicationId, userId, url: goodLink.url, platform: goodLink.platform };
    const by = ({ keyId }: { keyId: string }, name: string) => ({ kind: 'operator', id: keyId, name });
    const original = ids.map((linkId, n) => {
      const what = { ...common, linkId, title: `Link ${n}`, decidedAt: isoAt(n), revision: 2 };
      return n % 2 === 0
        ? { ...what, decision: 'verified', by: by(rita, 'Rita') }
        : { ...what, decision: 'rejected', by: by(otto, 'Otto'), reason: 'Not theirs' };
    });
    const again = {
      ...common,
      linkId: first,
      title: 'Changed',
      decision: 'rejected',
      decidedAt: isoAt(9),
      revision: 4,
      by: by(otto, 'Otto'),
    };
    const pages = await decisionsOf({ limit: '2' });
    expect(pages.map((page) => page.length)).toEqual([2, 2, 2]);
    expect(pages.flat()).toEqual([again, ...original.toReversed()]);
  });

  test('has the decisions of a kind, of a reviewer by their name or key, and of a time', async () => {
    const { rita, ids } = await decided(4);
    const [a, b, c, d] = ids;
    expect(await idsOf({ decision: 'verified', limit: '1' })).toEqual([c, a]);
    expect(await idsOf({ decision: 'rejected' })).toEqual([d, b]);
    expect(await idsOf({ reviewer: rita.keyId })).toEqual([c, a]);
    expect(await idsOf({ reviewer: 'Otto' })).toEqual([d, b]);
    expect(await idsOf({ reviewer: 'Otto', decision: 'verified' })).toEqual([]);
    expect(await idsOf({ from: isoAt(1), to: isoAt(3) })).toEqual([c, b]);
    for (const reviewer of ['otto', 'Ott', '*', '%', rita.keyId.slice(0, -1)])
      expect([reviewer, await idsOf({ reviewer })]).toEqual([reviewer, []]);
  });

  test('has no decision on two pages while others are made', async () => {
    const { parties, rita, ids } = await decided(4);
    const first = good(await ask({ limit: '2' }));
    minute(9);
    const [id = ''] = ids;
    await rename(parties, id);
    good(await decide(rita.secret, id, { decision: 'verified' }));
    const rest = good(await ask({ limit: '2', cursor: first.nextCursor }));
    const listed: Listed[] = [...first.reviews, ...rest.reviews];
    expect(listed.map(({ linkId }) => linkId)).toEqual(ids.toReversed());
    expect(rest.nextCursor).toBeUndefined();
  });

  test('as CSV has a reason of several lines in one cell, and a name of a formula as text', async () => {
    const [parties, reviewer] = await Promise.all([newParties(), newReviewer('=Rita')]);
    const id = await submittedId(parties, { title: 'A, "b"' });
    const reason = 'Not theirs.\nAsk again.';
    good(await decide(reviewer.secret, id, { decision: 'rejected', reason }));
    const { headers, text } = await ask({}, { accept: 'text/csv' });
    expect([headers['content-type'], headers.vary]).toEqual([
      'text/csv; charset=utf-8; header=present',
      'accept',
    ]);
    const { applicationId, userId } = parties;
    const cells = [id, applicationId, userId, '"A, ""b"""', goodLink.url, goodLink.platform, 'rejected'];
    cells.push(isoAt(0), '2', reviewer.keyId, "'=Rita", `"${reason}"`);
    expect(text).toBe(
      `linkId,applicationId,userId,title,url,platform,decision,decidedAt,revision,keyId,reviewer,reason\r\n${cells.join(',')}\r\n`,
    );
  });

  test('refuses another decision, a time that is none and a cursor of other filters', async () => {
    await decided(2);
    const { nextCursor } = good(await ask({ limit: '1' }));
    const refused: [Record<string, string>, string][] = [
      [{ decision: 'pending' }, 'decision'],
      [{ reviewer: '' }, 'reviewer'],
      [{ reviewer: 'a\nb' }, 'reviewer'],
      [{ from: 'yesterday' }, 'from'],
      [{ cursor: nextCursor, reviewer: 'Rita' }, 'cursor'],
    ];
    for (const [query, field] of refused) {
      const { status, body } = await ask(query);
      expect([query, status, Object.keys(body.details)]).toEqual([query, 400, [field]]);
    }
  });
});

/** The pages of reviewers: the queue, claims and decisions. */

import { randomUUID } from 'node:crypto';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import type { OperatorScope } from '../../../../functions/shared/contract/operator-scopes.ts';
import { dayMs, minuteMs } from '../../../../functions/shared/runtime/clock.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { createTable } from '../../../../lib/local/table.ts';
import { bearer, call, newSecret } from '../../../support/call.ts';
import { eventsOf } from '../../../support/events.ts';
import { failTable } from '../../../support/faults.ts';
import { cookieOf, formTokenIn, newConsoleKey, signIn } from '../../../support/samples/console.ts';
import { deployedFiles } from '../../../support/samples/deployed-files.ts';
import { browse, form, formType, type PageResponse } from '../../../support/samples/forms.ts';
import {
  decide as decideByApi,
  linkCall,
  newParties,
  submit,
  submittedId,
} from '../../../support/samples/links.ts';

// A table of its own for each test: the queue is one for all applications.
const sharedTable = process.env.TABLE_NAME;
beforeAll(() => {
  deployedFiles();
});
beforeEach(async () => {
  process.env.TABLE_NAME = `console-reviews-${randomUUID()}`;
  await createTable(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '', process.env.TABLE_NAME);
});
afterAll(() => {
  process.env.TABLE_NAME = sharedTable;
});

/** A browser of a person who is signed in. */
async function reviewer(name: string, scopes: readonly OperatorScope[] = ['review']) {
  const { keyId, secret } = await newConsoleKey(scopes, { name });
  const headers = { cookie: cookieOf(await signIn({ key: secret })) };
  const token = formTokenIn((await browse('console.home', { headers })).text);
  const send = (fields: Record<string, string>) => ({
    headers: { ...formType, ...headers },
    body: form({ form: token, ...fields }),
  });
  return {
    keyId,
    headers,
    queue: (query: Record<string, string> = {}) => browse('console.review-queue', { headers, query }),
    next: () => browse('console.review-next', send({})),
    open: (linkId: string, query: Record<string, string> = {}) =>
      browse('console.review-show', { headers, params: { linkId }, query }),
    submit: (linkId: string, fields: Record<string, string>) =>
      browse('console.review-submit', { ...send(fields), params: { linkId } }),
  };
}

const verify = { action: 'verify', revision: '1' };
const linkIn = ({ headers }: PageResponse) => /reviews\/(lnk_\w+)/.exec(headers.location ?? '')?.[1];
const noticeIn = ({ headers }: PageResponse) =>
  new URL(headers.location ?? '', 'https://api.test/console/reviews/x').searchParams.get('notice')?.slice(22);
const statusOf = async (parties: Awaited<ReturnType<typeof newParties>>, id: string) =>
  (await call('links.read', linkCall(parties, id))).body.trustLink?.verificationStatus;
const inOrder = async (parties: Awaited<ReturnType<typeof newParties>>, count: number) => {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await submittedId(parties, { title: `Link ${n}` }));
  return ids;
};
const visibleText = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

/** The table of the links that wait. */
const queueIn = (text: string) => text.slice(text.indexOf('Links waiting for review'));

describe('the queue', () => {
  test('lists what waits with platform, application, waiting time and reader, and the waiting times of all', async () => {
    const startMs = Date.parse('2026-03-01T10:00:00Z');
    vi.useFakeTimers({ toFake: ['Date'], now: startMs });
    const parties = await newParties();
    const [first] = await inOrder(parties, 1);
    for (let n = 1; n < 20; n += 1) {
      vi.setSystemTime(startMs + n * minuteMs);
      await submittedId(parties, { title: `Later ${n}` });
    }
    vi.setSystemTime(startMs + 60 * minuteMs);
    const rita = await reviewer('Rita');
    const sam = await reviewer('Sam');
    await rita.open(first ?? '');
    const { status, text } = await sam.queue();
    expect(status).toBe(200);
    const rows = [...queueIn(text).matchAll(/<tr><th scope="row".*?<\/tr>/gs)].map(([row]) =>
      visibleText(row).trim(),
    );
    expect(rows[0]).toBe('Link 0 YouTube Example App 1 h – Rita');
    expect(rows[1]).toBe('Later 1 YouTube Example App 59 min – –');
    expect(rows).toHaveLength(20);
    // The 10th and the 19th of the 20 times of 41 to 60 minutes.
    expect(visibleText(text)).toContain('That wait 20 50 min 59 min');
  });

  test('shows how long the links waited that were decided in the last 30 days', async () => {
    const startMs = Date.parse('2026-03-01T10:00:00Z');
    vi.useFakeTimers({ toFake: ['Date'], now: startMs });
    const ids = await inOrder(await newParties(), 21);
    const api = (await newSecret('operator_key', { name: 'Rita', scopes: ['review'] })).secret;
    for (const [n, id] of ids.entries()) {
      vi.setSystemTime(startMs + (n + 1) * minuteMs);
      await decideByApi(api, id, { decision: n % 2 === 0 ? 'verified' : 'rejected' });
    }
    const rita = await reviewer('Rita');
    // The 11th and the 20th of the 21 times of 1 to 21 minutes.
    const { text } = await rita.queue();
    expect(visibleText(text)).toContain('Decided 21 11 min 20 min');
    // The first one is older than 30 days then.
    vi.setSystemTime(startMs + 30 * dayMs + minuteMs + 1);
    const later = await (await reviewer('Rita')).queue();
    expect(visibleText(later.text)).toContain('Decided 20 11 min 20 min');
    vi.setSystemTime(startMs + 31 * dayMs);
    expect((await (await reviewer('Rita')).queue()).text).not.toContain('Decided');
  });

  test('has pages of 50, and waiting times of the first one alone', async () => {
    await submit(await newParties(), 50);
    await submit(await newParties(), 2);
    const rita = await reviewer('Rita');
    const { text } = await rita.queue();
    expect(text.match(/ data-row>/g)).toHaveLength(50);
    expect(visibleText(text)).toContain('That wait 52 ');
    const cursor = /cursor=([\w-]+)/.exec(text)?.[1] ?? '';
    const second = await rita.queue({ cursor });
    expect(second.text.match(/ data-row>/g)).toHaveLength(2);
    expect(second.text).not.toContain('Median');
    expect((await rita.queue({ cursor: `${cursor}x` })).status).toBe(400);
  });

  test('runs the script of its keys, and no other', async () => {
    const { text, hasScript, headers } = await (await reviewer('Rita')).queue();
    expect([hasScript, text.includes('<script')]).toEqual([true, false]);
    expect(headers['content-security-policy']).toMatch(
      /; script-src 'sha256-[^']+'; form-action 'self'; require-trusted-types-for 'script'; trusted-types 'none';/,
    );
  });
});

describe('a claim', () => {
  test('ends after ten minutes, and opening the link again prolongs it', async () => {
    const id = await submittedId(await newParties());
    const [rita, sam] = await Promise.all([reviewer('Rita'), reviewer('Sam')]);
    const startMs = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: startMs });
    await rita.open(id);
    vi.setSystemTime(startMs + 9 * minuteMs);
    await rita.open(id);
    vi.setSystemTime(startMs + 18 * minuteMs);
    expect((await sam.open(id)).text).toContain('Claimed by Rita');
    vi.setSystemTime(startMs + 19 * minuteMs);
    expect((await sam.open(id)).text).toContain('value="verify"');
    expect((await rita.open(id)).text).toContain('Claimed by Sam');
  });

  test('changes neither the link nor its history, and a link that does not wait has none', async () => {
    const parties = await newParties();
    const id = await submittedId(parties);
    const rita = await reviewer('Rita');
    const key = keys.link(parties.applicationId, parties.userId, id);
    const before = await getItem(key);
    await rita.open(id);
    expect(await getItem(key)).toEqual(before);
    const { secret } = await newSecret('operator_key', { scopes: ['review'] });
    await decideByApi(secret, id, { decision: 'verified' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20 * minuteMs });
    const sam = await reviewer('Sam');
    expect((await sam.open(id)).text).not.toMatch(/value="(verify|reject|take-over)"/);
    await sam.submit(id, { action: 'take-over', holder: rita.keyId });
    expect((await getItem(keys.reviewClaim(id)))?.keyId).toBe(rita.keyId);
    const unknown = `lnk_${'0'.repeat(26)}`;
    expect((await sam.open(unknown)).status).toBe(404);
    expect(await getItem(keys.reviewClaim(unknown))).toBeUndefined();
  });

  test('of a decision ends with it: a link that changes later waits for anybody', async () => {
    const parties = await newParties();
    const id = await submittedId(parties);
    const rita = await reviewer('Rita');
    await rita.open(id);
    await rita.submit(id, verify);
    expect(await getItem(keys.reviewClaim(id))).toBeUndefined();
  });
});

describe('a decision', () => {
  test('leads to the next link that nobody reads, with a notice and a record of the person', async () => {
    const parties = await newParties();
    const ids = await inOrder(parties, 4);
    const [rita, sam] = await Promise.all([reviewer('Rita'), reviewer('Sam')]);
    await rita.open(ids[1] ?? '');
    await sam.open(ids[2] ?? '');
    const answer = await rita.submit(ids[1] ?? '', {
      action: 'reject',
      revision: '1',
      reason: 'unreachable',
      words: 'It answers 404.',
    });
    expect([answer.status, linkIn(answer), noticeIn(answer)]).toEqual([303, ids[3], '“Link 1” is rejected.']);
    expect(await statusOf(parties, ids[1] ?? '')).toBe('rejected');
    const { secret } = await newSecret('operator_key', { scopes: ['admin'] });
    const { body } = await call('operator.action-list', { headers: bearer(secret) });
    expect(body.actions.find(({ action }: { action: string }) => action === 'link.rejected')).toMatchObject({
      by: { name: 'Rita' },
      object: { id: ids[1] },
    });
    const page = await sam.open(ids[1] ?? '');
    expect(visibleText(page.text)).toContain('The address cannot be reached. It answers 404.');
    // The last one leads to the start of the queue.
    expect(linkIn(await rita.submit(ids[3] ?? '', verify))).toBe(ids[0]);
    const last = await rita.submit(ids[0] ?? '', verify);
    expect([linkIn(last), noticeIn(last)]).toEqual([
      undefined,
      '“Link 0” is verified. No unclaimed links are waiting.',
    ]);
  });

  test('on a link that changed meanwhile decides nothing, and shows its new state', async () => {
    const parties = await newParties();
    const id = await submittedId(parties);
    const rita = await reviewer('Rita');
    await rita.open(id);
    await call('links.update', linkCall(parties, id, { title: 'Something else' }));
    const refused = await rita.submit(id, verify);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('The link has changed since you read it. Nothing was decided.');
    expect(refused.text).toContain('<h1 dir="auto">Something else</h1>');
    expect(refused.text).toContain('name="revision" value="2"');
    expect(await statusOf(parties, id)).toBe('pending');
    expect((await rita.submit(id, { action: 'verify', revision: '2' })).status).toBe(303);
  });

  test('on a link that was removed or decided meanwhile decides nothing, and says so', async () => {
    const parties = await newParties();
    const [removed = '', decided = ''] = await inOrder(parties, 2);
    const [rita, sam] = await Promise.all([reviewer('Rita'), reviewer('Sam')]);
    await Promise.all([rita.open(removed), rita.open(decided)]);
    await call('links.remove', linkCall(parties, removed));
    const gone = await rita.submit(removed, verify);
    expect(gone.status).toBe(409);
    expect(gone.text).toContain('The link was removed. Nothing was decided.');
    expect(gone.text).not.toContain('value="verify"');
    await sam.submit(decided, { action: 'take-over', holder: rita.keyId });
    await sam.submit(decided, { action: 'reject', revision: '1', reason: 'forbidden' });
    const late = await rita.submit(decided, verify);
    expect([late.status, late.text]).toEqual([
      409,
      expect.stringMatching(
        /The link was rejected by Sam on [^.]+\. Withdraw that decision first\. Nothing was decided\./,
      ),
    ]);
    expect(await statusOf(parties, decided)).toBe('rejected');
    const tooLate = await rita.submit(decided, { action: 'take-over', holder: rita.keyId });
    expect(noticeIn(tooLate)).toBe('The link was decided or removed.');
  });

  test('that is sent again after a failure leads to the queue, and decides nothing twice', async () => {
    const parties = await newParties();
    const [id = ''] = await inOrder(parties, 2);
    const rita = await reviewer('Rita');
    await rita.open(id);
    // It dies after the transaction, before it has the next link.
    const failing = failTable((command) => (command === 'UpdateItemCommand' ? new Error('lost') : undefined));
    expect((await rita.submit(id, verify)).status).toBe(500);
    failing.restore();
    const again = await rita.submit(id, verify);
    expect([again.status, again.headers.location]).toEqual([303, expect.stringContaining('/reviews?')]);
    const page = await rita.open(id);
    expect(page.text.match(/>verified<\/th>/g)).toHaveLength(1);
  });

  test('without a reason rejects nothing, and asks for one', async () => {
    const parties = await newParties();
    const id = await submittedId(parties);
    const rita = await reviewer('Rita');
    for (const fields of [{}, { reason: 'other', words: '  ' }]) {
      const refused = await rita.submit(id, { action: 'reject', revision: '1', ...fields });
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Select a reason')]);
    }
    for (const fields of [{ action: 'erase' }, { action: 'reject', reason: 'constructor' }])
      expect((await rita.submit(id, { revision: '1', ...fields })).status).toBe(400);
    expect(await statusOf(parties, id)).toBe('pending');
  });
});

/** The form beside the notice of a page, as its button sends it. */
const undoIn = (text: string) => {
  const [, linkId = '', fields = ''] =
    /class="notice">.*?action="[^"]*reviews\/(lnk_\w+)"(.*?)Undo<\/button>/s.exec(text) ?? [];
  const sent = [...fields.matchAll(/name="(action|revision|reason)" value="([^"]*)"/g)];
  return { linkId, fields: Object.fromEntries(sent.map(([, name, value]) => [name, value ?? ''])) };
};

describe('a decision just made', () => {
  const opened = async () => {
    const parties = await newParties();
    const [id = '', other = ''] = await inOrder(parties, 2);
    const rita = await reviewer('Rita');
    await rita.open(id);
    return { parties, id, other, rita };
  };
  /** The page that an answer leads to. */
  const followed = (rita: Awaited<ReturnType<typeof reviewer>>, answer: PageResponse) => {
    const { pathname, searchParams } = new URL(
      answer.headers.location ?? '',
      'https://api.test/console/reviews/x',
    );
    const query = Object.fromEntries(searchParams);
    const linkId = /lnk_\w+/.exec(pathname)?.[0];
    return linkId === undefined ? rita.queue(query) : rita.open(linkId, query);
  };

  test('is undone by the form of the next page: the link waits again, with a record, and the application is told', async () => {
    const { parties, id, other, rita } = await opened();
    const next = await followed(rita, await rita.submit(id, verify));
    expect(visibleText(next.text)).toContain('“Link 0” is verified. Undo');
    const undo = undoIn(next.text);
    expect(undo.linkId).toBe(id);
    const undone = await rita.submit(undo.linkId, undo.fields);
    expect([undone.status, linkIn(undone)]).toEqual([303, id]);
    expect(noticeIn(undone)).toBe('The decision is withdrawn. “Link 0” waits for review again.');
    expect(await statusOf(parties, id)).toBe('pending');
    const page = await followed(rita, undone);
    expect(page.text).toContain('value="verify"');
    expect(visibleText(page.text)).toContain('Undone right after the decision.');
    expect((await eventsOf(parties.applicationId)).map(({ type }) => type)).toEqual([
      'link.verified',
      'link.pending',
    ]);
    // The queue offers it too, when no other link is free.
    const sam = await reviewer('Sam');
    await sam.submit(other, { action: 'take-over', holder: rita.keyId });
    const queue = await followed(rita, await rita.submit(id, { action: 'verify', revision: '3' }));
    expect(undoIn(queue.text)).toMatchObject({ linkId: id, fields: { revision: '4' } });
  });

  test('is not undone after the application changed the link, or removed it', async () => {
    const { parties, id, rita } = await opened();
    const { fields } = undoIn((await followed(rita, await rita.submit(id, verify))).text);
    await call('links.update', linkCall(parties, id, { title: 'Something else' }));
    const late = await rita.submit(id, fields);
    expect([late.status, late.text]).toEqual([
      409,
      expect.stringContaining('The link is pending: there is no decision to withdraw. Nothing was decided.'),
    ]);
    await call('links.remove', linkCall(parties, id));
    const gone = await rita.submit(id, fields);
    expect([gone.status, gone.text]).toEqual([409, expect.stringContaining('The link was removed.')]);
  });

  test('is offered to be undone for a minute, and on no page that another session made', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const { id, rita } = await opened();
    const answer = await rita.submit(id, verify);
    const sam = await reviewer('Sam');
    expect((await followed(sam, answer)).text).not.toContain('Undo</button>');
    expect((await followed(rita, answer)).text).toContain('Undo</button>');
    vi.setSystemTime(Date.now() + minuteMs + 1);
    expect((await followed(rita, answer)).text).not.toContain('Undo</button>');
  });
});

test('the page of a decided link withdraws the decision of anybody, with a reason', async () => {
  const parties = await newParties();
  const id = await submittedId(parties);
  const [rita, sam] = await Promise.all([reviewer('Rita'), reviewer('Sam')]);
  await rita.submit(id, { action: 'reject', revision: '1', reason: 'forbidden' });
  const { text } = await sam.open(id);
  expect(text).toContain('value="withdraw"');
  expect(visibleText(text)).toContain('The link is rejected.');
  const withdraw = { action: 'withdraw', revision: '2' };
  for (const reason of ['', ' ']) expect((await sam.submit(id, { ...withdraw, reason })).status).toBe(400);
  // A page that was shown before another decision.
  const stale = await sam.submit(id, { ...withdraw, revision: '1', reason: 'It is allowed.' });
  expect([stale.status, stale.text]).toEqual([
    409,
    expect.stringContaining('The link has changed since you read it. Nothing was decided.'),
  ]);
  expect((await sam.submit(id, { ...withdraw, reason: 'It is allowed.' })).status).toBe(303);
  expect(await statusOf(parties, id)).toBe('pending');
  expect(visibleText((await sam.open(id)).text)).toMatch(/withdrawn .*? Sam key_\w+ It is allowed\./);
  expect(queueIn((await sam.queue()).text)).toContain('Was decided');
});

describe('the page of a link', () => {
  test('shows the former values of what changed since the last decision, and the names of reviewers', async () => {
    const parties = await newParties();
    const id = await submittedId(parties, { title: 'One', description: 'Old' });
    const rita = await reviewer('Rita');
    expect((await rita.open(id)).text).toContain('There is no earlier decision.');
    await rita.submit(id, verify);
    await call('links.update', linkCall(parties, id, { title: 'Two', platform: 'Podcast' }));
    await call(
      'links.update',
      linkCall(parties, id, { title: 'Three', description: '', platform: 'YouTube' }),
    );
    const { text } = await rita.open(id);
    const rows = [
      ...text.matchAll(/<th scope="row" dir="auto">([^<]+).*?<del>(.*?)<\/del>.*?<ins>(.*?)<\/ins>/g),
    ];
    expect(rows.map(([, ...cells]) => cells)).toEqual([
      ['Title', 'One', 'Three'],
      ['Description', 'Old', '–'],
    ]);
    expect(visibleText(text)).toContain(`Rita ${rita.keyId}`);
    expect(text).toContain('The link was verified before it was changed, or its decision was withdrawn.');
    expect(visibleText(text)).toContain('Links in this application 0 verified, 0 rejected');
  });

  test('shows texts in their lines, with the joiners of scripts and emoji, and the host of each address', async () => {
    const parties = await newParties();
    const description = 'Birds.\r\n\r\n👩\u200D🔬 and <b>\nنامه\u200Cای';
    const id = await submittedId(parties, { description, url: 'https://www.уoutube.com/ann' });
    const rita = await reviewer('Rita');
    const shown = 'Birds.\n\n👩\u200D🔬 and &lt;b&gt;\nنامه\u200Cای';
    const { text } = await rita.open(id);
    expect(text).toContain(`<span class="sent">${shown}</span>`);
    expect(text).toContain('>[www.xn--outube-vrf.com] https://www.уoutube.com/ann</a>');
    await rita.submit(id, { action: 'reject', revision: '1', reason: 'other', words: 'One.\r\nTwo.' });
    await call('links.update', linkCall(parties, id, { description: 'New', url: 'https://a.example/' }));
    const changed = (await rita.open(id)).text;
    expect(changed).toContain(`<del><span class="sent">${shown}</span></del>`);
    expect(changed).toContain('<span class="sent">One.\nTwo.</span>');
    expect(changed).toContain('Address: [www.xn--outube-vrf.com] https://www.уoutube.com/ann<');
  });

  test('says that texts differ in characters that nobody sees', async () => {
    const parties = await newParties();
    const id = await submittedId(parties, { title: 'Pay' });
    const rita = await reviewer('Rita');
    await rita.submit(id, verify);
    await call('links.update', linkCall(parties, id, { title: 'P\u200Bay' }));
    expect((await rita.open(id)).text).toContain('differs in characters that are not visible');
  });

  test('leads to the neighbours in the queue that nobody else reads', async () => {
    const ids = await inOrder(await newParties(), 5);
    const [rita, sam] = await Promise.all([reviewer('Rita'), reviewer('Sam')]);
    await Promise.all([sam.open(ids[1] ?? ''), sam.open(ids[3] ?? '')]);
    const { text } = await rita.open(ids[2] ?? '');
    const neighbour = (key: string) => new RegExp(`(lnk_\\w+)" data-key="${key}"`).exec(text)?.[1];
    expect([neighbour('k'), neighbour('j')]).toEqual([ids[0], ids[4]]);
    expect((await rita.open(ids[0] ?? '')).text).not.toContain('data-key="k"');
  });

  test('shows a removed link with its history', async () => {
    const parties = await newParties();
    const id = await submittedId(parties, { title: 'Gone' });
    await call('links.remove', linkCall(parties, id));
    const { status, text } = await (await reviewer('Rita')).open(id);
    expect(status).toBe(200);
    expect(text).toContain('<h1 dir="auto">A removed link</h1>');
    expect(text).toContain('Title: Gone');
  });

  test('escapes names, addresses, reasons and accounts of strangers', async () => {
    const hostile = '"><img src=x onerror=alert(1)>';
    const parties = await newParties();
    const { secret } = await newSecret('operator_key', { scopes: ['admin'] });
    await call('users.social-account-upsert', {
      headers: bearer(secret),
      params: { userId: parties.userId, accountId: 'a' },
      body: {
        platform: hostile,
        username: hostile,
        url: 'https://example.com/?"><img>',
        verified: false,
        verificationStatus: 'unverified',
        isPrimary: false,
      },
    });
    const link = { title: hostile, platform: hostile, description: hostile };
    const id = await submittedId(parties, { ...link, url: 'https://yоutube.example/"><img>' });
    const mallory = await reviewer(hostile);
    await mallory.submit(id, { action: 'reject', revision: '1', words: hostile });
    await call('links.update', linkCall(parties, id, { title: `${hostile}!` }));
    const rita = await reviewer('Rita');
    for (const { status, text } of [await rita.queue(), await rita.open(id)]) {
      expect(status).toBe(200);
      expect(text).not.toMatch(/<img|"onerror|" onerror/);
      expect(text).toContain('&lt;img');
    }
    expect(visibleText((await rita.open(id)).text)).toContain('Site xn--yutube-wqf.example');
  });
});

import * as keys from '../../../functions/shared/contract/keys.ts';
import { secondMs } from '../../../functions/shared/runtime/duration.ts';
import { directoryListing } from '../../../functions/shared/table/listing.ts';
import type { Item } from '../../../functions/shared/table/table.ts';
import { call } from '../../support/call.ts';
import { engineFile, insertListed } from '../../support/lists/listings.ts';
import { asOperator } from '../../support/samples/operator.ts';
import { putItem } from '../../support/stored-items.ts';
import { largeLists as budget } from '../budgets.ts';
import { printTable, round, verdict } from '../print.ts';
import { metered } from './meter.ts';
import { inOwnTable } from './own-table.ts';

const records = 100_000;
const onPage = 50;

type RecordAt = (i: number, atMs: number) => Item;

const applicationAt: RecordAt = (i, createdAtMs) => {
  const applicationId = `app_${i}`;
  const listing = directoryListing('application', { id: applicationId, atMs: createdAtMs });
  return {
    ...keys.application(applicationId),
    ...listing,
    applicationId,
    name: 'Example App',
    redirectUris: [],
    settings: {},
    keys: {},
    createdAtMs,
  };
};

const userAt: RecordAt = (i, createdAtMs) => {
  const userId = `user-${i}`;
  const listing = directoryListing('user', { id: userId, atMs: createdAtMs });
  return { ...keys.user(userId), ...listing, userId, email: `${userId}@example.com`, createdAtMs };
};

/** One decision in a hundred is by the reviewer for whom a row asks: its page looks at some 5,000 entries. */
const decisionAt: RecordAt = (i, atMs) => {
  const link = { linkId: `lnk_${i}`, applicationId: 'app_1', userId: 'user-1', title: 'My channel' };
  const url = 'https://www.youtube.com/@ann';
  const by = { kind: 'operator', id: `key_${i % 100}`, name: `Reviewer ${i % 100}` };
  const facts = { decision: 'verified', keyId: by.id, reviewer: by.name };
  const event = { revision: 2, event: 'verified', atMs, by, before: { verificationStatus: 'pending' } };
  return {
    ...keys.history(link.linkId, 2),
    ...directoryListing('decision', { id: `${link.linkId}#2`, atMs }, facts),
    ...event,
    link: Object.assign({ url, platform: 'YouTube' }, link),
  };
};

const lists: readonly [id: string, what: 'newest' | 'filtered', RecordAt, Record<string, string>][] = [
  ['applications.list', 'newest', applicationAt, {}],
  ['users.list', 'newest', userAt, {}],
  ['links.decision-list', 'newest', decisionAt, {}],
  ['links.decision-list', 'filtered', decisionAt, { reviewer: 'Reviewer 7' }],
];

/** Reads a page of each list across applications. The engine has all entries, and the items of those that a page can show. */
export async function benchLargeLists(): Promise<void> {
  if (engineFile === undefined) return;
  const rows = [];
  for (const list of lists) rows.push(await inOwnTable(() => figures(list)));
  printTable(
    `A page of ${onPage} of lists of ${records.toLocaleString('en')} records`,
    ['list', 'records', 'read units', 'budget', ''],
    rows,
  );
}

async function figures([id, what, recordAt, query]: (typeof lists)[number]): Promise<(string | number)[]> {
  const nowMs = Date.now();
  const items = Array.from({ length: records }, (_, i) => recordAt(i, nowMs - i * secondMs));
  const isShown = (i: number) => i < 2 * onPage || (i < 6_000 && i % 100 === 7);
  await insertListed(items.filter((_, i) => !isShown(i)));
  for (const item of items.filter((_, i) => isShown(i))) await putItem(item);
  const request = await asOperator({ query: { limit: String(onPage), ...query } });
  const { readUnits } = await metered(async () => {
    const { status } = await call(id, request);
    if (status !== 200) throw new Error(`${id} answered ${status}`);
  });
  return [id, what, round(readUnits), budget[what], verdict(readUnits <= budget[what])];
}

import { randomUUID } from 'node:crypto';
import { limits } from '../../../functions/links/api/requests.ts';
import { type Link, newLink } from '../../../functions/links/trust-links/link.ts';
import { linkStore } from '../../../functions/links/trust-links/store.ts';
import { applyDecision, applyUpdate } from '../../../functions/links/trust-links/transitions.ts';
import { defined } from '../../../functions/shared/contract/defined.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { chunks } from '../../../functions/shared/runtime/chunks.ts';
import { newId } from '../../../functions/shared/runtime/ids.ts';
import { bearer, type Call, newOperatorKey, newSecret, putItem } from '../../support/call.ts';
import {
  asApplication,
  decide,
  goodLink,
  linkCall,
  newParties,
  type Parties,
  submit,
} from '../../support/samples/links.ts';
import { type Case, row } from './case.ts';

/** Links submitted one at a time, a millisecond apart, stored as a submission stores them: newest last. */
async function storedLinks({ applicationId, userId }: Parties, count: number): Promise<Link[]> {
  const firstAtMs = Date.now() - count;
  const owner = { applicationId, userId };
  const by = { kind: 'application', id: applicationId } as const;
  const links = Array.from({ length: count }, (_, i) => {
    const atMs = firstAtMs + i;
    const one = { ...goodLink, title: `Link ${i + 1}`, url: `https://www.youtube.com/@ann/${i + 1}` };
    return newLink(owner, one, { linkId: newId('lnk', atMs), atMs, by });
  });
  for (const some of chunks(links, limits.batch)) await linkStore.submit(some, undefined, firstAtMs);
  return links;
}

/** A request of a new application for a user with `count` links. */
async function owning(
  count: number,
  request: (parties: Parties, links: Link[]) => Call | Promise<Call>,
): Promise<Call> {
  const parties = await newParties();
  return request(parties, await storedLinks(parties, count));
}

const oneLink = (body?: object) => () =>
  owning(1, (parties, [link]) => linkCall(parties, link?.linkId ?? '', body));

const submission =
  (count: number, more: Record<string, string> = {}) =>
  async (): Promise<Call> => ({
    headers: { ...asApplication(await newParties()), ...more },
    body: { links: Array.from({ length: count }, (_, i) => ({ ...goodLink, title: `Link ${i + 1}` })) },
  });

const idempotencyKey = () => ({ 'idempotency-key': randomUUID() });

/** A submission that was carried out and whose response was lost. */
async function submittedAgain(): Promise<Call> {
  const parties = await newParties();
  const headers = idempotencyKey();
  await submit(parties, [goodLink], { headers });
  return { headers: { ...asApplication(parties), ...headers }, body: { links: [goodLink] } };
}

const statuses = (count: number) => () =>
  owning(count, (parties, links) => ({
    headers: asApplication(parties),
    body: { linkIds: links.map(({ linkId }) => linkId) },
  }));

const page = (query: Record<string, string>, count: number) => () =>
  owning(count, (parties) => ({ headers: asApplication(parties), query }));

/** A request for `count` platforms, on each of which the user has an account. */
const platforms = (count: number) => async (): Promise<Call> => {
  const parties = await newParties();
  const names = Array.from({ length: count }, (_, i) => `Platform ${i + 1}`);
  for (const platform of names) await putItem(accountItem(parties.userId, platform));
  return { headers: asApplication(parties), body: { platforms: names } };
};

/** An account as operators store it. */
function accountItem(userId: string, platform: string) {
  const atMs = Date.now();
  return {
    ...keys.socialAccount(userId, `${platform.toLowerCase()}#ann`),
    accountId: newId('acc', atMs),
    platform,
    username: 'ann',
    url: 'https://youtube.example/@ann',
    verified: true,
    verificationStatus: 'verified',
    isPrimary: true,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  };
}

async function withToken(): Promise<Call> {
  const parties = await newParties();
  const [link] = await storedLinks(parties, 1);
  const { applicationId, userId } = parties;
  const token = await newSecret('access_token', { applicationId, userId, scopes: ['trust_links:write'] });
  return { headers: bearer(token.secret), params: { id: link?.linkId ?? '' } };
}

/** An operator's request for a new link that was verified and then changed `times` times. */
async function underReview(times: number, body?: object): Promise<Call> {
  const parties = await newParties();
  let [link] = await storedLinks(parties, 1);
  for (let i = 0; i < times; i += 1) link = link && (await verifiedAndChanged(link));
  if (link === undefined) throw new Error('The link was not reviewed');
  return {
    headers: bearer(await newOperatorKey()),
    params: { linkId: link.linkId },
    ...defined({ body }),
  };
}

/** An application's request for a link that was verified. */
const verifiedLink = (body?: object) => async (): Promise<Call> => {
  const parties = await newParties();
  const [link] = await storedLinks(parties, 1);
  const linkId = link?.linkId ?? '';
  await decide(await newOperatorKey(), linkId, { decision: 'verified', revision: 1 });
  return linkCall(parties, linkId, body);
};

async function verifiedAndChanged(link: Link): Promise<Link | undefined> {
  const by = { kind: 'operator', id: 'bench', name: 'Bench' } as const;
  const nowMs = Date.now();
  const { revision } = link;
  const verified = applyDecision(link, { decision: 'verified', revision }, { by, nowMs });
  if (verified === undefined || (await linkStore.change(link, verified)) !== 'written') return undefined;
  const again = applyUpdate(verified.next, { title: `Link, ${revision}` }, { by, nowMs });
  if (again === undefined || (await linkStore.change(verified.next, again)) !== 'written') return undefined;
  return again.next;
}

/** A page of an operator who looks at the links of a user. */
const userLinks = () =>
  owning(60, async ({ applicationId, userId }) => ({
    headers: bearer(await newOperatorKey()),
    params: { userId },
    query: { applicationId, limit: '50' },
  }));

/** A queue whose shards each have more than a page. */
async function fullQueue(): Promise<Call> {
  await storedLinks(await newParties(), 400);
  return { headers: bearer(await newOperatorKey()), query: { limit: '50' } };
}

export const linkCases: readonly Case[] = [
  row('links.submit', '1 link', submission(1)),
  row('links.submit', '1 link, with a key', () => submission(1, idempotencyKey())()),
  row('links.submit', '1 link, sent again', submittedAgain),
  row('links.submit', '10 links', submission(10)),
  row('links.submit', '50 links', submission(50)),
  row('links.list', '50 of 60', page({ limit: '50' }, 60)),
  row('links.user-link-list', '50 of 60, as an operator', userLinks),
  row('links.read', 'one', oneLink()),
  { ...row('links.read', 'one, new secret', oneLink()), secret: 'new' },
  row('links.read', 'one, access token', withToken),
  { ...row('links.read', 'one, new access token', withToken), secret: 'new' },
  row('links.update', 'the title', oneLink({ title: 'Another title' })),
  row('links.update', 'of a verified link', verifiedLink({ title: 'Another title' })),
  row('links.update', 'nothing', oneLink({ title: 'Link 1' })),
  row('links.remove', 'one', oneLink()),
  row('links.status', '1 id', statuses(1)),
  row('links.status', '100 ids', statuses(100)),
  row('links.social-account-status', '1 platform', platforms(1)),
  row('links.social-account-status', '50 platforms', platforms(50)),
  row('links.review-list', 'a page of 50', fullQueue),
  row('links.review-read', 'just submitted', () => underReview(0)),
  row('links.review-read', 'verified and changed 20 times', () => underReview(20)),
  row('links.review-decide', 'verified', () => underReview(0, { decision: 'verified', revision: 1 })),
];

import { defined } from '../../../functions/shared/contract/defined.ts';
import {
  type Answered,
  bearer,
  type Call,
  type Credentials,
  call,
  newOperatorKey,
  newTenant,
  newUser,
} from '../call.ts';

/** A valid link. */
export const goodLink = {
  title: "Ann's channel",
  url: 'https://www.youtube.com/@ann',
  platform: 'YouTube',
  description: 'Videos about birds.',
};

/** An application and one of its verified users. */
export interface Parties extends Credentials {
  userId: string;
}

export async function newParties(): Promise<Parties> {
  const [tenant, { userId }] = await Promise.all([newTenant(), newUser()]);
  return { ...tenant, userId };
}

/** Headers of a request with the application's secret, for its user. */
export const asApplication = ({ clientSecret, userId }: Parties) => ({
  ...bearer(clientSecret),
  'x-user-id': userId,
});

/** Submits `links`, or the given number of valid ones. */
export function submit(
  parties: Parties,
  links: number | unknown[] = 1,
  { body = {}, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
): Promise<Answered> {
  const sent =
    typeof links === 'number'
      ? Array.from({ length: links }, (_, i) => ({ ...goodLink, title: `Link ${i + 1}` }))
      : links;
  return call('links.submit', {
    headers: { ...asApplication(parties), ...headers },
    body: { links: sent, ...body },
  });
}

/** The id of a link that was just submitted. */
export async function submittedId(parties: Parties, link: object = {}): Promise<string> {
  const response = await submit(parties, [{ ...goodLink, ...link }]);
  if (response.status !== 200) throw new Error(`The link was not submitted: ${response.text}`);
  return response.body.trustLinks[0]._id;
}

/** A request for a link of the parties. */
export const linkCall = (parties: Parties, id: string, body?: object): Call => ({
  headers: asApplication(parties),
  params: { id },
  ...defined({ body }),
});

/** Decides on a link at its current revision, or at the given one. */
export async function decide(
  operatorKey: string,
  linkId: string,
  body: { decision: 'verified' | 'rejected' | 'withdrawn'; revision?: number; reason?: string },
): Promise<Answered> {
  const headers = bearer(operatorKey);
  const revision =
    body.revision ?? (await call('links.review-read', { headers, params: { linkId } })).body.revision;
  return call('links.review-decide', { headers, params: { linkId }, body: { ...body, revision } });
}

/** A link in the review queue. */
export type PendingReview = { linkId: string; applicationId: string; submittedAt: string; priority: boolean };

/** The queue, page by page, up to its end or until `isEnough`. */
export async function listQueue(
  operatorKey: string,
  limit = '200',
  isEnough: (reviews: PendingReview[]) => boolean = () => false,
): Promise<PendingReview[]> {
  const all: PendingReview[] = [];
  let cursor: string | undefined;
  do {
    const { body } = await call('links.review-list', {
      headers: bearer(operatorKey),
      query: { limit, ...defined({ cursor }) },
    });
    all.push(...body.reviews);
    cursor = body.nextCursor;
  } while (cursor !== undefined && !isEnough(all));
  return all;
}

async function withLink(request: (parties: Parties, id: string) => Call | Promise<Call>): Promise<Call> {
  const parties = await newParties();
  return request(parties, await submittedId(parties));
}

const underReview = async (body?: object): Promise<Call> => {
  const [key, linkId] = await Promise.all([newOperatorKey(), submittedId(await newParties())]);
  return { headers: bearer(key), params: { linkId }, ...defined({ body }) };
};

export const linkSamples: Record<string, () => Call | Promise<Call>> = {
  'links.submit': async () => ({ headers: asApplication(await newParties()), body: { links: [goodLink] } }),
  'links.list': () => withLink((parties) => ({ headers: asApplication(parties) })),
  'links.read': () => withLink(linkCall),
  'links.update': () => withLink((parties, id) => linkCall(parties, id, { title: 'Another title' })),
  'links.remove': () => withLink(linkCall),
  'links.status': () =>
    withLink((parties, id) => ({ headers: asApplication(parties), body: { linkIds: [id] } })),
  'links.social-account-status': async () => ({
    headers: asApplication(await newParties()),
    body: { platforms: ['YouTube'] },
  }),
  'links.review-list': async () => ({ headers: bearer(await newOperatorKey()) }),
  'links.review-read': () => underReview(),
  'links.user-link-list': () =>
    withLink(async (parties) => ({
      headers: bearer(await newOperatorKey()),
      params: { userId: parties.userId },
      query: { applicationId: parties.applicationId },
    })),
  'links.decision-list': async () => {
    const { headers = {}, params: { linkId = '' } = {} } = await underReview();
    await decide(String(headers.authorization).slice('Bearer '.length), linkId, { decision: 'verified' });
    return { headers };
  },
  'links.review-decide': () => underReview({ decision: 'verified', revision: 1 }),
};

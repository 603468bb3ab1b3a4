/** The verbs of tests of reviews, on a clock that they set. */
import { bearer, call, newOperatorKey } from '../call.ts';
import { linkCall, newParties, type Parties, submittedId } from './links.ts';

export const review = (key: string, linkId: string) =>
  call('links.review-read', { headers: bearer(key), params: { linkId } });
export const update = (parties: Parties, id: string, body: object) =>
  call('links.update', linkCall(parties, id, body));
export const statusOf = async (parties: Parties, id: string) =>
  (await call('links.read', linkCall(parties, id))).body.trustLink.verificationStatus;
export const outcome = ({ status, body }: { status: number; body: { error?: string } }) => [
  status,
  body.error,
];

export const startMs = Date.parse('2026-03-01T10:00:00Z');
export const at = (seconds: number) => vi.setSystemTime(startMs + seconds * 1_000);
export const isoAt = (seconds: number) => new Date(startMs + seconds * 1_000).toISOString();

/** A link that waits for its review, with its application and an operator. */
export async function underReview() {
  const [parties, operator] = await Promise.all([newParties(), newOperatorKey()]);
  return { parties, operator, id: await submittedId(parties) };
}

import { createHash, randomBytes } from 'node:crypto';
import * as keys from '../../functions/shared/contract/keys.ts';
import { partBytes } from '../../functions/shared/table/blob.ts';
import { getItem } from '../../functions/shared/table/table.ts';
import { type Answered, call, freshAddress } from './call.ts';
import { sharePayload } from './samples/requests.ts';

/** A share proof, and the `access_proof` of shares that open with it. */
export const shareProof = randomBytes(32).toString('base64url');
export const accessProof = createHash('sha256').update(shareProof).digest('hex');
export const wrongProof = () => randomBytes(32).toString('base64url');

/** Ciphertext that takes two items: a little more than one item holds. */
export const largeBlob = randomBytes(partBytes + 100).toString('base64');

/** The results of `work`, called that many times with the index of the call. */
export const times = <T>(count: number, work: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => work(n));

export interface CreatedShare {
  id: string;
  token: string;
}

/** Creates a share with some of the optional fields. */
export async function createdShare(body: Record<string, unknown>): Promise<CreatedShare> {
  const { status, text, body: answer } = await call('shares.create', { body: { ...sharePayload, ...body } });
  if (status !== 200) throw new Error(text);
  return { id: answer.shareId, token: answer.receiptToken };
}

/** Opens a share, from an address of its own. */
export function openShare(id: string, proof?: string): Promise<Answered> {
  const headers: Record<string, string> = proof === undefined ? {} : { 'x-share-proof': proof };
  return call('shares.open', { query: { id }, headers, sourceIp: freshAddress() });
}

const withToken = ({ id, token }: CreatedShare) => ({
  query: { id },
  headers: { 'x-receipt-token': token },
  sourceIp: freshAddress(),
});

/** Reads the receipt of a share, from an address of its own. */
export const readReceipt = (share: CreatedShare) => call('shares.receipt', withToken(share));
/** Burns a share, from an address of its own. */
export const burnShare = (share: CreatedShare) => call('shares.burn', withToken(share));

/** The number of items of its payload that the table has. */
export async function payloadItems(id: string): Promise<number> {
  const parts = await Promise.all([1, 2, 3].map((n) => getItem(keys.sharePart(id, n))));
  return parts.filter((item) => item !== undefined).length;
}

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Call, call } from '../support/call.ts';
import { samples } from '../support/samples/requests.ts';

/** A cursor with a right checksum, which a caller can compute: it has no key. */
function forged(scope: readonly string[], text: string): string {
  const checksum = createHash('sha256')
    .update(JSON.stringify([...scope, text]))
    .digest('base64url');
  return Buffer.from(checksum.slice(0, 16) + text).toString('base64url');
}

const lists: Readonly<Record<string, (request: Call) => string[]>> = {
  'operator.grant-list': ({ params }) => ['grants', params?.userId ?? ''],
  'operator.mail-list': () => ['given-up-mails'],
  'operator.user-history': ({ params }) => ['user-history', params?.userId ?? ''],
  'links.review-list': () => ['reviews'],
  'links.review-read': ({ params }) => ['review', params?.id ?? ''],
  'subscriptions.read': ({ params }) => ['subscription', params?.id ?? ''],
};

const texts = [
  ...['{', 'null', '[]', '"x"', '{}', '{"startAfter":5}', '{"startAfter":"\\ud800"}', '{"startAfter":""}'],
  ...['{"before":"abc"}', '{"before":"1e400"}', '{"invoice":5}', '{"invoice":"1","entry":"-1"}'],
  ...['{"grantId":"lnk_01ARZ3NDEKTSV4RRFFQ69G5FAV"}', '{"grantId":"gnt_"}', '{"grantId":5}'],
  `{"startAfter":"${'x'.repeat(3_000)}"}`,
];

test.each(Object.keys(lists))('%s refuses a forged cursor', async (id) => {
  const request = (await samples[id]?.()) ?? {};
  for (const text of texts) {
    const cursor = forged(lists[id]?.(request) ?? [], text);
    const { status, body } = await call(id, { ...request, query: { ...request.query, cursor } });
    expect([status, body.error], text.slice(0, 50)).toEqual([400, 'invalid_request']);
  }
});

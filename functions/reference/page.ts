import type { Input, Reply } from '../shared/contract/route.ts';
import { deployedFile, fileReply } from '../shared/lambda/deployed-file.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { route } from './contracts/page.ts';

/** Returns the reference as a page, with the policy that was written for its script and its styles. */
export async function readPage({ headers }: Input<typeof route>): Promise<Reply> {
  const [page, policy] = await Promise.all([deployedFile('docs.html'), deployedFile('docs.csp')]);
  return fileReply(page, headers['if-none-match'], route.cacheSeconds, {
    'content-security-policy': policy.text,
    // For browsers without frame-ancestors.
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  });
}

export const handler = endpoint(route, readPage);

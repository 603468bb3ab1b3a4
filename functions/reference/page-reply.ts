import type { Reply } from '../shared/contract/route.ts';
import { type DeployedFile, deployedFile, fileReply } from '../shared/lambda/deployed-file.ts';
import { cacheSeconds } from './routes.ts';

/** A page of the reference, with the policy that was written for its script and its styles. */
export async function pageReply(page: DeployedFile, ifNoneMatch: string | undefined): Promise<Reply> {
  const policy = await deployedFile('docs.csp');
  return fileReply(page, ifNoneMatch, cacheSeconds, {
    'content-security-policy': policy.text,
    // For browsers without frame-ancestors.
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  });
}

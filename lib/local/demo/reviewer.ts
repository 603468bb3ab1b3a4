import * as keys from '../../../functions/shared/contract/keys.ts';
import { secretHash } from '../../../functions/shared/contract/secret.ts';
import { type DemoOptions, demoClient } from './demo-client.ts';
import { storedOrCreated } from './tenants.ts';

/** The operator key of a reviewer, who can decide on links and do nothing else; created when missing. */
export function demoReviewerKey(options: DemoOptions, operatorKey: string): Promise<string> {
  return storedOrCreated<string>(
    options,
    'demo.reviewerKey',
    (secret) => [keys.secret('operator_key', secretHash(secret))],
    async () => {
      const client = demoClient(options, operatorKey);
      return (await client.createOperatorKey({ name: 'Rita Reviewer', scopes: ['review'] })).secret;
    },
  );
}

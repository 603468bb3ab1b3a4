import { defined } from '../../../functions/shared/contract/defined.ts';

/**
 * Replaces `@aws-sdk/credential-provider-node` in the bundles.
 *
 * Lambda provides credentials in the environment and replaces the process before they expire. The SDK's credential chain
 * also supports profiles, SSO, web identity, instance metadata and helper processes: a third of a bundle that no function
 * uses.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** The credentials of the function's role; throws when the environment has none. */
export function defaultProvider(): () => Promise<Credentials> {
  return async () => {
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
    if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
      throw new Error('The environment holds no AWS credentials');
    return {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...defined({ sessionToken: AWS_SESSION_TOKEN || undefined }),
    };
  };
}

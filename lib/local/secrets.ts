import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import * as z from 'zod/mini';
import { awsJsonEndpoint, operation, ServiceError } from './aws-json.ts';
import type { State } from './state.ts';

const Named = z.object({ SecretId: z.string() });

/**
 * The local endpoint of Secrets Manager, with the one operation that the functions use;
 * `AWS_ENDPOINT_URL_SECRETS_MANAGER` points to it.
 *
 * Source: https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
 *
 * @param groups values by name prefix: every secret with the prefix has this value.
 */
export function secretsEndpoint(
  secrets: Readonly<Record<string, string>>,
  groups: Readonly<Record<string, string>> = {},
): RequestListener {
  const find = (name: string): string | undefined => {
    if (Object.hasOwn(secrets, name)) return secrets[name];
    return Object.entries(groups).find(([prefix]) => name.startsWith(prefix) && name !== prefix)?.[1];
  };
  return awsJsonEndpoint({
    GetSecretValue: operation(Named, ({ SecretId: name }) => {
      const SecretString = find(name);
      if (SecretString === undefined)
        throw new ServiceError(
          'ResourceNotFoundException',
          "Secrets Manager can't find the specified secret.",
        );
      const ARN = `arn:aws:secretsmanager:eu-west-1:000000000000:secret:${name}`;
      return { ARN, Name: name, SecretString };
    }),
  });
}

/** The deployment key: created by the first run and stored, so that codes and proofs stay valid in later runs. */
export function storedDeploymentKey(state: State): string {
  const stored = state.get('deploymentKey');
  if (typeof stored === 'string') return stored;
  const created = randomBytes(32).toString('hex');
  state.set('deploymentKey', created);
  return created;
}

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type BareEvent, handler as bare } from './bare-handler.ts';

const client = new SecretsManagerClient({});

/** A baseline whose first call also requests the deployment key. */
export async function handler(event: BareEvent): Promise<{ statusCode: number; body: string }> {
  await client.send(new GetSecretValueCommand({ SecretId: process.env.DEPLOYMENT_KEY_SECRET }));
  return bare(event);
}

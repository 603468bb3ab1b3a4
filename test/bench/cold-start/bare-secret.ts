import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type BareEvent, handler as bare } from './bare-handler.ts';

const client = new SecretsManagerClient({});

/** The yardstick of a first call that also asks for the deployment's key. */
export async function handler(event: BareEvent): Promise<{ statusCode: number; body: string }> {
  await client.send(new GetSecretValueCommand({ SecretId: process.env.DEPLOYMENT_KEY_SECRET }));
  return bare(event);
}

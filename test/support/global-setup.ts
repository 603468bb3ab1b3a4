import { randomBytes } from 'node:crypto';
import { startEngine } from '../../lib/local/engine.ts';
import { createTable } from '../../lib/local/table.ts';

/**
 * One table for the whole run, on one engine in memory; or on the engine that `AWS_ENDPOINT_URL_DYNAMODB` names
 * (AWS's own DynamoDB Local), which must pass the same tests. The workers inherit the environment set here.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const defaults = {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    POWERTOOLS_METRICS_DISABLED: 'true',
    POWERTOOLS_DEV: 'true',
    POWERTOOLS_LOG_LEVEL: 'SILENT',
  };
  for (const [name, value] of Object.entries(defaults)) process.env[name] ??= value;

  const given = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  const engine = given === undefined ? await startEngine() : undefined;
  const endpoint = engine?.endpoint ?? given ?? '';
  process.env.AWS_ENDPOINT_URL_DYNAMODB = endpoint;
  process.env.TABLE_NAME = `test-${randomBytes(6).toString('hex')}`;
  await createTable(endpoint, process.env.TABLE_NAME);
  return async () => engine?.stop();
}

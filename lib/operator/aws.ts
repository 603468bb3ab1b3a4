/** Parts of the verbs that use AWS directly, with the credentials and the region of the environment. */
import type { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { CommandFailed } from './api.ts';
import { UsageError } from './arguments.ts';
import { type ParsedArguments, text, textOf } from './verb.ts';

export const tableOption = text('table', 'name of the table; default: TABLE_NAME');

/** @throws UsageError */
export function tableName(
  fields: ParsedArguments['fields'],
  { TABLE_NAME = '' }: Record<string, string | undefined>,
): string {
  const name = textOf(fields, 'table') || TABLE_NAME;
  if (name === '') throw new UsageError('The table is not set. Use --table <table>, or set TABLE_NAME.');
  return name;
}

/**
 * Works on a table, at `AWS_ENDPOINT_URL_DYNAMODB` if it is set. The SDK takes half a second to load, and few verbs use it.
 *
 * @throws CommandFailed when the table does not exist or cannot be reached.
 */
export async function withTable<T>(
  table: string,
  work: (dynamodb: DynamoDBDocument) => Promise<T>,
): Promise<T> {
  const { DynamoDBClient } = await import('@aws-sdk/client-dynamodb');
  const { DynamoDBDocument } = await import('@aws-sdk/lib-dynamodb');
  const client = new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
  });
  try {
    return await work(DynamoDBDocument.from(client));
  } catch (error) {
    throw awsFailure(error, 'table', table);
  } finally {
    client.destroy();
  }
}

/** @param kind of the resource, such as `table`. */
export function awsFailure(error: unknown, kind: 'table' | 'queue', resource: string): CommandFailed {
  if (error instanceof CommandFailed) return error;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const failed = (reason: string, code: string, next: string) =>
    new CommandFailed(`${reason} ${next}`, { code, next });
  if (name === 'QueueDoesNotExist' || name === 'ResourceNotFoundException') {
    const reason = `There is no ${kind} ${resource} in this account and region.`;
    return failed(reason, `${kind}_not_found`, 'Check the name, AWS_REGION and AWS_PROFILE.');
  }
  if (message === 'Region is missing')
    return failed('The region is not set.', 'region_missing', 'Set AWS_REGION.');
  const next = 'Check the credentials and their rights, then repeat the command.';
  return failed(`The request to the ${kind} ${resource} failed. ${name}: ${message}`, `${kind}_failed`, next);
}

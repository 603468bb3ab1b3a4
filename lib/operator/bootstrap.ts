import { revocationSeconds } from '../../functions/shared/contract/secret.ts';
import { CommandFailed } from './api.ts';
import { UsageError } from './arguments.ts';
import { awsFailure, tableName, tableOption } from './aws.ts';
import type { VerbDescription } from './help.ts';
import { newOperatorKey, type OperatorKey, removeOperatorKey, storeOperatorKey } from './operator-key.ts';
import { number, requiredText } from './verb.ts';

/** Writes to the table directly, because a request would need the key that it creates. */
export const bootstrap = {
  name: 'bootstrap',
  summary: 'Creates an operator key with the scope admin directly in the table.',
  options: {
    name: requiredText('name', 'the person who uses the key'),
    table: tableOption,
    'expires-in-days': number('expiresInDays', 'lifetime in days; default: no expiry'),
  },
  notes: [
    'Uses the AWS credentials and region of the environment, and AWS_ENDPOINT_URL_DYNAMODB if it is set. The',
    'credentials need dynamodb:PutItem on the table of the data stack. The local stack already has a key:',
    'GET /_local/demo shows it. Create keys of further persons with operator-key create.',
  ].join('\n'),
} as const satisfies VerbDescription;

/** Writes to the table directly, so that a key can be revoked while the API is down. */
export const retire = {
  name: 'retire',
  summary: 'Revokes the operator key in VOUCHSAFE_OPERATOR_KEY directly in the table.',
  options: { table: tableOption },
  confirmation: `Everything that still uses this key stops working within ${revocationSeconds} seconds. Revoke it?`,
  notes: [
    'Uses the AWS credentials and region of the environment. The credentials need dynamodb:GetItem,',
    `DeleteItem and PutItem on the table. Create a new key first: the revoked key stops working within ${revocationSeconds} seconds.`,
  ].join('\n'),
} as const satisfies VerbDescription;

/**
 * Revokes the operator key of the environment.
 *
 * @throws UsageError
 * @throws CommandFailed when the table does not contain the key or cannot be reached.
 */
export async function retireOperatorKey(
  fields: { table?: string },
  env: Record<string, string | undefined>,
): Promise<void> {
  const table = tableName(fields, env);
  const secret = env.VOUCHSAFE_OPERATOR_KEY ?? '';
  if (secret === '') throw new UsageError('VOUCHSAFE_OPERATOR_KEY is not set. Set it to the key to revoke.');
  const removed = await removeOperatorKey(secret, table, Date.now()).catch((error: unknown) => {
    throw awsFailure(error, 'table', table);
  });
  if (!removed) {
    throw new CommandFailed(`The table ${table} has no such operator key.`, {
      code: 'not_found',
      next: 'Check VOUCHSAFE_OPERATOR_KEY and --table.',
    });
  }
}

/**
 * Creates an operator key and stores its hash.
 *
 * @throws UsageError
 * @throws CommandFailed when the table cannot be written.
 */
export async function createOperatorKey(
  fields: { name?: string; table?: string; expiresInDays?: number },
  env: Record<string, string | undefined>,
): Promise<OperatorKey> {
  const table = tableName(fields, env);
  const { name = '', expiresInDays } = fields;
  if (name.trim() === '') throw new UsageError('--name must not be empty.');
  if (expiresInDays !== undefined && !(Number.isInteger(expiresInDays) && expiresInDays > 0)) {
    throw new UsageError('--expires-in-days must be an integer of at least 1.');
  }
  const operatorKey = newOperatorKey(Date.now(), name, expiresInDays);
  await storeOperatorKey(operatorKey, table).catch((error: unknown) => {
    throw awsFailure(error, 'table', table);
  });
  return operatorKey;
}

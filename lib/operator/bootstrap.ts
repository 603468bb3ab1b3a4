import { Refused } from './api.ts';
import { UsageError } from './arguments.ts';
import type { Described } from './help.ts';
import { newOperatorKey, type OperatorKey, removeOperatorKey, storeOperatorKey } from './operator-key.ts';

/** No request: it makes the key that requests need. */
export const bootstrap = {
  name: 'bootstrap',
  summary: 'Makes an operator key, straight in the table.',
  options: {
    table: { type: 'text', field: 'table', help: 'name of the table; TABLE_NAME by default' },
    'expires-in-days': { type: 'number', field: 'expiresInDays', help: 'good for ever without' },
  },
  notes: [
    'Uses the AWS credentials and region of the environment, and AWS_ENDPOINT_URL_DYNAMODB when it is set. They need',
    'dynamodb:PutItem on the table, the one that the data stack holds. The local stack has a key already: GET',
    '/_local/demo shows it.',
  ].join('\n'),
} as const satisfies Described;

/** No request either: what ends a key must not hang on an API that answers. */
export const retire = {
  name: 'retire',
  summary: 'Revokes the operator key in VOUCHSAFE_OPERATOR_KEY, straight in the table.',
  options: { table: bootstrap.options.table },
  notes: [
    'Uses the AWS credentials and region of the environment; they need dynamodb:DeleteItem on the table. Make a new key',
    'first: this one stops working within 20 seconds.',
  ].join('\n'),
} as const satisfies Described;

/**
 * Revokes the operator key of the environment.
 *
 * @throws UsageError
 * @throws Refused when the table does not have it, or does not answer.
 */
export async function retireOperatorKey(
  fields: { table?: string },
  env: Record<string, string | undefined>,
): Promise<void> {
  const table = tableOf(fields, env);
  const secret = env.VOUCHSAFE_OPERATOR_KEY ?? '';
  if (secret === '') throw new UsageError('Which key? Put it into VOUCHSAFE_OPERATOR_KEY.');
  const removed = await removeOperatorKey(secret, table).catch((error: unknown) => {
    throw new Refused(explained(error, table));
  });
  if (!removed) throw new Refused(`The table ${table} has no such operator key.`);
}

/** @throws UsageError */
function tableOf({ table }: { table?: string }, { TABLE_NAME }: Record<string, string | undefined>): string {
  const name = table ?? TABLE_NAME ?? '';
  if (name === '') throw new UsageError('Which table? Give --table <table>, or set TABLE_NAME.');
  return name;
}

/**
 * Makes an operator key and stores what the table keeps of it.
 *
 * @throws UsageError
 * @throws Refused when the table does not take it.
 */
export async function makeOperatorKey(
  fields: { table?: string; expiresInDays?: number },
  env: Record<string, string | undefined>,
): Promise<OperatorKey> {
  const table = tableOf(fields, env);
  const { expiresInDays } = fields;
  if (expiresInDays !== undefined && !(Number.isInteger(expiresInDays) && expiresInDays > 0)) {
    throw new UsageError('--expires-in-days must be a whole number from 1.');
  }
  const made = newOperatorKey(Date.now(), expiresInDays);
  await storeOperatorKey(made, table).catch((error: unknown) => {
    throw new Refused(explained(error, table));
  });
  return made;
}

function explained(error: unknown, table: string): string {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === 'ResourceNotFoundException') {
    return `There is no table ${table} in this account and region. Look at AWS_REGION and AWS_PROFILE.`;
  }
  if (message === 'Region is missing') return 'Which region? Set AWS_REGION.';
  return `The table ${table} did not do it. ${name}: ${message}`;
}

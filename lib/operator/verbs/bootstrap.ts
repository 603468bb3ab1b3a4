import { revocationSeconds } from '../../../functions/shared/contract/secret.ts';
import { CommandFailed } from '../api.ts';
import { UsageError } from '../arguments.ts';
import { tableName, tableOption } from '../aws.ts';
import { newOperatorKey, removeOperatorKey, storeOperatorKey } from '../operator-key.ts';
import { number, requiredText, textOf, type Verb } from '../verb.ts';

/** Writes to the table directly, because a request would need the key that it creates. */
export const bootstrap: Verb = {
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
  run: async ({ fields }, { terminal }) => {
    const table = tableName(fields, terminal.env);
    const name = textOf(fields, 'name');
    if (name.trim() === '') throw new UsageError('--name must not be empty.');
    const expiresInDays = fields.expiresInDays === undefined ? undefined : Number(fields.expiresInDays);
    if (expiresInDays !== undefined && !(Number.isInteger(expiresInDays) && expiresInDays > 0))
      throw new UsageError('--expires-in-days must be an integer of at least 1.');
    const made = newOperatorKey(Date.now(), name, expiresInDays);
    await storeOperatorKey(made, table);
    const { keyId, secret: operatorKey } = made;
    return {
      body: { keyId, operatorKey },
      unseen: `Nobody has seen the key. Create another one, and use it for: operator-key revoke ${keyId}`,
      note: 'Store the key now: it is not shown again. Set VOUCHSAFE_OPERATOR_KEY to it.',
    };
  },
};

/** Writes to the table directly, so that a key can be revoked while the API is down. */
export const retire: Verb = {
  name: 'retire',
  summary: 'Revokes the operator key in VOUCHSAFE_OPERATOR_KEY directly in the table.',
  options: { table: tableOption },
  asks: true,
  notes: [
    'Uses the AWS credentials and region of the environment. The credentials need dynamodb:GetItem,',
    `DeleteItem and PutItem on the table. Create a new key first: the revoked key stops working within ${revocationSeconds} seconds.`,
  ].join('\n'),
  run: async ({ fields }, { terminal, confirm }) => {
    const end = `Everything that still uses this key stops working within ${revocationSeconds} seconds.`;
    if (!(await confirm(`${end} Revoke it?`))) return undefined;
    const table = tableName(fields, terminal.env);
    const secret = terminal.env.VOUCHSAFE_OPERATOR_KEY ?? '';
    if (secret === '')
      throw new UsageError('VOUCHSAFE_OPERATOR_KEY is not set. Set it to the key to revoke.');
    if (!(await removeOperatorKey(secret, table, Date.now())))
      throw new CommandFailed(`The table ${table} has no such operator key.`, {
        code: 'not_found',
        next: 'Check VOUCHSAFE_OPERATOR_KEY and --table.',
      });
    return { body: { success: true } };
  },
};

import { defined } from '../../../functions/shared/contract/defined.ts';
import { dayMs } from '../../../functions/shared/runtime/clock.ts';
import type { Output } from '../../client/api.ts';
import { CommandFailed, clientFor, explained } from '../api.ts';
import { noTerminal } from '../arguments.ts';
import { reasonIn, reasonOption, textOf, type Verb } from '../verb.ts';

/** The new key works before the former one ends, so that the application misses no request. */
export const keyRotate: Verb = {
  name: 'key rotate',
  summary:
    'Replaces a key with a new one of the same kind and lifetime, and revokes the old one after a question.',
  positionals: [
    { name: 'application', field: 'id' },
    { name: 'key', field: 'keyId' },
  ],
  options: { reason: reasonOption },
  asks: true,
  notes: [
    'The new key is shown before the question. Give it to the application, then confirm. If you do not confirm, you keep both',
    'keys. An application has at most two keys of a kind.',
  ].join('\n'),
  run: async ({ fields }, session) => {
    if (!session.yes && session.terminal.ask === undefined) throw noTerminal();
    const id = textOf(fields, 'id');
    const keyId = textOf(fields, 'keyId');
    const reason = reasonIn(fields);
    const connection = session.connection();
    const client = clientFor(connection, id);
    const { application } = await explained(connection, client.getApplication({ id }));
    const former = application.keys.find((key) => key.keyId === keyId);
    if (former === undefined)
      throw new CommandFailed('The application has no such key.', {
        code: 'not_found',
        next: 'Check the ids.',
      });
    const created = await explained(
      connection,
      client.createApplicationKey({ id, ...copied(former) }, { reason }),
    );
    // Nobody has its secret, and it takes the place of the next rotation.
    await session.show(
      created,
      `The former key is valid. Revoke the new one, which nobody has seen, with: key revoke ${id} ${created.keyId}`,
    );
    const left = `Both keys are valid. Revoke the former one with: key revoke ${id} ${keyId}`;
    if (!(await session.confirm('Store the new key now: it is not shown again. Revoke the former key?')))
      throw new CommandFailed(left, { code: 'not_confirmed', next: left });
    await explained(connection, client.revokeApplicationKey({ id, keyId }, { reason })).catch(
      (error: unknown) => {
        if (!(error instanceof CommandFailed)) throw error;
        throw new CommandFailed(`${error.message}\n${left}`, { ...error.failure, next: left });
      },
    );
    return { text: '', note: `The key ${keyId} is revoked.` };
  },
};

type Key = Output<'getApplication', 'application/json'>['application']['keys'][number];

/** The kind of a key, and the whole days for which it was made. */
function copied({ kind, createdAt, expiresAt }: Key) {
  const days = expiresAt && Math.max(1, Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / dayMs));
  return { kind, ...defined({ expiresInDays: days || undefined }) };
}

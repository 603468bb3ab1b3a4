import type { ListedAction } from '../../shared/contract/audit.ts';
import { defined } from '../../shared/contract/defined.ts';
import type { Operator } from '../../shared/contract/operator-scopes.ts';
import type { Columns } from '../../shared/lists/csv.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import { recordReader } from '../../shared/table/record.ts';
import type { ActionResponse } from './action-schema.ts';

/** The record of an action, as it is stored. */
export interface StoredAction
  extends Operator,
    Pick<ListedAction, 'action' | 'object'>,
    Pick<ActionResponse, 'reason' | 'before' | 'reset' | 'grant' | 'key' | 'operatorKey'> {
  atMs: number;
}

export const readAction = recordReader<StoredAction>(['atMs', 'keyId', 'action', 'object']);

/** The record of an action, as operators receive it. */
export function toActionResponse({
  atMs,
  keyId: id,
  name,
  from,
  action,
  object,
  ...change
}: StoredAction): ActionResponse {
  const { reason, before, reset, grant, key, operatorKey } = change;
  return {
    at: isoTime(atMs),
    action,
    object,
    by: { id, name, from },
    ...defined({ reason, before, reset, grant, key, operatorKey }),
  };
}

const json = (change: object | undefined) => change && JSON.stringify(change);

export const actionColumns: Columns<ActionResponse> = {
  at: ({ at }) => at,
  action: ({ action }) => action,
  objectKind: ({ object: { kind } }) => kind,
  objectId: ({ object: { id } }) => id,
  applicationId: ({ object: { applicationId } }) => applicationId,
  keyId: ({ by: { id } }) => id,
  person: ({ by: { name } }) => name,
  from: ({ by: { from } }) => from,
  reason: ({ reason }) => reason,
  before: ({ before }) => json(before),
  reset: ({ reset }) => json(reset),
  grant: ({ grant }) => json(grant),
  key: ({ key }) => json(key),
  operatorKey: ({ operatorKey }) => json(operatorKey),
};

import type { ListedAct } from '../../shared/contract/audit.ts';
import { defined } from '../../shared/contract/defined.ts';
import type { Operator } from '../../shared/contract/operator-scopes.ts';
import type { Columns } from '../../shared/lists/csv.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import { recordReader } from '../../shared/table/record.ts';
import type { ActResponse } from './act-schema.ts';

/** The record of an act, as it is stored. */
export interface StoredAct
  extends Operator,
    Pick<ListedAct, 'act' | 'object'>,
    Pick<ActResponse, 'reason' | 'before' | 'reset' | 'grant' | 'key' | 'operatorKey'> {
  atMs: number;
}

export const readAct = recordReader<StoredAct>(['atMs', 'keyId', 'act', 'object']);

/** The record of an act, as operators receive it. */
export function toActResponse({
  atMs,
  keyId: id,
  name,
  from,
  act,
  object,
  ...change
}: StoredAct): ActResponse {
  const { reason, before, reset, grant, key, operatorKey } = change;
  return {
    at: isoTime(atMs),
    act,
    object,
    by: { id, name, from },
    ...defined({ reason, before, reset, grant, key, operatorKey }),
  };
}

const json = (change: object | undefined) => change && JSON.stringify(change);

export const actColumns: Columns<ActResponse> = {
  at: ({ at }) => at,
  act: ({ act }) => act,
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

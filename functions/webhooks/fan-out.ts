import type { Key } from '../shared/contract/keys.ts';
import { consumer, type FailedItem } from '../shared/lambda/stream.ts';
import { dispatch } from './deliveries/dispatch.ts';
import { timers } from './timers.ts';

/** Dispatches the events that the stream of the table tells of. A record without a group, because it has expired, is done. */
export async function fanOut(records: readonly Key[]): Promise<FailedItem[]> {
  const byGroup = new Map(records.map((key) => [key.pk.slice(key.pk.lastIndexOf('#') + 1), key]));
  const failures = await dispatch([...byGroup.keys()]);
  return failures.flatMap(({ groupId, cause }) => {
    const key = byGroup.get(groupId);
    return key === undefined ? [] : [{ key, cause }];
  });
}

export const handler = consumer(timers['fan-out'], fanOut);

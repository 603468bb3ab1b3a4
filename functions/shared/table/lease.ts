import * as keys from '../contract/keys.ts';
import { recordProblem } from '../runtime/log.ts';
import { traceId } from '../runtime/random.ts';
import { type Refusal, refusal } from './sliding-window.ts';
import { type Item, updateItem } from './table.ts';

/** At most `max` holders of a tenant at the same time, each for at most `maxMs`. */
export interface Leases {
  readonly group: string;
  readonly max: number;
  /** Longer than the function can run: a lease whose holder died ends by itself. */
  readonly maxMs: number;
}

/** A lease that is held. Its release never fails: what is not released ends after `maxMs`. */
export interface Lease {
  readonly release: () => Promise<void>;
}

/**
 * Takes a lease in one conditional write. Only when a holder has died, its lease is removed before.
 *
 * The holders are a set of strings, each with the time at which it ends. DynamoDB compares the size of the set and adds to it
 * in one write. Adding a holder again changes nothing, so a write that is sent again does no harm.
 */
export async function takeLease(leases: Leases, tenant: string, nowMs: number): Promise<Lease | Refusal> {
  const key = keys.leases(leases.group, tenant);
  const holder = `${nowMs + leases.maxMs} ${traceId()}`;
  const release = () => remove(key, [holder]).catch(recordHeld);
  const outcome = await add(key, holder, leases, nowMs).catch(async (error: unknown) => {
    // The answer may be lost, and the lease taken.
    await release();
    throw error;
  });
  if (outcome.done) return { release };
  const held = holdersOf(outcome.refused);
  const ended = held.filter((one) => endOf(one) <= nowMs);
  if (ended.length === 0) return refusal({ windowMs: leases.maxMs }, Math.min(...held.map(endOf)) - nowMs);
  await remove(key, ended);
  return takeLease(leases, tenant, nowMs);
}

const recordHeld = (error: unknown) => recordProblem('a lease was not released: it ends by itself', error);
const endOf = (holder: string) => Number.parseInt(holder, 10);

function holdersOf(item: Item | undefined): string[] {
  return item?.holders instanceof Set ? [...item.holders].map(String) : [];
}

function add(key: keys.Key, holder: string, { max, maxMs }: Leases, nowMs: number) {
  return updateItem(key, {
    UpdateExpression: 'ADD #holders :holder SET #ttl = :expires',
    ConditionExpression: 'attribute_not_exists(#holders) OR size(#holders) < :max',
    ExpressionAttributeValues: {
      ':holder': new Set([holder]),
      ':max': max,
      ':expires': keys.expirySeconds(nowMs + maxMs),
    },
    guard: { harmless: 'a copy after the release holds a lease that ends by itself' },
    isOwn: (stored) => holdersOf(stored).includes(holder),
  });
}

async function remove(key: keys.Key, holders: readonly string[]): Promise<void> {
  await updateItem(key, {
    UpdateExpression: 'DELETE #holders :holders',
    ExpressionAttributeValues: { ':holders': new Set(holders) },
    guard: { harmless: 'removes holders that end here, and no others' },
  });
}

/**
 * Wrong codes of one caller, over all mailboxes: at most 30 in any hour. A caller is an address block, or what
 * verified a mailbox and only its owner can have.
 *
 * A try is counted before its code is compared, under a name of its own. The transaction that a right code authorizes
 * gives the try back, so that people behind one address who type right codes do not use up the limit.
 */

import * as keys from '../../contract/keys.ts';
import { hourMs } from '../../runtime/clock.ts';
import { type Refusal, refusal, type Verdict, windowFreeAtMs } from '../../table/sliding-window.ts';
import { getItem, type Item, updateItem, type Write } from '../../table/table.ts';

export const wrongCodeLimit = { group: 'wrong-code', max: 30, windowMs: hourMs } as const;

export interface CountedTry {
  caller: string;
  /** `<epoch milliseconds>.<random characters>`. */
  name: string;
}

const keyOf = (caller: string) => keys.rateLimit(wrongCodeLimit.group, caller);

/** Whether the caller has a try left. Counts nothing. */
export async function peekTries(caller: string, nowMs: number): Promise<Verdict> {
  return verdictOf(await getItem(keyOf(caller)), nowMs);
}

/**
 * Counts a try, in one conditional write. The names of the tries are a set: a write that is sent again counts once.
 *
 * @param tryId random characters that no other try has.
 */
export async function countTry(caller: string, tryId: string, nowMs: number): Promise<CountedTry | Refusal> {
  const name = `${nowMs}.${tryId.slice(0, 11)}`;
  const add = () =>
    updateItem(keyOf(caller), {
      UpdateExpression: 'ADD tries :tries SET #ttl = :expires',
      ConditionExpression: 'attribute_not_exists(tries) OR size(tries) < :max',
      ExpressionAttributeValues: {
        ':tries': new Set([name]),
        ':max': wrongCodeLimit.max,
        ':expires': keys.expirySeconds(nowMs + wrongCodeLimit.windowMs),
      },
      guard: { harmless: 'counts a try under its name, once' },
    });
  let outcome = await add();
  const expired = outcome.done ? [] : namesOf(outcome.refused).filter((one) => !isCurrent(one, nowMs));
  if (expired.length > 0) {
    await updateItem(keyOf(caller), {
      ...removal(expired),
      guard: { harmless: 'forgets tries that have left the window' },
    });
    outcome = await add();
  }
  if (outcome.done) return { caller, name };
  const verdict = verdictOf(outcome.refused, nowMs);
  // Another request has given its try back meanwhile: the next one passes.
  return verdict.allowed ? refusal(wrongCodeLimit, 0) : verdict;
}

export function tryReturn({ caller, name }: CountedTry): Write {
  return { Update: { Key: keyOf(caller), ...removal([name]) } };
}

/** Gives a try back, when the right code authorizes nothing. */
export async function returnTry({ caller, name }: CountedTry): Promise<void> {
  await updateItem(keyOf(caller), {
    ...removal([name]),
    guard: { harmless: 'the name of a try is used once' },
  });
}

const removal = (names: readonly string[]) => ({
  UpdateExpression: 'DELETE tries :tries',
  ExpressionAttributeValues: { ':tries': new Set(names) },
});

function verdictOf(item: Item | undefined, nowMs: number): Verdict {
  const times = namesOf(item)
    .filter((name) => isCurrent(name, nowMs))
    .map(timeOf);
  const freeAtMs = windowFreeAtMs(times, wrongCodeLimit);
  return freeAtMs === 0 ? { allowed: true } : refusal(wrongCodeLimit, freeAtMs - nowMs);
}

const namesOf = (item: Item | undefined): string[] => [...((item?.tries ?? []) as Iterable<string>)];
const timeOf = (name: string): number => Number(name.split('.', 1)[0]);
const isCurrent = (name: string, nowMs: number): boolean => timeOf(name) > nowMs - wrongCodeLimit.windowMs;

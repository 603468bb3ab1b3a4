import type { PresentedDeviceProof } from '../contract/device-proof.ts';
import * as keys from '../contract/keys.ts';
import { minuteMs } from '../runtime/clock.ts';
import { randomToken } from '../runtime/random.ts';
import { updateItem } from '../table/table.ts';

/** Longer than any proof lives: its time may differ by a minute in both directions. */
const rememberedMs = 5 * minuteMs;

/**
 * Whether a signed proof is used for the first time, as one conditional write: of any number of concurrent copies one
 * passes. True for any other kind of proof.
 */
export async function isFirstUse(presented: PresentedDeviceProof, nowMs: number): Promise<boolean> {
  if (presented.kind !== 'key') return true;
  const usedBy = randomToken();
  const outcome = await updateItem(keys.dpopProof(presented.keyThumbprint, presented.jti), {
    UpdateExpression: 'SET usedBy = :usedBy, #ttl = :ttl',
    ConditionExpression: 'attribute_not_exists(usedBy)',
    ExpressionAttributeValues: {
      ':usedBy': usedBy,
      ':ttl': keys.expirySeconds(nowMs + rememberedMs),
    },
    guard: { once: 'usedBy' },
    isOwn: (stored) => stored.usedBy === usedBy,
  });
  return outcome.done;
}

import { createHash } from 'node:crypto';
import * as keys from '../../shared/contract/keys.ts';
import { dayMs } from '../../shared/runtime/clock.ts';
import { recordAlarm } from '../../shared/runtime/log.ts';
import { putItem } from '../../shared/table/table.ts';
import { Id } from './events.ts';

/** As long as the gateway can deliver it again by hand. */
const retentionMs = 90 * dayMs;

/** An item of the table holds 400 KB. */
const maxLength = 300_000;

/** Keeps an event that cannot be read, as it came, and raises an alarm. */
export async function keepUnreadable(
  applicationId: string,
  { raw, event, nowMs }: { raw: string; event: object; nowMs: number },
): Promise<void> {
  const { data: id } = Id.safeParse(Reflect.get(event, 'id'));
  const eventId = id ?? createHash('sha256').update(raw).digest('hex');
  await putItem(
    {
      ...keys.unreadableGatewayEvent(applicationId, eventId),
      raw: raw.slice(0, maxLength),
      receivedAtMs: nowMs,
      ...keys.timeToLive(nowMs + retentionMs),
    },
    { guard: { harmless: 'a copy is the same event' } },
  );
  const message = "a gateway's event could not be read";
  recordAlarm('payments', 'EventsUnreadable', message, { applicationId, eventId });
}

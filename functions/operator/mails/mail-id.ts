import type { MailKey } from './store.ts';

/** The id of a given-up mail: `<subscription>:<entry>`. */
export function mailIdOf({ subscriptionId, entryId }: MailKey): string {
  return `${subscriptionId}:${entryId}`;
}

/** The names in an id of a mail; undefined when it is not one. */
export function mailKeyOf(mailId: string): MailKey | undefined {
  const [, subscriptionId, entryId] = /^([^:]+):(.+)$/.exec(mailId) ?? [];
  return subscriptionId === undefined || entryId === undefined ? undefined : { subscriptionId, entryId };
}

import { isId } from '../../shared/runtime/ids.ts';

export interface MailKey {
  subscriptionId: string;
  entryId: string;
}

export const mailIdOf = ({ subscriptionId, entryId }: MailKey): string => `${subscriptionId}:${entryId}`;

/** The names in an id of a mail; undefined when it is not one. */
export function mailKeyOf(mailId: string): MailKey | undefined {
  const [, subscriptionId, entryId] = /^([^:]+):([ -~]{1,100})$/.exec(mailId) ?? [];
  return isId('sub', subscriptionId) && entryId !== undefined ? { subscriptionId, entryId } : undefined;
}

import { isId } from '../../shared/runtime/ids.ts';

/** The id of an event: that of its group, and its position in the group, a digit. */
export const eventId = (groupId: string, position: number): string => `${groupId}${position}`;

/** The group and the position that an id names; undefined for a text that is no id of an event. */
export function parseEventId(id: string): { groupId: string; position: number } | undefined {
  const groupId = id.slice(0, -1);
  const position = /^\d$/.test(id.slice(-1)) ? Number(id.slice(-1)) : undefined;
  return position !== undefined && isId('evt', groupId) ? { groupId, position } : undefined;
}

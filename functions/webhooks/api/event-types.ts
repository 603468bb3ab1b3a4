import { registeredEvents } from '../../events.ts';

const types = new Set(registeredEvents().map(({ type }) => type));
/** `subscription.*`, for each object that has events. */
const families = new Set([...types].map((type) => `${type.slice(0, type.indexOf('.'))}.*`));

/** Whether a text is a registered type, the pattern of a family such as `subscription.*`, or `*`. */
export function isEventPattern(text: string): boolean {
  return text === '*' || types.has(text) || families.has(text);
}

import type { Answered } from '../../support/call.ts';

/** The body of a successful answer. @throws Error for any other. */
export async function succeeded(
  answer: Answered | Promise<Answered>,
  ...statuses: number[]
): Promise<Answered> {
  const received = await answer;
  const isRight = statuses.length === 0 ? received.status < 400 : statuses.includes(received.status);
  if (!isRight) throw new Error(`${received.status} ${received.text.slice(0, 200)}`);
  return received;
}

/** @throws Error unless both are equal as JSON. */
export function same(what: string, found: unknown, expected: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(expected))
    throw new Error(`${what} is ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
}

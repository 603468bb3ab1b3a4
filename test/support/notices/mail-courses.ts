import { dayMs, minuteMs } from '../../../functions/shared/runtime/clock.ts';
import { type Command, type Gateway, good, newSeller, noonMs, step, type Tenant } from '../call.ts';
import { liveUntil } from '../subscriptions/courses.ts';
import { contradictionsIn } from './mail-judge.ts';
import { MailReader } from './mail-reader.ts';

/** A client whose mails are read while time passes. */
export interface Course {
  seller: Tenant;
  externalId: string;
  id: string;
  reader: MailReader;
  /** Takes each step when it is due, and reads the mails after each. */
  until: (day: number) => Promise<void>;
  /** Sends a command and reads the mails. */
  command: (what: Command, body?: object) => Promise<void>;
  /** The present end of the term or trial, later by some days. */
  later: (days: number) => Promise<string>;
}

export async function course(
  plan: object = {},
  {
    gateway = 'none',
    body = {},
    settings = {},
    client = {},
  }: { gateway?: Gateway; body?: object; settings?: object; client?: object } = {},
): Promise<Course> {
  const seller = await newSeller(gateway, { ...settings });
  const [externalId, planId] = await Promise.all([seller.newClient(client), seller.newPlan(plan)]);
  const { subscription } = good(await seller.subscribe({ body: { externalId, planId, ...body } }));
  const { _id: id } = subscription;
  const reader = new MailReader(seller, externalId);
  const read = () => seller.stateOf(externalId);
  await reader.read();
  return {
    seller,
    externalId,
    id,
    reader,
    until: (day) =>
      liveUntil(noonMs + day * dayMs, read, async (seen) => {
        await step(seen);
        await reader.read();
      }),
    command: async (what, sent) => {
      vi.setSystemTime(Date.now() + minuteMs);
      good(await seller.act(what, id, sent));
      await reader.read();
    },
    later: async (days) => {
      const { termEndMs, trialEndMs = 0 } = await read();
      return new Date((termEndMs ?? trialEndMs) + days * dayMs).toISOString();
    },
  };
}

/** Sends a command on a day of the course. */
const on = async (one: Course, day: number, what: Command, body?: object) => {
  await one.until(day);
  await one.command(what, body);
};

/** One thing that happens in a course. */
export type Act = (one: Course) => Promise<unknown>;
type Step = Parameters<Course['command']>;
export type Setup = Parameters<typeof course>;

export const until =
  (day: number): Act =>
  (one) =>
    one.until(day);
export const send =
  (...command: Step): Act =>
  (one) =>
    one.command(...command);
export const at =
  (day: number, ...command: Step): Act =>
  (one) =>
    on(one, day, ...command);
/** The clock moves on, and no step is taken. */
export const late =
  (day: number): Act =>
  async () =>
    vi.setSystemTime(noonMs + day * dayMs);
/** Moves the end of the term or the trial on a day. */
export const move =
  (day: number, end: 'endDate' | 'trialEnd', days: number): Act =>
  async (one) =>
    on(one, day, 'update', { [end]: await one.later(days), reason });
export const paid = send('activate');
export const readMails: Act = (one) => one.reader.read();
export const reason = 'An apology';
export const weekly = { billingCycle: 'weekly' };
/** A course at the sandbox, where no invoice is mailed before it is paid. */
export const atGateway = (settings: object = {}): Setup => [{}, { gateway: 'sandbox', settings }];

/**
 * A course and its mails. `subjects` has a part of each subject, in their order, with ` | ` between them; `^` and `$` stand for
 * its beginning and its end. `says` matches the text of the last mail.
 */
export type MailRow = readonly [setup: Setup, acts: readonly Act[], subjects: string, says?: RegExp];

/** Expects the mails of a course: each says what came of it, and none contradicts another or the state. */
export async function expectMails([setup, acts, subjects, says = /^/]: MailRow): Promise<void> {
  const one = await course(...setup);
  for (const happen of acts) await happen(one);
  const { reader } = one;
  expect(reader.bySubscription().flatMap(contradictionsIn)).toEqual([]);
  const seen = reader.subjects();
  const expected = subjects === '' ? [] : subjects.split(' | ');
  expect(seen, seen.join('\n')).toHaveLength(expected.length);
  for (const [i, part] of expected.entries())
    expect(seen[i]).toMatch(new RegExp(part.replaceAll('.', '\\.')));
  expect(reader.lastText()).toMatch(says);
}

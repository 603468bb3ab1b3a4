import { vi } from 'vitest';
import { dayMs, minuteMs } from '../../../functions/shared/runtime/duration.ts';
import type { Tenant } from '../tenants.ts';
import { liveUntil } from './courses.ts';
import { MailReader } from './mail-reader.ts';
import { act, type Gateway, good, newClient, newPlan, newSeller, subscribe } from './requests.ts';
import { noonMs, step } from './steps.ts';
import { stateOf } from './stored-state.ts';

/** A client whose mails are read while time passes. */
export interface Course {
  seller: Tenant;
  externalId: string;
  id: string;
  reader: MailReader;
  /** Takes each step when it is due, and reads the mails after each. */
  until: (day: number) => Promise<void>;
  /** Sends a command and reads the mails. */
  command: (what: Parameters<typeof act>[1], body?: object) => Promise<void>;
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
  const [externalId, planId] = await Promise.all([newClient(seller, client), newPlan(seller, plan)]);
  const { subscription } = good(await subscribe(seller, { body: { externalId, planId, ...body } }));
  const { _id: id } = subscription;
  const reader = new MailReader(seller, externalId);
  const read = () => stateOf(seller, externalId);
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
      good(await act(seller, what, id, sent));
      await reader.read();
    },
    later: async (days) => {
      const { termEndMs, trialEndMs = 0 } = await read();
      return new Date((termEndMs ?? trialEndMs) + days * dayMs).toISOString();
    },
  };
}

/** Sends a command on a day of the course. */
export const on = async (one: Course, day: number, what: Parameters<typeof act>[1], body?: object) => {
  await one.until(day);
  await one.command(what, body);
};

import * as z from 'zod/mini';
import { dayMs, secondMs } from '../../../functions/shared/runtime/clock.ts';
import { ClockError, type LocalClock } from '../clock.ts';
import type { DemoOptions } from '../demo/demo-client.ts';
import type { Demo } from '../demo/demo-data.ts';
import { type People, type PersonName, personNames } from '../demo/people.ts';
import { exampleTypes, sendExample } from '../demo/webhooks.ts';
import { type DueStep, earliestStep } from '../due-steps.ts';
import { inTime } from '../http/local-routes.ts';
import { inTurn } from '../in-turn.ts';
import type { Mailbox, StoredMail } from '../mailbox/mailbox.ts';
import type { Recorded, Records } from '../records.ts';
import type { WebhookCatcher } from '../webhooks/catcher.ts';

const person = z.enum(personNames);

/** The actions of the buttons of the page of the stack, as their forms send them. */
export const Action = z.discriminatedUnion('action', [
  z.object({ action: z.literal('day') }),
  z.object({ action: z.literal('week') }),
  z.object({ action: z.literal('next') }),
  z.object({ action: z.literal('step'), person }),
  z.object({ action: z.literal('decline'), person }),
  z.object({ action: z.literal('restart'), person }),
  z.object({ action: z.literal('event'), type: z.enum(exampleTypes) }),
]);
export type Action = z.output<typeof Action>;

export interface StepsRun {
  externalId: string;
  /** `trial_reminder_due`, as the machine names the event. */
  taken: readonly string[];
  status: string;
}

export interface Outcome {
  text: string;
  steps: readonly Recorded<StepsRun>[];
  mails: readonly Recorded<StoredMail>[];
  events: readonly Recorded<{ name: string; type: string }>[];
}

export interface Stage {
  clock: LocalClock;
  mailbox: Mailbox;
  catcher: WebhookCatcher;
  steps: Records<StepsRun>;
  options: DemoOptions;
  demo: () => Promise<Demo>;
  people: People;
}

const keptOutcomes = 100;

/** The actions of the page, one after the other: what an action has caused would else be counted for another one too. */
export class LocalActions {
  readonly #stage: Stage;
  readonly #one = inTurn();
  readonly #outcomes = new Map<number, Outcome>();
  #last = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Does it, and waits for everything that it causes. @returns the number of its outcome. */
  do(action: Action): Promise<number> {
    return this.note(() => perform(action, this.#stage));
  }

  /** An outcome by its number; undefined when there is none, or no more. */
  outcome(n: number): Outcome | undefined {
    return this.#outcomes.get(n);
  }

  /** @param work returns the text of its outcome. @returns the number of the outcome. */
  note(work: () => Promise<string>): Promise<number> {
    return this.#one(async () => {
      const { clock, mailbox, catcher, steps } = this.#stage;
      // Something that was done before may still be on its way.
      await inTime(clock.settled());
      const before = [steps.last(), mailbox.mails.last(), catcher.deliveries.last()] as const;
      const text = await work();
      await inTime(clock.settled());
      this.#last += 1;
      this.#outcomes.set(this.#last, {
        text,
        steps: steps.since(before[0]),
        mails: mailbox.mails.since(before[1]),
        events: catcher.deliveries.since(before[2]),
      });
      this.#outcomes.delete(this.#last - keptOutcomes);
      return this.#last;
    });
  }
}

async function perform(action: Action, stage: Stage): Promise<string> {
  const { options, demo, people } = stage;
  switch (action.action) {
    case 'day':
      return move(stage.clock.advanceBy(dayMs), 'The clock has moved by a day.');
    case 'week':
      return move(stage.clock.advanceBy(7 * dayMs), 'The clock has moved by a week.');
    case 'next':
      return moveTo(await earliestStep(options.table), stage);
    case 'step':
      return moveTo((await people.get(action.person)).next, stage);
    case 'decline':
      return decline(action.person, people);
    case 'restart':
      await people.restart(action.person);
      return 'Created a new subscription.';
    case 'event':
      return `Sent the example of ${action.type} to ${await sendExample(options, (await demo()).applications.gateway, action.type)}.`;
  }
}

async function moveTo(step: DueStep | undefined, { clock }: Stage): Promise<string> {
  if (step === undefined) return 'No subscription has a scheduled step. The clock has not moved.';
  // A wait of Step Functions counts whole seconds.
  const target = Math.max(step.dueMs + secondMs, clock.nowMs());
  return move(clock.advanceTo(target), `The clock has moved to the step ${step.step}.`);
}

async function move(moved: Promise<void>, text: string): Promise<string> {
  try {
    await moved;
    return text;
  } catch (error) {
    if (!(error instanceof ClockError)) throw error;
    return error.message;
  }
}

async function decline(name: PersonName, people: People): Promise<string> {
  const checkout = await people.checkoutPath(name);
  if (checkout === undefined) return 'There is no invoice to pay.';
  const status = await people.press(checkout, 'decline');
  const after = await people.get(name);
  return `The card of ${after.fullName} was declined (HTTP ${status}). No payment was recorded; the subscription stays ${after.status}. ${after.next === undefined ? 'No step follows.' : `The next step is ${after.next.step}.`}`;
}

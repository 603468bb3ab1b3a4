import type { Step } from '../lifecycle/subscription.ts';

/**
 * What an execution of the state machine carries from state to state. It starts with one; the task answers with the next.
 */
export interface TimerInput {
  applicationId: string;
  externalId: string;
  subscriptionId: string;
  /** The version of the subscription's timer that this execution is in charge of; 0 for one that only delivers the outbox. */
  version: number;
  /** The step that is waited for; `outbox` delivers the outbox at once, `end` ends the execution. */
  stage: Step | 'outbox' | 'end';
  /** ISO 8601. Waits count whole seconds and end up to one early; missing when the stage needs none. */
  dueAt?: string;
}

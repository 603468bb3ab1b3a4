import type { Step } from '../lifecycle/subscription.ts';

/** The input of the timer state machine. The task returns the input of the next stage. */
export interface TimerInput {
  applicationId: string;
  externalId: string;
  subscriptionId: string;
  /** The version of the timer that the execution is in charge of; 0 for one that only delivers the outbox. */
  version: number;
  /** The stage to wait for; `outbox` delivers the outbox at once, `end` ends the execution. */
  stage: Step | 'outbox' | 'end';
  /**
   * ISO 8601; absent for stages without a wait. A Wait state counts whole seconds and ends up to one second
   * early.
   */
  dueAt?: string;
}

import type { Status, Step } from '../record/subscription.ts';

/** The input of an execution: the one step that it waits for. */
export interface TimerInput {
  applicationId: string;
  externalId: string;
  subscriptionId: string;
  /** The version of the timer that the execution is in charge of. */
  version: number;
  /** The step, which tells operators what the subscription waits for. The task takes what is due by the subscription. */
  stage: Step;
  /** ISO 8601. A Wait state counts whole seconds and ends up to one second early. */
  dueAt: string;
}

/** The steps that a run of the task took, for the output of its execution. It took none when another run was first. */
export interface StepsTaken {
  readonly taken: readonly string[];
  readonly status: Status;
  /** The step that the subscription waits for now; absent when it waits for none. */
  readonly next?: { readonly stage: Step; readonly dueAt: string };
}

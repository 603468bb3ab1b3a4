import type { Fault } from './connection.ts';
import type { CallName } from './kinds.ts';
import type { Outcome } from './run.ts';

/** The first message to a worker: which of the scenarios are its own. */
export interface WorkerPart {
  index: number;
  count: number;
  only: string;
}

/** The calls of a scenario without faults. */
export interface RecordedScenario {
  scenario: string;
  calls: CallName[];
  /** Why it did not succeed. */
  error?: string;
}

export interface WorkerCase {
  scenario: string;
  fault: Fault;
}

/** The result of a case. `id` is that of the route or timer. */
export interface CaseResult extends Outcome, WorkerCase {
  id: string;
}

export type WorkerMessage = { index: number; recorded: RecordedScenario[] } | CaseResult;

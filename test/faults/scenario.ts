import type { Answered, Call } from '../support/call.ts';

/** The answer to a request; a run of a timer answers 200, or 500 with the error that it threw. */
export type Answer = Pick<Answered, 'status' | 'headers' | 'body' | 'text'>;

/** Guarantees of one endpoint beyond those of every endpoint. */
export interface Rules {
  /** Statuses of a request that is repeated after it was carried out: `404` of a removal. */
  repeated?: readonly number[];
  /**
   * The contract offers no key, or the request has none: repeated after an error, it makes another record or another
   * revision.
   */
  repeatMakesAnother?: true;
  /** A newer change of the same records, which is acknowledged before a late call is applied. */
  change?: (request: Call, answer: Answer) => Promise<unknown>;
  /** Reads what was acknowledged. @throws Error when it cannot be read. */
  verify?: (request: Call, answer: Answer) => Promise<unknown>;
  /** Kinds of items that may be missing, or left for a timer to finish: `ALERT/*`. */
  mayDiffer?: readonly string[];
  /** A retry may fail while an outbox entry is due: the lease of its last try has not ended, and a timer delivers it. */
  leavesDueEntry?: true;
  /** A sweep: what fails does not end its run, and the next run of the schedule takes it up. */
  runsAgain?: true;
  /** Until a timer runs again, other than the lease of an entry of the outbox; until a request is repeated, other than at once. */
  retryDelayMs?: number;
  /** Largest number of copies of a mail for each request; one by default. */
  copies?: number;
}

/** A request of an endpoint or a run of a timer, in one situation. */
export interface Scenario {
  /** Unique: `links.update: the title`. */
  name: string;
  /** Of the route or timer. */
  id: string;
  /** Statuses of success. */
  statuses: readonly number[];
  /** Prepares the table and returns the request. */
  ready: () => Call | undefined | Promise<Call | undefined>;
  /** Sends the request, and sends it again for `attempt` from 1. */
  send: (request: Call, attempt: number) => Promise<Answer>;
  /** It finds the records of other scenarios, so that it runs in a table of its own. */
  alone: boolean;
  rules: Rules;
  /** Whether an error is one that the contract lists. Timers may throw any. */
  isDocumented: (answer: Answer) => boolean;
}

import * as z from 'zod/mini';

const Input = z.object({ externalId: z.string() });
const Taken = z.object({ taken: z.array(z.string()), status: z.string() });

/** Steps of a subscription that were taken together. */
export interface StepsRun {
  /** The id of the client at the application. */
  externalId: string;
  /** `trial_reminder_due`, as the machine names the event. */
  taken: readonly string[];
  /** The status afterwards. */
  status: string;
}

/** The number of runs that are kept; older ones are dropped. */
const maxRuns = 1_000;

/** The steps of subscriptions that the state machines have run, in memory. */
export class StepLog {
  #runs: StepsRun[] = [];
  #count = 0;

  /** Notes what the function that runs steps returns. */
  noting(invoke: (id: string, payload: unknown) => Promise<unknown>): typeof invoke {
    return async (id, payload) => {
      const result = await invoke(id, payload);
      const input = Input.safeParse(payload).data;
      const run = Taken.safeParse(result).data;
      if (input !== undefined && run !== undefined && run.taken.length > 0) {
        this.#count += 1;
        this.#runs = [...this.#runs, Object.assign(input, run)].slice(-maxRuns);
      }
      return result;
    };
  }

  /** How many runs there were. */
  get count(): number {
    return this.#count;
  }

  /** The runs after the first `count`, as far as they are kept. */
  since(count: number): readonly StepsRun[] {
    return count === this.#count ? [] : this.#runs.slice(count - this.#count);
  }
}

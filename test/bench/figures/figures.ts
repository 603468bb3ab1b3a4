import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The counted needs of one request of an endpoint, or of one run of a timer. */
export interface RequestFigures {
  readonly id: string;
  readonly what: string;
  /** Sequential round trips to the table. */
  readonly roundTrips: number;
  readonly mails: number;
  /** Requests to Step Functions. */
  readonly starts: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Bytes of the body of the response, rounded up to hundreds: ids and times differ in each count. */
  readonly bytesOut: number;
}

/** A year of one subscription; `test/bench/cost/year.ts`. */
export interface YearFigures {
  readonly what: string;
  readonly transitions: number;
  readonly executions: number;
  readonly invocations: number;
  readonly apiCalls: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly mails: number;
  readonly billedSeconds: number;
  /** Stored at the end of the year, without indexes. */
  readonly bytes: number;
}

/** Everything that the documents of scale and cost are computed from. */
export interface Figures {
  readonly requests: readonly RequestFigures[];
  readonly years: readonly YearFigures[];
  /** Line items of a month of each stage without requests: what, count, dollars. */
  readonly idle: Readonly<
    Record<string, readonly (readonly [what: string, count: number, dollars: number])[]>
  >;
  /** Bytes of the item of the rate limit of an application, by its requests per second. */
  readonly limitBytes: Readonly<Record<string, number>>;
}

export const figuresFile = join(import.meta.dirname, 'figures.json');

/** The figures of the last count; `npm run bench -- documents` counts them again. */
export function readFigures(): Figures {
  return JSON.parse(readFileSync(figuresFile, 'utf8'));
}

/** @throws when the case was not counted. */
export function requestOf({ requests }: Figures, id: string, what: string): RequestFigures {
  const found = requests.find((one) => one.id === id && one.what === what);
  if (found === undefined) throw new Error(`${id} (${what}) was not counted`);
  return found;
}

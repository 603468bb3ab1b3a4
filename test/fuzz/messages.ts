/** Messages to a worker of `npm run fuzz`. */
export interface FuzzPart {
  seed: number;
  /** Number of requests. */
  requests: number;
  /** Operations whose ids contain this text. */
  only: string;
}

/** A request whose answer is wrong. */
export interface BrokenRequest {
  /** The id of the route. */
  id: string;
  credential: string;
  mutations: string[];
  problems: string[];
  answer: string;
  curl: string;
}

/** Counts since the last message. */
export interface FuzzMessage {
  /** Requests by operation, credential, mutation and status. */
  operations: Record<string, number>;
  credentials: Record<string, number>;
  mutations: Record<string, number>;
  statuses: Record<string, number>;
  /** Requests that passed the validation of their schemas. */
  valid: number;
  broken: BrokenRequest[];
}

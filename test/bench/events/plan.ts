/** Events, and the webhook endpoints that receive them. */
export interface EventsPlan {
  /** Each has its share of the endpoints, at most ten. */
  applications: number;
  endpoints: number;
  /** How many of the endpoints answer 503. */
  dead: number;
  eventsOfApplication: number;
}

export interface EventsRun {
  delivered: number;
  /** To the endpoints that are not dead. */
  expected: number;
  /** Until all events were committed. */
  writeSeconds: number;
  /** Until all were delivered. */
  seconds: number;
  /** From the commit of an event to its first delivery to an endpoint. */
  p50Ms: number;
  p99Ms: number;
}

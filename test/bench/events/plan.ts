/** Events, and the webhook endpoints that receive them. */
export interface EventsPlan {
  /** Each has its share of the endpoints, at most ten. */
  applications: number;
  endpoints: number;
  /** How many of the endpoints take nothing: one never answers, one refuses connections, one answers 503, and so on. */
  dead: number;
  eventsOfApplication: number;
  /** How many events are recorded in a second; as many as possible when it is absent. */
  perSecond?: number;
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

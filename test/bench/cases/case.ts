import { registeredRoutes } from '../../../functions/routes.ts';
import type { Call } from '../../support/call.ts';
import { samples } from '../../support/samples/requests.ts';

/** A request worth a row of its own, or a run of a timer. */
export interface Case {
  /** Of the route or timer. */
  id: string;
  what: string;
  /**
   * Prepares the table and returns the request; a timer gets its body as the event. No request was sent with its secret
   * before: `secret` says whether the function has cached it.
   */
  ready: () => Call | undefined | Promise<Call | undefined>;
  status: number;
  /** The status of a repeated request, where it differs. */
  again?: number;
  /** `new`: the function has not cached the secret of the request, and looks it up. */
  secret?: 'new';
  /** In a table of its own, because it finds the records of other rows. */
  alone?: true;
}

export const row = (id: string, what: string, ready: Case['ready'], status = 200): Case => ({
  id,
  what,
  ready,
  status,
});

/** The sample request of a route. */
export const sampled = (id: string, what = 'any'): Case => {
  const entry = registeredRoutes().find((one) => one.id === id);
  return row(id, what, async () => samples[id]?.(), entry?.route.status ?? 200);
};

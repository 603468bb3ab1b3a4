import type { Call } from '../../support/call.ts';

/** A request worth a row of its own, or a run of a timer. */
export interface Case {
  /** Of the route or timer. */
  id: string;
  what: string;
  /**
   * Prepares the table, and says what to ask; a timer is given the body as its event. A secret in it is one that no
   * request was sent with before: whether the function remembers it is said by `secret`.
   */
  ready: () => Call | undefined | Promise<Call | undefined>;
  status: number;
  /** What a repeat is answered, where that differs. */
  again?: number;
  /** `new`: the function has not seen the request's secret before, and looks it up. */
  secret?: 'new';
  /** In a table of its own: it finds what any other row left. */
  alone?: true;
}

export const row = (id: string, what: string, ready: Case['ready'], status = 200): Case => ({
  id,
  what,
  ready,
  status,
});

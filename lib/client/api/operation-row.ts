/** An operation as data: how its request is made, and what may be done with it. */
export interface OperationRow {
  readonly method: string;
  /** With `{name}` for the parameters. */
  readonly path: string;
  /** The prefixes of the keys that it takes, such as `vak`. None: it takes no key. */
  readonly keys: readonly string[];
  /** Something else can take the place of the key. */
  readonly optionalKey?: boolean;
  /** An operator key needs the id of the application that the operator acts for. */
  readonly actsFor?: boolean;
  /** Takes an `Idempotency-Key`, with which it can be repeated. */
  readonly idempotent?: boolean;
  /** A GET that a repeat would answer otherwise. */
  readonly once?: boolean;
  /** The body is a form. */
  readonly form?: boolean;
  /** The list that its pages have. */
  readonly list?: string;
  /** The parameter that takes `nextCursor`; `cursor` by default. */
  readonly cursor?: string;
}

/** The parameter that takes the cursor of the next page. */
export const cursorOf = ({ cursor = 'cursor' }: OperationRow): string => cursor;

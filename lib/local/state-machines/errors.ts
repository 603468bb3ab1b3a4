/**
 * An error inside an execution, with its name in the Amazon States Language: `States.*`, or the name that a function threw.
 * `Retry` matches `error`; a failed execution shows both fields.
 */
export class StatesError extends Error {
  readonly error: string;
  readonly reason: string;

  constructor(error: string, reason: string) {
    super(`${error}: ${reason}`);
    this.name = 'StatesError';
    this.error = error;
    this.reason = reason;
  }
}

/** A definition that this interpreter does not support. The message names the state and the field. */
export class DefinitionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DefinitionError';
  }
}

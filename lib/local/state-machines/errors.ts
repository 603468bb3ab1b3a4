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

/** Error codes of the API. The SDK has an exception class for each but the last two. */
export type ServiceErrorCode =
  | 'ExecutionAlreadyExists'
  | 'ExecutionDoesNotExist'
  | 'InvalidArn'
  | 'InvalidExecutionInput'
  | 'InvalidName'
  | 'StateMachineDoesNotExist'
  | 'ValidationException'
  | 'SerializationException'
  | 'UnknownOperationException';

/** A refused API call: HTTP 400 with this type. */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode;

  constructor(code: ServiceErrorCode, message: string) {
    super(message);
    this.name = 'ServiceError';
    this.code = code;
  }
}

/** A definition that this interpreter does not support. The message names the state and the field. */
export class DefinitionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DefinitionError';
  }
}

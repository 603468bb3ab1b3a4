/**
 * An error inside an execution, by its name in the Amazon States Language: `States.*`, or what a function
 * threw. Retry and Catch look at `error`; an execution that ends with it shows both.
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

/** The names of the errors that the API answers with; the SDK has an exception class for each but the last two. */
export type ServiceErrorCode =
  | 'ExecutionAlreadyExists'
  | 'ExecutionDoesNotExist'
  | 'InvalidArn'
  | 'InvalidExecutionInput'
  | 'InvalidName'
  | 'InvalidToken'
  | 'StateMachineDoesNotExist'
  | 'ValidationException'
  | 'SerializationException'
  | 'UnknownOperationException';

/** What an API call is refused with: HTTP 400 and this type. */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode;

  constructor(code: ServiceErrorCode, message: string) {
    super(message);
    this.name = 'ServiceError';
    this.code = code;
  }
}

/** A definition that this interpreter does not run; the message names the state and the field. */
export class DefinitionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DefinitionError';
  }
}

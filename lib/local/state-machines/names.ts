import { ServiceError } from '../aws-json.ts';

const machineArn = /^(arn:aws[a-z-]*:states:[a-z0-9-]+:\d{12}):stateMachine:([^:/\s]{1,80})$/;
const executionArn = /^arn:aws[a-z-]*:states:[a-z0-9-]+:\d{12}:execution:[^:/\s]{1,80}:[^:/\s]{1,80}$/;

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_StartExecution.html */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a name must not hold
const forbidden = /[\s<>{}[\]?*"#%\\^|~`$&,;:/\u0000-\u001f\u007f-\u009f\u{fffe}\u{ffff}]/u;

/** The ARN of a machine's execution. @throws ServiceError InvalidArn */
export function executionArnOf(arn: string, name: string): string {
  const [, prefix, machine] = machineArn.exec(arn) ?? [];
  if (prefix === undefined) throw invalidArn(arn);
  return `${prefix}:execution:${machine}:${name}`;
}

/** @throws ServiceError InvalidArn, also for versions, aliases and map runs, which are not supported */
export function checkMachineArn(arn: string): void {
  if (!machineArn.test(arn)) throw invalidArn(arn);
}

/** @throws ServiceError InvalidArn */
export function checkExecutionArn(arn: string): void {
  if (!executionArn.test(arn)) throw invalidArn(arn);
}

/** @throws ServiceError ValidationException for a length outside 1 to 80, as on AWS; InvalidName for a character */
export function checkExecutionName(name: string): void {
  if (name.length < 1 || name.length > 80) {
    throw new ServiceError(
      'ValidationException',
      `1 validation error detected: Value '${name}' at 'name' failed to satisfy constraint: Member must have length between 1 and 80`,
    );
  }
  if (forbidden.test(name) || !name.isWellFormed()) {
    throw new ServiceError('InvalidName', `Invalid Name: '${name}'`);
  }
}

function invalidArn(arn: string): ServiceError {
  return new ServiceError('InvalidArn', `Invalid Arn: '${arn}'`);
}

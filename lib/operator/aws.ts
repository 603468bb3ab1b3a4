/** Parts of the verbs that use AWS directly, with the credentials and the region of the environment. */
import { CommandFailed } from './api.ts';
import { UsageError } from './arguments.ts';
import { type ParsedArguments, text, textOf } from './verb.ts';

export const tableOption = text('table', 'name of the table; default: TABLE_NAME');

/** @throws UsageError */
export function tableName(
  fields: ParsedArguments['fields'],
  { TABLE_NAME = '' }: Record<string, string | undefined>,
): string {
  const name = textOf(fields, 'table') || TABLE_NAME;
  if (name === '') throw new UsageError('The table is not set. Use --table <table>, or set TABLE_NAME.');
  return name;
}

/** @param kind of the resource, such as `table`. */
export function awsFailure(error: unknown, kind: 'table' | 'queue', resource: string): CommandFailed {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === 'QueueDoesNotExist' || name === 'ResourceNotFoundException') {
    const next = 'Check the name, AWS_REGION and AWS_PROFILE.';
    const reason = `There is no ${kind} ${resource} in this account and region.`;
    return new CommandFailed(`${reason} ${next}`, { code: `${kind}_not_found`, next });
  }
  if (message === 'Region is missing') {
    const next = 'Set AWS_REGION.';
    return new CommandFailed(`The region is not set. ${next}`, { code: 'region_missing', next });
  }
  return new CommandFailed(`The request to the ${kind} ${resource} failed. ${name}: ${message}`, {
    code: `${kind}_failed`,
    next: 'Check the credentials and their rights, then repeat the command.',
  });
}

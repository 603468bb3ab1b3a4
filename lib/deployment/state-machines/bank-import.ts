import { type Definition, lambdaTask, sixRetries } from './definition.ts';

/** The function that the state machine invokes, by the id it is registered under. */
export const importTask = 'statements.run-import';

const names = { record: 'Record entries', choice: 'Is anything left', end: 'Done' } as const;

/**
 * The state machine that imports a confirmed bank statement, in the Amazon States Language with JSONata; deployed and run
 * locally from here. Its one task records entries for a minute, and says whether any are left. What is recorded is in the
 * table: an execution that is killed or started twice records nothing twice.
 *
 * A task that fails for good fails the execution. The seller confirms the statement again, which starts another.
 *
 * @param record ARN or name of the function.
 */
export function bankImport(record: string): Definition {
  return {
    Comment: 'Records the entries of a bank statement as payments.',
    QueryLanguage: 'JSONata',
    StartAt: names.record,
    States: {
      [names.record]: { ...lambdaTask(record, sixRetries), Next: names.choice },
      [names.choice]: {
        Type: 'Choice',
        Choices: [{ Condition: '{% $states.input.isDone = false %}', Next: names.record }],
        Default: names.end,
      },
      [names.end]: { Type: 'Succeed' },
    },
  };
}

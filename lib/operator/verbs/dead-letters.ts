import { tableName, tableOption } from '../aws.ts';
import { requiredText, textOf, type Verb } from '../verb.ts';

const stage = requiredText('stage', 'the stage, for example dev');

export const listDeadLetters: Verb = {
  name: 'dead-letters list',
  summary: "Lists what the consumers of the table's stream could not handle.",
  options: { stage },
  notes: [
    'Uses the AWS credentials and region of the environment. The credentials need sqs:GetQueueUrl, sqs:ReceiveMessage',
    'and sqs:ChangeMessageVisibility on the queue vouchsafe-<stage>-dead-letters.',
  ].join('\n'),
  run: async ({ fields }) => {
    const { readDeadLetters } = await import('../dead-letters.ts');
    return { body: await readDeadLetters(textOf(fields, 'stage')) };
  },
};

export const redriveDeadLetters: Verb = {
  name: 'dead-letters redrive',
  summary: 'Removes the messages whose work is done, and says which timer does the work of the others.',
  options: { stage, table: tableOption },
  notes: [
    'What a consumer could not handle is still due in the table, and a timer does it. A message is removed when nothing',
    'that was written before it is overdue any more. Repeat the command until no message is kept.',
    'Uses the AWS credentials and region of the environment. The credentials need also sqs:DeleteMessage on the queue',
    'and dynamodb:Query on the index due of the table.',
  ].join('\n'),
  run: async ({ fields }, { terminal }) => {
    const table = tableName(fields, terminal.env);
    const { redriveDeadLetters: redrive } = await import('../dead-letters.ts');
    const body = await redrive(textOf(fields, 'stage'), table, Date.now());
    return { body, note: body.kept.length > 0 ? 'Repeat the command when the timers have run.' : undefined };
  },
};

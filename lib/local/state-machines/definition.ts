import * as z from 'zod/mini';
import { DefinitionError } from './errors.ts';
import { expressionProblem } from './expression.ts';

const expression = z.string().check((text) => {
  const message = expressionProblem(text.value);
  if (message !== undefined) text.issues.push({ code: 'custom', message, input: text.value });
});
const comment = z.optional(z.string());

const retrier = z.strictObject({
  ErrorEquals: z.tuple([z.literal('States.ALL')]),
  IntervalSeconds: z.int().check(z.positive()),
  MaxAttempts: z.int().check(z.nonnegative()),
  BackoffRate: z.number().check(z.gte(1)),
  MaxDelaySeconds: z.int().check(z.positive()),
  JitterStrategy: z.optional(z.enum(['FULL', 'NONE'])),
});

const task = z
  .strictObject({
    Type: z.literal('Task'),
    Comment: comment,
    Resource: z.string().check(z.regex(/^arn:aws[a-z-]*:states:::lambda:invoke$/)),
    Arguments: z.strictObject({ FunctionName: z.string(), Payload: expression }),
    Output: expression,
    Retry: z.tuple([retrier]),
    Next: z.optional(z.string()),
    End: z.optional(z.literal(true)),
  })
  .check(z.refine(({ Next, End }) => (Next === undefined) === (End === true), 'Next or End is required'));

const state = z.discriminatedUnion('Type', [
  task,
  z.strictObject({ Type: z.literal('Wait'), Comment: comment, Timestamp: expression, Next: z.string() }),
  z.strictObject({
    Type: z.literal('Choice'),
    Comment: comment,
    Choices: z.array(z.strictObject({ Condition: expression, Next: z.string() })).check(z.minLength(1)),
    Default: z.string(),
  }),
  z.strictObject({ Type: z.literal('Succeed'), Comment: comment }),
]);

const machine = z
  .strictObject({
    Comment: comment,
    QueryLanguage: z.literal('JSONata'),
    StartAt: z.string(),
    States: z.record(z.string().check(z.maxLength(80)), state),
  })
  .check(
    z.refine(
      ({ StartAt, States }) =>
        [StartAt, ...Object.values(States).flatMap(targets)].every((name) => Object.hasOwn(States, name)),
      'StartAt, Next or Default names no state',
    ),
  );

export type State = z.infer<typeof state>;
export type Retrier = z.infer<typeof retrier>;
export type Definition = z.infer<typeof machine>;

/**
 * Parses a definition in the Amazon States Language, JSONata only. It has the states and fields that the project's machines
 * use, and refuses all others.
 *
 * @throws DefinitionError naming the state and the field
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/concepts-amazon-states-language.html
 */
export function parseDefinition(text: string): Definition {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new DefinitionError('The definition is not JSON');
  }
  const parsed = machine.safeParse(json, { error: z.locales.en().localeError });
  if (!parsed.success) throw new DefinitionError(z.prettifyError(parsed.error));
  return parsed.data;
}

/** Every state that a state leads to. */
function targets(from: State): string[] {
  if (from.Type === 'Choice') return [from.Default, ...from.Choices.map(({ Next }) => Next)];
  return from.Type === 'Succeed' || from.Next === undefined ? [] : [from.Next];
}

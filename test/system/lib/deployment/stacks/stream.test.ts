import { registeredTimers } from '../../../../../functions/timers.ts';
import { filterPattern } from '../../../../../lib/deployment/stream.ts';
import { all, functionOf, type Json } from './synthesized.ts';

const consumers = registeredTimers().flatMap(({ timer: { stream, summary } }) =>
  stream === undefined ? [] : [{ stream, summary }],
);
const mappings = all('AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => Properties);
const queueArn = { 'Fn::Join': ['', expect.arrayContaining([':vouchsafe-dev-dead-letters'])] };

describe('the stream of the table', () => {
  test('is handed over from its oldest record, split where it fails, and retried for an hour at most', () => {
    expect(mappings).toHaveLength(consumers.length);
    for (const mapping of mappings) {
      expect(mapping).toMatchObject({
        EventSourceArn: { 'Fn::ImportValue': expect.stringMatching(/Table.*StreamArn/) },
        StartingPosition: 'TRIM_HORIZON',
        BisectBatchOnFunctionError: true,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        MaximumRetryAttempts: 10,
        MaximumRecordAgeInSeconds: 3_600,
        DestinationConfig: { OnFailure: { Destination: queueArn } },
      });
      expect(mapping.MaximumBatchingWindowInSeconds).toBeUndefined();
    }
  });

  test.each(consumers)(
    'is filtered by the pattern that the local stack uses too: $stream',
    ({ stream, summary }) => {
      const [functionId] = functionOf(`By the stream: ${summary}`);
      const [mapping] = mappings.filter(({ FunctionName }) => FunctionName.Ref === functionId);
      const patterns = mapping.FilterCriteria.Filters.map(({ Pattern }: Json) => JSON.parse(Pattern));
      expect(patterns).toEqual([filterPattern(stream)]);
    },
  );
});

describe('the dead-letter queue', () => {
  test('is one for the stage, encrypted, over TLS only, and keeps a message for as long as SQS can', () => {
    expect(all('AWS::SQS::Queue').map(([, { Properties }]) => Properties)).toEqual([
      {
        QueueName: 'vouchsafe-dev-dead-letters',
        MessageRetentionPeriod: 14 * 24 * 3_600,
        SqsManagedSseEnabled: true,
        Tags: expect.anything(),
      },
    ]);
    const [[, policy] = ['', {} as Json]] = all('AWS::SQS::QueuePolicy');
    expect(policy.Properties.PolicyDocument.Statement).toMatchObject([
      { Effect: 'Deny', Action: 'sqs:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
    ]);
  });
});

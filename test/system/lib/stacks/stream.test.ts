import { describe, expect, test } from 'vitest';
import { registeredRoutes } from '../../../../functions/routes.ts';
import type { Timer } from '../../../../functions/shared/contract/route.ts';
import type { RegisteredTimer } from '../../../../functions/timers.ts';
import { filterPattern } from '../../../../lib/stream.ts';
import { synthesize } from '../../../support/deployment.ts';
import { type Json, ofType, resourcesOf } from './synthesized.ts';

const mailFilter = { partitions: 'SUBSCRIPTION', sortKeyPrefix: 'OUTBOX#' } as const;
const eventFilter = { partitions: 'EVENT', sortKeyPrefix: 'EVENTS' } as const;

const registered = (service: string, name: string, timer: Timer): RegisteredTimer => ({
  service,
  name,
  id: `${service}.${name}`,
  timer,
});
/** Two consumers of two services, one of which sends mail. */
const consumers = [
  registered('shares', 'hand-on', {
    summary: 'Hands on.',
    stream: eventFilter,
    grants: { table: { EVENT: ['BatchGetItem'] } },
  }),
  registered('subscriptions', 'send', {
    summary: 'Sends.',
    stream: mailFilter,
    grants: { table: { SUBSCRIPTION: ['UpdateItem'] }, uses: ['rawMail'] },
  }),
];
const registry = registeredRoutes().filter(({ id }) => ['shares.open', 'subscriptions.pause'].includes(id));
const synthesized = synthesize({ alarmEmail: 'alarms@example.com' }, registry, consumers);
const resources = resourcesOf(synthesized);
const gradual = synthesize(
  { gradualDeployment: 'canary', alarmEmail: 'alarms@example.com' },
  registry,
  consumers,
);

const mappings = ofType(resources, 'AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => Properties);
const queueArn = (stage: string) => ({
  'Fn::Join': ['', expect.arrayContaining([`:vouchsafe-${stage}-dead-letters`])],
});

describe('the stream of the table', () => {
  test('is handed over from its oldest record, split where it fails, and retried for an hour at most', () => {
    for (const mapping of mappings) {
      expect(mapping).toMatchObject({
        EventSourceArn: { 'Fn::ImportValue': expect.stringMatching(/Table.*StreamArn/) },
        StartingPosition: 'TRIM_HORIZON',
        BisectBatchOnFunctionError: true,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        MaximumRetryAttempts: 10,
        MaximumRecordAgeInSeconds: 3_600,
        DestinationConfig: { OnFailure: { Destination: queueArn('dev') } },
      });
      expect(mapping.MaximumBatchingWindowInSeconds).toBeUndefined();
    }
  });

  test('is filtered by the pattern that the local stack uses too', () => {
    const patterns = mappings.map(({ FilterCriteria }) =>
      FilterCriteria.Filters.map(({ Pattern }: Json) => JSON.parse(Pattern)),
    );
    expect(patterns).toEqual([[filterPattern(eventFilter)], [filterPattern(mailFilter)]]);
    expect(patterns[1]).toEqual([
      {
        eventName: ['INSERT'],
        dynamodb: { Keys: { pk: { S: [{ prefix: 'SUBSCRIPTION#' }] }, sk: { S: [{ prefix: 'OUTBOX#' }] } } },
      },
    ]);
  });

  test('invokes the function of a consumer, and with gradual deployment its alias', () => {
    const types = (of: Record<string, Json>) =>
      ofType(of, 'AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => {
        const [, id = ''] = /"Ref":"(\w+)"/.exec(JSON.stringify(Properties.FunctionName)) ?? [];
        return of[id].Type;
      });
    expect(types(resources)).toEqual(['AWS::Lambda::Function', 'AWS::Lambda::Function']);
    expect(types(resourcesOf(gradual))).toEqual(['AWS::Lambda::Alias', 'AWS::Lambda::Alias']);
  });
});

describe('a consumer', () => {
  const functions = ofType(resources, 'AWS::Lambda::Function').filter(([, { Properties }]) =>
    Properties.Description.startsWith('By the stream: '),
  );

  test('reads this stream and writes to this queue, beyond its grants nothing else', () => {
    for (const [, { Properties }] of functions) {
      const [{ PolicyDocument }] = resources[Properties.Role['Fn::GetAtt'][0]].Properties.Policies;
      const beyond = PolicyDocument.Statement.filter(
        ({ Action }: Json) => !/logs:|LeadingKeys|ses:/.test(JSON.stringify(Action)),
      ).filter(({ Condition }: Json) => Condition === undefined);
      expect(beyond).toEqual([
        {
          Effect: 'Allow',
          Action: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
          Resource: { 'Fn::ImportValue': expect.stringMatching(/Table.*StreamArn/) },
        },
        // It takes no resource.
        { Effect: 'Allow', Action: 'dynamodb:ListStreams', Resource: '*' },
        { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: queueArn('dev') },
      ]);
    }
  });

  test('that is deployed gradually is rolled back when the queue gets a message', () => {
    const all = resourcesOf(gradual);
    const groups = ofType(all, 'AWS::CodeDeploy::DeploymentGroup').map(([, { Properties }]) => Properties);
    const withQueue = groups.filter(({ AlarmConfiguration }) =>
      JSON.stringify(AlarmConfiguration).includes('StreamFailing'),
    );
    expect(withQueue).toHaveLength(2);
  });
});

describe('the dead-letter queue', () => {
  const queues = ofType(resources, 'AWS::SQS::Queue');

  test('is one for the stage, encrypted, over TLS only, and keeps a message for as long as SQS can', () => {
    expect(queues.map(([, { Properties }]) => Properties)).toEqual([
      {
        QueueName: 'vouchsafe-dev-dead-letters',
        MessageRetentionPeriod: 14 * 24 * 3_600,
        SqsManagedSseEnabled: true,
        Tags: expect.anything(),
      },
    ]);
    const [[, policy] = ['', {} as Json]] = ofType(resources, 'AWS::SQS::QueuePolicy');
    expect(policy.Properties.PolicyDocument.Statement).toMatchObject([
      { Effect: 'Deny', Action: 'sqs:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
    ]);
  });
});

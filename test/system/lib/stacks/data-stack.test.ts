import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import {
  dueAttributes,
  indexes,
  listedAttributes,
  tableSchema,
} from '../../../../functions/shared/contract/keys.ts';
import { all, dev, type Json } from './synthesized.ts';

const data = Template.fromJSON(dev.templates.get('data')?.json);

describe('the table', () => {
  test('has the keys, indexes and time to live that the code uses', () => {
    data.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      KeySchema: [
        { AttributeName: tableSchema.partitionKey, KeyType: 'HASH' },
        { AttributeName: tableSchema.sortKey, KeyType: 'RANGE' },
      ],
      LocalSecondaryIndexes: [
        {
          IndexName: 'byStatus',
          KeySchema: [
            { AttributeName: tableSchema.partitionKey, KeyType: 'HASH' },
            { AttributeName: indexes.byStatus.sortKey, KeyType: 'RANGE' },
          ],
        },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'queue',
          KeySchema: [
            { AttributeName: indexes.queue.partitionKey, KeyType: 'HASH' },
            { AttributeName: indexes.queue.sortKey, KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
        {
          IndexName: 'byLink',
          KeySchema: [{ AttributeName: indexes.byLink.partitionKey, KeyType: 'HASH' }],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
        {
          IndexName: 'due',
          KeySchema: [
            { AttributeName: indexes.due.partitionKey, KeyType: 'HASH' },
            { AttributeName: indexes.due.sortKey, KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...dueAttributes] },
        },
        {
          IndexName: 'listed',
          KeySchema: [
            { AttributeName: indexes.listed.partitionKey, KeyType: 'HASH' },
            { AttributeName: indexes.listed.sortKey, KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...listedAttributes] },
        },
      ],
      TimeToLiveSpecification: { AttributeName: tableSchema.timeToLive, Enabled: true },
    });
  });

  test('is billed by request, restorable to any point in time, and kept when its stack is deleted', () => {
    data.hasResource('AWS::DynamoDB::GlobalTable', {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        Replicas: [
          Match.objectLike({
            DeletionProtectionEnabled: true,
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          }),
        ],
      },
    });
  });

  test('has a stream that names changed items and does not contain them', () => {
    data.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      StreamSpecification: { StreamViewType: 'KEYS_ONLY' },
      // CloudFormation changes the stream of a table with one replica in place.
      Replicas: [Match.anyValue()],
    });
  });

  test('is in a stack with nothing else but the key of the deployment and the configuration set of mail', () => {
    expect(Object.values<Json>(data.toJSON().Resources).map(({ Type }) => Type)).toEqual([
      'AWS::DynamoDB::GlobalTable',
      'AWS::SecretsManager::Secret',
      'AWS::SES::ConfigurationSet',
    ]);
    expect(all('AWS::DynamoDB::GlobalTable')).toEqual([]);
  });
});

test('mail to addresses that bounced or complained is suppressed, under the name that the functions use', () => {
  data.hasResourceProperties('AWS::SES::ConfigurationSet', {
    Name: 'vouchsafe-dev',
    SuppressionOptions: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
  });
  const names = all('AWS::Lambda::Function').map(
    ([, { Properties }]) => Properties.Environment?.Variables?.MAIL_CONFIGURATION_SET,
  );
  expect(new Set(names)).toEqual(new Set([undefined, 'vouchsafe-dev']));
});

test('the key of the deployment is generated, is in no template, and is kept when its stack is deleted', () => {
  data.hasResource('AWS::SecretsManager::Secret', {
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
    Properties: {
      GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true },
      SecretString: Match.absent(),
    },
  });
});

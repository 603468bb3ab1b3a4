import {
  dueAttributes,
  indexes,
  listedAttributes,
  tableSchema,
} from '../../../../../functions/shared/contract/table-schema.ts';
import { all, dev, type Json } from './synthesized.ts';

const kept = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
const resources = Object.values<Json>(dev.templates.get('data')?.json.Resources);
const [table, secret, mail] = resources;

test('the stack of the data has the table, the key of the deployment and the configuration set of mail alone', () => {
  expect(resources.map(({ Type }) => Type)).toEqual([
    'AWS::DynamoDB::GlobalTable',
    'AWS::SecretsManager::Secret',
    'AWS::SES::ConfigurationSet',
  ]);
  expect(all('AWS::DynamoDB::GlobalTable')).toEqual([]);
});

test('the table has the keys, indexes and time to live that the code uses', () => {
  const keySchema = (...names: readonly string[]) =>
    names.map((AttributeName, i) => ({ AttributeName, KeyType: i === 0 ? 'HASH' : 'RANGE' }));
  const included = (names: readonly string[]) => ({ ProjectionType: 'INCLUDE', NonKeyAttributes: names });
  const { byStatus, queue, byLink, byName, due, listed } = indexes;
  expect(Object.keys(indexes)).toHaveLength(6);
  expect(table.Properties).toMatchObject({
    KeySchema: keySchema(tableSchema.partitionKey, tableSchema.sortKey),
    LocalSecondaryIndexes: [
      { IndexName: 'byStatus', KeySchema: keySchema(tableSchema.partitionKey, byStatus.sortKey) },
    ],
    GlobalSecondaryIndexes: [
      ['queue', keySchema(queue.partitionKey, queue.sortKey), { ProjectionType: 'ALL' }],
      ['byLink', keySchema(byLink.partitionKey), { ProjectionType: 'KEYS_ONLY' }],
      ['byName', keySchema(byName.partitionKey, byName.sortKey), { ProjectionType: 'KEYS_ONLY' }],
      ['due', keySchema(due.partitionKey, due.sortKey), included(dueAttributes)],
      ['listed', keySchema(listed.partitionKey, listed.sortKey), included(listedAttributes)],
    ].map(([IndexName, KeySchema, Projection]) => ({ IndexName, KeySchema, Projection })),
    TimeToLiveSpecification: { AttributeName: tableSchema.timeToLive, Enabled: true },
  });
});

test('the table is billed by request, restorable to any point in time, and kept when its stack is deleted', () => {
  expect(table).toMatchObject(kept);
  expect(table.Properties.BillingMode).toBe('PAY_PER_REQUEST');
  expect(table.Properties.Replicas).toMatchObject([
    {
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    },
  ]);
});

test('has a stream that names changed items and does not contain them', () => {
  expect(table.Properties.StreamSpecification).toEqual({ StreamViewType: 'KEYS_ONLY' });
});

test('mail to addresses that bounced or complained is suppressed, under the name that the functions use', () => {
  expect(mail.Properties).toMatchObject({
    Name: 'vouchsafe-dev',
    SuppressionOptions: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
  });
  const names = all('AWS::Lambda::Function').map(
    ([, { Properties }]) => Properties.Environment?.Variables?.MAIL_CONFIGURATION_SET,
  );
  expect(new Set(names)).toEqual(new Set([undefined, 'vouchsafe-dev']));
});

test('the key of the deployment is generated, is in no template, and is kept when its stack is deleted', () => {
  expect(secret).toMatchObject(kept);
  expect(secret.Properties.GenerateSecretString).toMatchObject({
    PasswordLength: 64,
    ExcludePunctuation: true,
  });
  expect(secret.Properties).not.toHaveProperty('SecretString');
});

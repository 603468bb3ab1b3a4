import { CreateTableCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { indexes } from '../../../../functions/shared/contract/table-schema.ts';
import { createTable } from '../../../../lib/local/table.ts';

test('a table that is older than an index gets it, and keeps its items', async () => {
  const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '';
  const client = new DynamoDBClient({ endpoint });
  const TableName = `older-${Date.now()}`;
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: ['pk', 'sk', 'queue', 'queuePosition'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      GlobalSecondaryIndexes: [
        {
          IndexName: 'queue',
          KeySchema: [
            { AttributeName: 'queue', KeyType: 'HASH' },
            { AttributeName: 'queuePosition', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    }),
  );
  await createTable(endpoint, TableName);
  await createTable(endpoint, TableName);
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const global = Object.entries(indexes).filter(([, index]) => 'partitionKey' in index);
  const names = Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName).sort();
  expect(names).toEqual(global.map(([name]) => name).sort());
  client.destroy();
});

import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { EndpointCache } from '../../../lib/bundling/endpoint-cache.ts';

test.each([false, true])(
  'a client with an endpoint of AWS works with a cache that keeps nothing, discovery: %s',
  async (endpointDiscoveryEnabled) => {
    const hosts: string[] = [];
    const client = new DynamoDBClient({
      region: 'eu-west-1',
      endpoint: undefined as never,
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      endpointDiscoveryEnabled,
      requestHandler: {
        handle: async ({ hostname }: { hostname: string }) => {
          hosts.push(hostname);
          throw new Error('No network');
        },
      } as never,
      maxAttempts: 1,
    });
    Object.assign(client.config, { endpointCache: new EndpointCache() });
    await expect(client.send(new ListTablesCommand({}))).rejects.toThrow('No network');
    expect(hosts).toEqual(['dynamodb.eu-west-1.amazonaws.com']);
  },
);

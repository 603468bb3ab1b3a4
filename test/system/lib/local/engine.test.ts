import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { startEngine } from '../../../../lib/local/engine.ts';
import { createTable } from '../../../../lib/local/table.ts';

const folder = mkdtempSync(join(tmpdir(), 'engine-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function responses(endpoint: string): Promise<boolean> {
  return fetch(endpoint).then(
    () => true,
    () => false,
  );
}

test('the next engine opens the same database file, and the table is created once', async () => {
  const databasePath = join(folder, 'table.sqlite');
  const item = { pk: { S: 'SHARE#1' }, sk: { S: 'HEAD' } };
  const first = await startEngine({ databasePath });
  await createTable(first.endpoint, 'vouchsafe');
  await createTable(first.endpoint, 'vouchsafe');
  const writer = new DynamoDBClient({ endpoint: first.endpoint });
  await writer.send(new PutItemCommand({ TableName: 'vouchsafe', Item: item }));
  writer.destroy();
  await first.stop();
  expect(await responses(first.endpoint)).toBe(false);

  const second = await startEngine({ databasePath });
  await createTable(second.endpoint, 'vouchsafe');
  const reader = new DynamoDBClient({ endpoint: second.endpoint });
  const { Item } = await reader.send(new GetItemCommand({ TableName: 'vouchsafe', Key: item }));
  const ttl = await reader.send(new DescribeTimeToLiveCommand({ TableName: 'vouchsafe' }));
  reader.destroy();
  await second.stop();
  expect(Item).toEqual(item);
  expect(ttl.TimeToLiveDescription?.AttributeName).toBe('ttl');
});

test('records of a stream are found by an index, are kept for a day, and their numbers never begin again', async () => {
  const databasePath = join(folder, 'stream.sqlite');
  const write = async ({ endpoint }: { endpoint: string }, id: string) => {
    const client = new DynamoDBClient({ endpoint });
    const Item = { pk: { S: id }, sk: { S: 'HEAD' } };
    await client.send(new PutItemCommand({ TableName: 'vouchsafe', Item }));
    client.destroy();
  };
  const first = await startEngine({ databasePath });
  await createTable(first.endpoint, 'vouchsafe');
  for (const id of ['SHARE#1', 'SHARE#2', 'SHARE#3']) await write(first, id);
  await first.stop();
  const database = new DatabaseSync(databasePath);
  // By the clock of the engine.
  database.exec('UPDATE _stream_records SET created_at = unixepoch() - 25 * 3600');
  database.close();

  const second = await startEngine({ databasePath });
  await write(second, 'SHARE#4');
  await second.stop();
  const kept = new DatabaseSync(databasePath);
  const numbers = kept.prepare('SELECT sequence_number AS number FROM _stream_records ORDER BY id').all();
  const plan = kept
    .prepare(
      "EXPLAIN QUERY PLAN SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = 'vouchsafe'",
    )
    .all();
  kept.close();
  expect(numbers.map(({ number }) => number)).toEqual(['3', '4']);
  expect(plan.map(({ detail }) => detail).join()).toContain('stream_position');
});

test('the engine ends with its parent, even when that is killed with -9, and its data goes with it', async () => {
  const module = new URL('../../../../lib/local/engine.ts', import.meta.url).href;
  const source = `const { startEngine } = await import(${JSON.stringify(module)});
    const { endpoint, databasePath } = await startEngine();
    console.log(JSON.stringify({ endpoint, databasePath })); setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(parent.stdout, 'data');
  const { endpoint, databasePath } = JSON.parse(String(line));
  expect(await responses(endpoint)).toBe(true);
  expect(existsSync(databasePath)).toBe(true);

  parent.kill('SIGKILL');
  await once(parent, 'exit');
  await expect.poll(() => responses(endpoint), { interval: 10 }).toBe(false);
  await expect.poll(() => existsSync(databasePath), { interval: 10 }).toBe(false);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
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
  const first = await startEngine(databasePath);
  await createTable(first.endpoint, 'vouchsafe');
  await createTable(first.endpoint, 'vouchsafe');
  const writer = new DynamoDBClient({ endpoint: first.endpoint });
  await writer.send(new PutItemCommand({ TableName: 'vouchsafe', Item: item }));
  writer.destroy();
  await first.stop();
  expect(await responses(first.endpoint)).toBe(false);

  const second = await startEngine(databasePath);
  await createTable(second.endpoint, 'vouchsafe');
  const reader = new DynamoDBClient({ endpoint: second.endpoint });
  const { Item } = await reader.send(new GetItemCommand({ TableName: 'vouchsafe', Key: item }));
  const ttl = await reader.send(new DescribeTimeToLiveCommand({ TableName: 'vouchsafe' }));
  reader.destroy();
  await second.stop();
  expect(Item).toEqual(item);
  expect(ttl.TimeToLiveDescription?.AttributeName).toBe('ttl');
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

test('no page finds the engine, which lets every origin in: its address is drawn at each start, out of 16 million', async () => {
  const engines = await Promise.all([startEngine(), startEngine()]);
  try {
    const [first, second] = engines.map(({ endpoint }) => new URL(endpoint));
    expect(first?.hostname).toMatch(/^127\.\d+\.\d+\.\d+$/);
    expect(first?.hostname).not.toBe(second?.hostname);
    for (const { endpoint } of engines) {
      const { port } = new URL(endpoint);
      expect(await responses(endpoint)).toBe(true);
      for (const known of ['127.0.0.1', 'localhost', '[::1]'])
        expect(await responses(`http://${known}:${port}`), known).toBe(false);
    }
  } finally {
    await Promise.all(engines.map((engine) => engine.stop()));
  }
});

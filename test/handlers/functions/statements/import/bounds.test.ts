import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { secondMs } from '../../../../../functions/shared/runtime/clock.ts';
import { takeLease } from '../../../../../functions/shared/table/lease.ts';
import { getItem } from '../../../../../functions/shared/table/table.ts';
import { dryRun } from '../../../../../functions/statements/import/dry-run.ts';
import { parseCamt } from '../../../../../functions/statements/import/file/camt.ts';
import { parseCsv } from '../../../../../functions/statements/import/file/csv.ts';
import { UnreadableFile } from '../../../../../functions/statements/import/file/entry.ts';
import { statedReferences } from '../../../../../functions/statements/import/references.ts';
import { generateReference } from '../../../../../functions/subscriptions/record/reference-number.ts';
import { call, newSeller } from '../../../../support/call.ts';
import { failTable } from '../../../../support/faults.ts';
import { camt, entryXml } from '../../../../support/statements/bank-files.ts';
import { hostileFiles, hostileMapping } from '../../../../support/statements/hostile-files.ts';
import { sendFile } from '../../../../support/statements/statement-stage.ts';

const nowMs = Date.UTC(2026, 10, 22);

/** Reference numbers that differ by their n. */
function referenceOf(n: number): string {
  let rest = n;
  return generateReference(() => {
    const digit = rest % 32;
    rest = Math.floor(rest / 32);
    return digit / 32;
  });
}

// `npm run bench -- hostile-files` measures time and memory of all of them, each of 24 MB.
test.each(hostileFiles.filter(({ refusal }) => refusal !== undefined))(
  'one tenant cannot exhaust Lambda by $of ($format): a file is refused by what it contains',
  async ({ format, refusal, enough }) => {
    const bytes = Buffer.from(enough());
    const reading = format === 'csv' ? parseCsv(bytes, hostileMapping, nowMs) : parseCamt(bytes, nowMs);
    const error = await reading.catch((error: unknown) => error);
    expect(error).toBeInstanceOf(UnreadableFile);
    expect(error).toHaveProperty('message', expect.stringMatching(refusal ?? ''));
  },
);

test.each(hostileFiles.filter(({ of, refusal }) => refusal === undefined && of.endsWith(' of a batch')))(
  'one tenant cannot exhaust Lambda by $of ($format): each transaction repeats a short text, and is read in short time',
  async ({ enough }) => {
    const { entries } = await parseCamt(Buffer.from(enough()), nowMs);
    expect(entries.length).toBe(10_000);
    const lengths = entries.map(({ text, bankId = '' }) => text.length + bankId.length);
    expect(Math.max(...lengths)).toBeLessThan(2_000);
  },
);

test('one tenant cannot exhaust Lambda by the account of a statement, or by the references of an entry', async () => {
  const account = 'x'.repeat(100_000);
  const { entries } = await parseCamt(Buffer.from(camt([entryXml()], { account })), nowMs);
  expect(entries[0]?.account.length).toBeLessThan(2_000);
  const references = Array.from({ length: 1_000 }, (_, n) => generateReference(() => n / 1_000));
  const { certain, possible } = statedReferences('', references);
  expect([certain.length, possible.length]).toEqual([20, 0]);
});

test('a file that names more reference numbers than a reading looks up is a 400 that says what to do', async () => {
  const texts = Array.from({ length: 1_501 }, (_, n) =>
    Array.from({ length: 20 }, (_, i) => referenceOf(n * 20 + i)).join(' '),
  );
  const { status, body } = await sendFile(await newSeller(), camt(texts.map((text) => entryXml({ text }))));
  expect([status, body.details]).toEqual([
    400,
    { file: 'must have at most 30000 reference numbers, and words that can be one: export shorter periods' },
  ]);
});

test('some KB of gzip are a 400 that says what is wrong with the file', async () => {
  const file = gzipSync(hostileFiles[0]?.enough() ?? '', { level: 9 });
  expect(file.length).toBeLessThan(24 * 1024);
  const { status, body } = await sendFile(await newSeller(), file);
  expect([status, body.details]).toEqual([
    400,
    { file: expect.stringMatching(/^must have at most 1000000 elements/) },
  ]);
});

test('an application has one file read at a time, and each other one is a 429 with Retry-After', async () => {
  const seller = await newSeller();
  const file = camt([entryXml()]);
  const answers = await Promise.all(Array.from({ length: 6 }, () => sendFile(seller, file)));
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
  expect(refused.length).toBeGreaterThan(0);
  for (const { body, headers } of refused) {
    expect(body.error).toBe('rate_limited');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(30);
  }
  // The lease of each reading has ended with it, of a refused file too.
  expect((await sendFile(seller, 'x')).status).toBe(400);
  expect((await sendFile(seller, file)).status).toBe(201);
});

test('a reading that takes longer than its time is a 400 that says what to do, and holds up nothing', async () => {
  const seller = await newSeller();
  const bytes = Buffer.from(camt([entryXml()]));
  const options = { nowMs: Date.now(), auditOf: () => [], maxMs: 0 };
  const reading = dryRun(seller.applicationId, { format: 'camt.053', bytes }, options);
  await expect(reading).rejects.toMatchObject({
    code: 'invalid_request',
    details: {
      file: 'took more than 15 seconds, and nothing is recorded: export shorter periods, and send them one after the other',
    },
  });
  expect((await sendFile(seller, bytes)).status).toBe(201);
});

test('a reading whose time ends while it writes answers what is recorded', async () => {
  const seller = await newSeller();
  const bytes = Buffer.from(camt([entryXml()]));
  const endsAtMs = Date.now() + 2 * secondMs;
  const writing = failTable(async (command, _, input) => {
    const isStatement = /Put|Write/.test(command) && JSON.stringify(input).includes('bst_');
    if (isStatement) await sleep(Math.max(0, endsAtMs + 500 - Date.now()));
    return undefined;
  });
  const options = { nowMs: Date.now(), auditOf: () => [], maxMs: endsAtMs - Date.now() };
  const answer = await dryRun(seller.applicationId, { format: 'camt.053', bytes }, options).then(
    ({ statement }) => [statement.statementId],
    () => [],
  );
  await sleep(secondMs);
  writing.restore();
  const { statements } = (await call('statements.list', { headers: seller.headers })).body;
  expect(statements.map(({ _id }: { _id: string }) => _id)).toEqual(answer);
});

test('the parser gives way to other work, and ends when its time is over', async () => {
  const signal = AbortSignal.abort();
  const entries = Array.from({ length: 100 }, () => entryXml());
  await expect(parseCamt(Buffer.from(camt(entries)), nowMs, signal)).rejects.toThrow('aborted');
});

test('10,000 entries in some KB of gzip are stored, or end with the time of a reading, and hold up nothing', async () => {
  const entries = Array.from({ length: 10_000 }, (_, n) => entryXml({ amount: '1.00', text: `R ${n}` }));
  const seller = await newSeller();
  const { status, body, text } = await sendFile(seller, gzipSync(camt(entries), { level: 9 }));
  // A quiet machine takes two seconds, and one with thirty busy processes longer than the reading may.
  const isOver = /^took more than 15 seconds/.test(body.details?.file);
  expect(status === 201 || isOver, text).toBe(true);
  expect((await sendFile(seller, camt([entryXml()]))).status).toBe(201);
});

test('a table that takes no part of a statement fails one request, and holds up no other one', async () => {
  const seller = await newSeller();
  const isPart = (input: object) => 'Item' in input && JSON.stringify(input).includes('BANKSTATEMENT');
  const { restore } = failTable((_command, _index, input) =>
    isPart(input) ? new Error('the table is down') : undefined,
  );
  const { status } = await sendFile(seller, camt([entryXml()])).finally(restore);
  expect(status).toBe(500);
  expect((await sendFile(seller, camt([entryXml()]))).status).toBe(201);
});

test('a reading holds up no other application, and one that died holds up its own for 30 seconds', async () => {
  const [seller, other] = await Promise.all([newSeller(), newSeller()]);
  const leases = { group: 'bank-statement', max: 1, maxMs: 30 * secondMs };
  await takeLease(leases, seller.applicationId, Date.now());
  expect((await sendFile(seller, camt([entryXml()]))).status).toBe(429);
  expect((await sendFile(other, camt([entryXml()]))).status).toBe(201);

  const dead = await newSeller();
  await takeLease(leases, dead.applicationId, Date.now() - leases.maxMs);
  expect((await sendFile(dead, camt([entryXml()]))).status).toBe(201);
  expect(await getItem(keys.leases('bank-statement', dead.applicationId))).not.toHaveProperty('holders');
});

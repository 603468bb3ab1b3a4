import type { Timer } from '../../../../../functions/shared/contract/route.ts';

const timer: Timer = { summary: 'Does what is due.', everyMinutes: 5, grants: {} };

// Imported with these settings, because a logger keeps the settings of its creation.
let scheduled: typeof import('../../../../../functions/shared/lambda/scheduled.ts').scheduled;
const level = process.env.POWERTOOLS_LOG_LEVEL;

beforeAll(async () => {
  process.env.POWERTOOLS_LOG_LEVEL = 'DEBUG';
  vi.resetModules();
  ({ scheduled } = await import('../../../../../functions/shared/lambda/scheduled.ts'));
});

afterAll(() => {
  process.env.POWERTOOLS_LOG_LEVEL = level;
  vi.resetModules();
});

let records: Record<string, unknown>[];

beforeEach(() => {
  records = [];
  const spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((method) =>
    vi.spyOn(console, method).mockImplementation((line) => void records.push(JSON.parse(line))),
  );
  return () => {
    for (const spy of spies) spy.mockRestore();
    vi.useRealTimers();
  };
});

describe('a run', () => {
  test('logs one record with its counts and duration', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000 });
    const run = async () => {
      vi.setSystemTime(1_250);
      return { counts: { sent: 3, failed: 0 }, cause: undefined };
    };
    await expect(scheduled(timer, run)()).resolves.toBeUndefined();
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({
      level: 'INFO',
      timer: 'Does what is due.',
      durationMs: 250,
      sent: 3,
      failed: 0,
    });
  });

  test('succeeds after a partial failure, and logs the counts and the first cause', async () => {
    const run = async () => ({ counts: { sent: 1, failed: 2 }, cause: new Error('throttled') });
    await expect(scheduled(timer, run)()).resolves.toBeUndefined();
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ level: 'ERROR', sent: 1, failed: 2, cause: { message: 'throttled' } });
  });

  test('throws the error that ended it, so that Lambda counts it and retries', async () => {
    const run = async () => {
      throw new Error('connection lost');
    };
    await expect(scheduled(timer, run)()).rejects.toThrow('connection lost');
    expect(records).toEqual([]);
  });

  test('logs only name, message, stack and cause of an error', async () => {
    const cause = Object.assign(new Error('refused', { cause: new Error('deep') }), { Item: 'secret-item' });
    await scheduled(timer, async () => ({ counts: {}, cause }))();
    expect(JSON.stringify(records)).not.toContain('secret-item');
    expect(records[0]).toMatchObject({ cause: { message: 'refused', cause: { message: 'deep' } } });
  });
});

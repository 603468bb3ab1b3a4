import { Logger } from '@aws-lambda-powertools/logger';

/** The log lines that are written while `work` runs, as CloudWatch receives them. */
export async function logged(work: () => Promise<unknown>): Promise<string[]> {
  const lines: string[] = [];
  const capture = (...values: unknown[]) => void lines.push(values.map(String).join(' '));
  const methods = ['log', 'info', 'warn', 'error', 'debug'] as const;
  const spies = methods.map((method) => vi.spyOn(console, method).mockImplementation(capture));
  try {
    await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return lines;
}

/**
 * The same with the records of every level. Tests are silent, and a logger keeps the level with which it was created: each record
 * lowers it while it is written.
 */
export async function loggedInFull(work: () => Promise<unknown>): Promise<string[]> {
  const spies = (['debug', 'info', 'warn', 'error', 'critical'] as const).map((level) => {
    const write = Logger.prototype[level];
    return vi.spyOn(Logger.prototype, level).mockImplementation(function (this: Logger, ...record) {
      const before = this.getLevelName();
      this.setLogLevel('DEBUG');
      try {
        write.apply(this, record);
      } finally {
        this.setLogLevel(before);
      }
    });
  });
  try {
    return await logged(work);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

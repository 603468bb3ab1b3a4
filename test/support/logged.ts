import { vi } from 'vitest';

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

/** hledger (Debian package `hledger`) as a judge of the journal that shares no code with it. https://hledger.org */
import { spawnSync } from 'node:child_process';

const run = (journal: string, ...args: string[]) =>
  spawnSync('hledger', ['-f', '-', ...args], { input: journal, encoding: 'utf8', maxBuffer: 1 << 28 });

/** Whether hledger is installed. */
export const hasHledger = spawnSync('hledger', ['--version']).status === 0;

/** The complaint of `hledger check --strict` about a journal; empty when it has none. */
export function complaintOf(journal: string): string {
  const { status, stderr } = run(journal, 'check', '--strict');
  return status === 0 ? '' : stderr || `hledger ended with ${status}`;
}

/**
 * The balances of the accounts of a journal that are not 0: `10.00` by account and currency.
 *
 * @param before a day: entries from this day on are left out.
 */
export function balancesOf(journal: string, before?: string): Record<string, string> {
  const end = before === undefined ? [] : [`--end=${before}`];
  const args = [...end, 'balance', '--flat', '--no-total', '--layout=bare', '--output-format=csv'];
  const { stdout, stderr, status } = run(journal, ...args);
  if (status !== 0) throw new Error(stderr);
  const rows = stdout.trim().split('\n').slice(1);
  return Object.fromEntries(
    rows.map((row) => {
      const [account = '', currency = '', amount = ''] = row
        .split('","')
        .map((cell) => cell.replaceAll('"', ''));
      return [`${account} ${currency}`, amount];
    }),
  );
}

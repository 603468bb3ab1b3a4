/** The entries of bank statements of a walk, and the credits that they are: counted here by the rule alone. */
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
import type { Subscription } from '../../../../functions/subscriptions/record/subscription.ts';
import type { Seeded } from '../../parallel/seeded.ts';
import { batchXml, entryXml, type XmlEntry } from '../../statements/bank-files.ts';
import { dueOf } from './commands.ts';
import type { Shop } from './world.ts';

/** An entry of a file. A batch has parts, whose signed sum may be another than its amount. */
export interface FileEntry {
  readonly whole: XmlEntry;
  readonly parts: readonly XmlEntry[];
}

export const fileXml = ({ whole, parts }: FileEntry): string =>
  parts.length === 0 ? entryXml(whole) : batchXml(whole, parts);

const minorOf = ({ amount }: XmlEntry) => Math.round(Number(amount) * 100);
const signedMinor = (one: XmlEntry) => (one.indicator === 'DBIT' ? -minorOf(one) : minorOf(one));
const signedSum = (entries: readonly XmlEntry[]) => entries.reduce((sum, one) => sum + signedMinor(one), 0);

const isBack = ({ reversal, returnReason }: XmlEntry) => reversal === true || returnReason !== undefined;

/** The money that an entry is: its parts where they add up, and otherwise itself. */
function transactionsOf({ whole, parts }: FileEntry): readonly XmlEntry[] {
  const isSplit = parts.length > 1 && signedSum(parts) === signedMinor(whole);
  const isReversal = whole.reversal === true;
  if (isSplit) return parts.map((part) => Object.assign({}, part, { reversal: isReversal }));
  return [Object.assign({}, parts[0], whole, { reversal: isReversal || parts.some(isBack) })];
}

/** The transactions that a statement shows, and the sum of its credits by currency. */
export function shownOf(entries: readonly FileEntry[]) {
  const all = entries.flatMap(transactionsOf);
  const credits = all.filter((one) => one.indicator === 'CRDT' && !isBack(one));
  const totals: Record<string, number> = {};
  for (const { amount, currency = '' } of credits)
    totals[currency] = ((totals[currency] ?? 0) * 100 + Math.round(Number(amount) * 100)) / 100;
  return { count: all.filter((one) => isBack(one) || one.indicator === 'CRDT').length, totals };
}

/**
 * Draws an entry: a transfer, one of an earlier file, a recall, or a batch of both signs.
 *
 * @param subscriptions of which a payer names one: of all sellers.
 */
export function drawEntry(random: Seeded, shop: Shop, subscriptions: readonly Subscription[]): FileEntry {
  if (shop.bankEntries.length > 0 && random.oneIn(6)) return random.pick(shop.bankEntries);
  const recalled = random.oneIn(4) ? recall(random, shop) : undefined;
  if (recalled !== undefined) return recalled;
  return random.oneIn(4)
    ? batch(random, shop, subscriptions)
    : { whole: transfer(random, shop, subscriptions), parts: [] };
}

function transfer(random: Seeded, shop: Shop, subscriptions: readonly Subscription[]): XmlEntry {
  const target = random.pick(subscriptions);
  const { amount, currency } = dueOf(target);
  const paid = random.pick([amount, amount, amount, amount / 2, amount * 2, amount - 0.3, amount + 5]);
  const { referenceNumber } = target;
  const text = random.pick([
    referenceNumber,
    referenceNumber,
    referenceNumber.toLowerCase().replace('-', ' '),
    // Without its prefix, or with another check character.
    referenceNumber.slice('SUB-'.length),
    `${referenceNumber.slice(0, -1)}${referenceNumber.endsWith('7') ? '8' : '7'}`,
    'Miete November',
  ]);
  shop.bankIds += 1;
  const reported = (shop.sent.at(-1) as { paymentId?: string } | undefined)?.paymentId;
  return {
    amount: (Math.max(1, Math.round(paid * 100)) / 100).toFixed(2),
    currency: random.oneIn(10) ? 'USD' : currency,
    indicator: random.oneIn(12) ? 'DBIT' : 'CRDT',
    date: new Date(Date.now() - random.pick([0, 0, 1, 3, 10, 25]) * dayMs).toISOString().slice(0, 10),
    text,
    name: 'Ann',
    ...defined({
      bankId: random.oneIn(4) ? undefined : (random.oneIn(4) && reported) || `bank-${shop.bankIds}`,
      endToEndId: random.oneIn(2) ? `E2E-${shop.bankIds}` : undefined,
      reversal: random.oneIn(12) ? true : undefined,
    }),
  };
}

/** The bank takes back a transfer of an earlier file, as a whole or in part. */
function recall(random: Seeded, shop: Shop): FileEntry | undefined {
  const credits = shop.bankEntries.flatMap(transactionsOf).filter(({ indicator }) => indicator === 'CRDT');
  if (credits.length === 0) return undefined;
  shop.bankIds += 1;
  const { amount = '', ...credit } = random.pick(credits);
  const taken = random.oneIn(4) ? (Math.ceil(Number(amount) * 50) / 100).toFixed(2) : amount;
  const date = new Date().toISOString().slice(0, 10);
  const how = { indicator: 'DBIT', reversal: true, bankId: `bank-${shop.bankIds}` };
  const whole = Object.assign(credit, how, { amount: taken, date });
  // Banks write the indicator of the transfer into the details of what goes back.
  return { whole, parts: random.oneIn(3) ? [Object.assign({}, whole, { indicator: 'CRDT' })] : [] };
}

/** Several transactions in one entry: their signed sum, another sum, or one transaction of the other sign. */
function batch(random: Seeded, shop: Shop, subscriptions: readonly Subscription[]): FileEntry {
  const first = transfer(random, shop, subscriptions);
  const { currency = '', date = '' } = first;
  const others = Array.from({ length: 1 + random.below(2) }, () =>
    Object.assign(transfer(random, shop, subscriptions), { currency, date }),
  );
  const fee: XmlEntry = { amount: '1.50', currency, indicator: 'DBIT', text: 'Fee', name: 'Bank' };
  const returned = Object.assign({ returnReason: 'AC04' }, first, { indicator: 'DBIT' });
  // An indicator of a reversal is one of the whole entry.
  const parts = random
    .shuffled([first, ...others, ...random.pick([[], [fee], [returned]])])
    .map(({ reversal: _, ...part }): XmlEntry => part);
  const sum = signedSum(parts);
  const unsigned = parts.reduce((total, one) => total + minorOf(one), 0);
  const wholeMinor = random.pick([sum, sum, sum, unsigned, sum + 1]) || 1;
  const whole = {
    amount: (Math.abs(wholeMinor) / 100).toFixed(2),
    currency,
    date,
    indicator: wholeMinor < 0 ? 'DBIT' : 'CRDT',
    bankId: `bank-${shop.bankIds}`,
  };
  if (random.oneIn(4))
    return { whole: Object.assign(whole, { indicator: 'DBIT' }), parts: parts.slice(0, 1) };
  return { whole, parts };
}

import type { BankEntry } from '../../../../../functions/statements/import/file/entry.ts';
import { isSameName, wordsOf } from '../../../../../functions/statements/import/names.ts';
import { statedReferences } from '../../../../../functions/statements/import/references.ts';
import { sourceIds } from '../../../../../functions/statements/import/source-id.ts';
import { generateReference } from '../../../../../functions/subscriptions/record/reference-number.ts';
import { corpusRows } from '../../../../support/corpus.ts';
import { Seeded } from '../../../../support/parallel/seeded.ts';
import { processorMs } from '../../../../support/processor-time.ts';

describe('a reference number', () => {
  test.each([
    'SUB-7K3M9XQP',
    'sub 7k3m 9xqp',
    'Rechnung:SUB7K3M9XQP/November',
    'SU B-7K3M9X QP danke',
    'Order 12 Subscription SUB-7K3M-9XQP 2026',
    'ZAHLUNGSUB7K3M9XQPDANKE',
    'RF06 7K3M 9XQP',
    'rf067k3m9xqp',
    'Ref RF067K3M9XQP2026',
    'RF19SUB7K3M9XQP',
    'INV-7K3M9XQP-12',
    'inv 7k3m9xqp 1 danke',
  ])('is found in %s', (text) => {
    expect(statedReferences(text).certain).toEqual(['SUB-7K3M9XQP']);
  });

  test.each([
    ['a wrong check character', 'SUB-7K3M9XQA'],
    ['transposed characters', 'SUB-K73M9XQP'],
    ['a character too few', 'SUB-7K3M9XQ'],
    ['wrong check digits of a creditor reference', 'RF077K3M9XQP'],
    ['a creditor reference of another creditor', 'RF23567483937849450550875'],
    ['a common word', 'Subscription November'],
  ])('is not found with %s', (_, text) => {
    expect(statedReferences(text).certain).toEqual([]);
  });

  test('is only possible where its last character is cut off at the end of a text', () => {
    expect(statedReferences('Danke SUB-7K3M 9XQ')).toEqual({
      certain: [],
      possible: ['SUB-7K3M9XQP'],
      invoices: [],
    });
    expect(statedReferences('', ['INV-7K3M9XQ'])).toEqual({
      certain: [],
      possible: ['SUB-7K3M9XQP'],
      invoices: [],
    });
    expect(statedReferences('SUB-7K3M9XQ danke').possible).toEqual([]);
    expect(statedReferences('SUB-7K3M9X').possible).toEqual([]);
  });

  test('is only possible without its prefix, except in a field for references', () => {
    expect(statedReferences('Danke 7K3M9XQP')).toEqual({
      certain: [],
      possible: ['SUB-7K3M9XQP'],
      invoices: [],
    });
    expect(statedReferences('Danke', ['7K3M 9XQP']).certain).toEqual(['SUB-7K3M9XQP']);
    expect(statedReferences('', ['RF067K3M9XQP']).certain).toEqual(['SUB-7K3M9XQP']);
  });

  test('is in a field of its own in any case, and 20 of them at most', () => {
    expect(statedReferences('', [' 7k3m-9xqp ']).certain).toEqual(['SUB-7K3M9XQP']);
    expect(statedReferences('', ['7K3M9XQP2026', 'no 7K3M']).certain).toEqual([]);
    const many = Array.from({ length: 30 }, (_, n) => generateReference(() => n / 32));
    expect(statedReferences(many.join(' ')).certain).toEqual(many.slice(0, 20));
    expect(statedReferences('7K3M_9XQP 7K3MX9XQP')).toEqual({ certain: [], possible: [], invoices: [] });
    expect(statedReferences('7K3M 9XQP und 7K3M-9XQP').possible).toEqual(['SUB-7K3M9XQP']);
    expect(statedReferences('RF19SUB7K3M9XQP2026SUB')).toEqual({
      certain: ['SUB-7K3M9XQP'],
      possible: [],
      invoices: [],
    });
  });

  test('is found as often as there are different ones', () => {
    const text = 'SUB-7K3M9XQP und SUB-B2C4D6EC und sub-7k3m9xqp';
    expect(statedReferences(text).certain).toEqual(['SUB-7K3M9XQP', 'SUB-B2C4D6EC']);
  });

  test('is found wherever a bank breaks the line, of any reference number', () => {
    const seeded = new Seeded(15);
    const random = () => seeded.below(2 ** 30) / 2 ** 30;
    for (let i = 0; i < 50; i += 1) {
      const reference = generateReference(random);
      const at = Math.floor(random() * reference.length);
      const text = `Invoice ${reference.slice(0, at)} ${reference.slice(at)} thanks`;
      expect(statedReferences(text).certain).toEqual([reference]);
    }
  });

  test('costs no more than its length', () => {
    const startedAt = processorMs();
    for (const text of ['SUB', 'S U B ', 'RF', '7', ' ', 'S'])
      statedReferences(text.repeat(1_000_000), [text.repeat(100_000)]);
    expect(processorMs() - startedAt).toBeLessThan(1_000);
  });
});

test.each(corpusRows('payer-names.tsv'))('names: %s can be %s: %s', (payer = '', client = '', isSame) => {
  expect(isSameName(wordsOf(payer), wordsOf(client))).toBe(isSame === 'yes');
});

describe('the id of an entry', () => {
  const entry = (more: Partial<BankEntry> = {}): BankEntry => ({
    kind: 'credit',
    amountMinor: 999,
    currency: 'EUR',
    isOneTransfer: true,
    valueAtMs: Date.UTC(2026, 10, 20),
    account: 'DE02120300000000202051',
    text: 'SUB-7K3M9XQP',
    structured: [],
    ids: [],
    bankId: undefined,
    endToEndId: undefined,
    iban: undefined,
    name: 'Ada',
    ...more,
  });
  const idOf = (more?: Partial<BankEntry>) => sourceIds([entry(more)])[0];

  test('is the same in overlapping files, wherever the entry is', () => {
    const [monday, tuesday, wednesday] = [20, 21, 22].map((day) =>
      entry({ valueAtMs: Date.UTC(2026, 10, day) }),
    );
    const first = sourceIds([monday, tuesday] as BankEntry[]);
    const second = sourceIds([tuesday, wednesday] as BankEntry[]);
    expect(first[1]).toBe(second[0]);
    expect(new Set([...first, ...second]).size).toBe(3);
  });

  test('differs for two equal payments of a day, of which the first file has one', () => {
    const [first] = sourceIds([entry()]);
    const both = sourceIds([entry(), entry()]);
    expect(both[0]).toBe(first);
    expect(both[1]).not.toBe(first);
    expect(new Set(sourceIds([entry(), entry(), entry(), entry({ bankId: '1' })])).size).toBe(4);
  });

  test('with an id of the bank is the same twice in a file', () => {
    const [first, second] = sourceIds([entry({ bankId: 'A1' }), entry({ bankId: 'A1' })]);
    expect(second).toBe(first);
  });

  test.each([
    { bankId: 'A2' },
    { amountMinor: 1_000 },
    { currency: 'USD' },
    { account: 'DE89370400440532013000' },
    { text: 'SUB-B2C4D6EC' },
    { name: 'Bob' },
  ])('of one bank id differs with %j: some banks give one id to several entries', (more) => {
    expect(idOf({ bankId: 'A1', ...more })).not.toBe(idOf({ bankId: 'A1' }));
  });

  test('of a reversal is not that of the credit, which can state the same', () => {
    const [credit, reversal] = sourceIds([entry(), entry({ kind: 'reversal' })]);
    expect(reversal).not.toBe(credit);
    expect(idOf({ kind: 'reversal' })).toBe(reversal);
    expect(idOf({ kind: 'reversal', bankId: 'A1' })).not.toBe(idOf({ bankId: 'A1' }));
  });

  test('of a standing order differs by date, although the payer gives each payment one id', () => {
    const monthly = { endToEndId: 'RENT' };
    expect(idOf({ ...monthly, valueAtMs: Date.UTC(2026, 11, 20) })).not.toBe(idOf(monthly));
  });
});
